"""The house by figures, a row a room: `python benchmarks/house.py [ROOT]`."""

import ast
import sys
from pathlib import Path
from statistics import median

ROOMS = ("cli.py", "cli_options.py", "api", "simcore", "policies", "analyses", "reports")
MANY = 8  # parameters


def functions(tree: ast.AST) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def parameters(function: ast.FunctionDef) -> int:
    found = function.args
    return len(found.posonlyargs) + len(found.args) + len(found.kwonlyargs)


def lines_of(function: ast.FunctionDef) -> int:
    """Lines of the body, the docstring left out."""
    body = function.body[1:] if ast.get_docstring(function) and len(function.body) > 1 else function.body
    return body[-1].end_lineno - body[0].lineno + 1


def percentile(values: list[int], percent: int) -> int:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def row(root: Path, room: str) -> str | None:
    paths = [root / room] if room.endswith(".py") else sorted((root / room).rglob("*.py"))
    paths = [path for path in paths if path.is_file()]
    if not paths:
        return None
    texts = [path.read_text(encoding="utf-8") for path in paths]
    found = [function for text in texts for function in functions(ast.parse(text))]
    lengths = [lines_of(function) for function in found] or [0]
    modules = [len(text.splitlines()) for text in texts]
    wide = sum(len(line) > 110 for text in texts for line in text.splitlines())
    told = sum(ast.get_docstring(function) is not None for function in found)
    most = [parameters(function) for function in found] or [0]
    return (
        f"| {room} | {len(paths)} / {sum(modules):,} | {len(found):,} | "
        f"{median(lengths):.0f} / {percentile(lengths, 90)} / {max(lengths)} | "
        f"{max(most)} ({sum(n > MANY for n in most)}) | {told / max(len(found), 1):.0%} | "
        f"{median(modules):.0f} / {max(modules):,} ({sum(n > 450 for n in modules)}) | {wide} |"
    )


def main(root: Path) -> None:
    print(
        "| room | files / lines | functions | median / p90 / max | most parameters (over 8) | docstring "
        "| module median / max (over 450) | lines over 110 |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for room in ROOMS:
        if found := row(root, room):
            print(found)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent)
