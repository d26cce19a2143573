"""Print figures about the code: one row per room, and the number of imports between rooms.

    python benchmarks/house.py [ROOT]
    python benchmarks/house.py commands    the files of each command

A room is a folder or a module at the top level. Lines are physical lines; ruff formats the product at 110
columns.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median

NAME = "bartizan"
OUTSIDE = {"tests", "benchmarks", "docs", "examples"}


def sources(root: Path) -> dict[str, list[Path]]:
    """Map each room of the product to its modules."""
    rooms: dict[str, list[Path]] = {}
    for room in sorted(root.iterdir()):  # skips the environment, which has more files than all rooms
        if room.name in {*OUTSIDE, "build"} or room.name.startswith("."):
            continue
        if paths := [room] if room.suffix == ".py" else sorted(room.rglob("*.py")):
            rooms[room.name] = paths
    return rooms


def functions(tree: ast.AST) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def lines_of(function: ast.FunctionDef) -> int:
    """Return the number of lines of the body, without the docstring."""
    body = function.body[1:] if ast.get_docstring(function) and len(function.body) > 1 else function.body
    return body[-1].end_lineno - body[0].lineno + 1


def row(room: str, paths: list[Path]) -> str:
    texts = [path.read_text(encoding="utf-8") for path in paths]
    every = [function for text in texts for function in functions(ast.parse(text))]
    lengths = sorted(lines_of(function) for function in every) or [0]
    modules = [len(text.splitlines()) for text in texts]
    described = sum(ast.get_docstring(function) is not None for function in every)
    return (
        f"| {room} | {len(paths)} | {sum(modules):,} | {len(every):,} | "
        f"{median(lengths):.0f} / {lengths[len(lengths) * 9 // 10]} / {lengths[-1]} | "
        f"{described / max(len(every), 1):.0%} | {median(modules):.0f} / {max(modules):,} |"
    )


def arrows(rooms: dict[str, list[Path]]) -> set[tuple[str, str]]:
    """Return the pairs (room, imported room), including imports inside functions."""
    return {
        (room, other)
        for room, paths in rooms.items()
        for path in paths
        for other in _rooms_of(imported(path), rooms)
        if other != room
    }


def imported(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports, including imports inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _rooms_of(names: Iterable[str], rooms: dict[str, list[Path]]) -> Iterator[str]:
    for name in names:
        package, _, inside = name.partition(".")
        first = inside.split(".")[0]
        if package == NAME and inside:
            yield first if first in rooms else f"{first}.py" if f"{first}.py" in rooms else "__init__.py"


def commands() -> Iterator[str]:
    """Yield the lines of a table with the source files of each command: question, answer and analyses."""
    from bartizan import cli

    root = Path(cli.__file__).parent
    yield "| command | question | answer | analyses |"
    yield "|---|---|---|---|"
    for words, question in sorted(cli.every_question().items()):
        if question.instead:
            continue
        source = root.joinpath(*question.__module__.split(".")[1:]).with_suffix(".py")
        (own,) = (
            node
            for node in ast.parse(source.read_text(encoding="utf-8")).body
            if isinstance(node, ast.ClassDef) and node.name == question.__name__
        )
        called = {
            node.value.attr
            for node in ast.walk(own)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Attribute)
            and isinstance(node.value.value, ast.Name)
            and node.value.value.id == "answers"
        }
        answers = [root / f"api/answers/{name}.py" for name in sorted(called)]
        trees = [own, *(ast.parse(path.read_text(encoding="utf-8")) for path in answers)]
        analyses = sorted({path for tree in trees for path in _analyses(tree, root)})
        cells = (", ".join(f"`{path.relative_to(root)}`" for path in paths) for paths in (answers, analyses))
        yield f"| `{words}` | `{source.relative_to(root)}` | {' | '.join(cells)} |"


def _analyses(tree: ast.AST, root: Path) -> Iterator[Path]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{NAME}.analyses"):
            for name in [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]:
                path = root.joinpath(*name.split(".")[1:]).with_suffix(".py")
                if path.exists():
                    yield path


def main(root: Path) -> None:
    rooms = sources(root)
    print("| room | modules | lines | functions | median / p90 / max | docstring | module median / max |")
    print("|---|---|---|---|---|---|---|")
    for room, paths in rooms.items():
        print(row(room, paths))
    print(row("**all**", [path for paths in rooms.values() for path in paths]))
    drawn = arrows(rooms)
    circles = sorted({tuple(sorted(pair)) for pair in drawn if pair[::-1] in drawn})
    named = ", ".join(map(" - ".join, circles)) or "none"
    print(f"\n{len(rooms)} rooms, {len(drawn)} arrows, circles of two: {named}")


if __name__ == "__main__":
    if sys.argv[1:] == ["commands"]:
        print("\n".join(commands()))
    else:
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent)
