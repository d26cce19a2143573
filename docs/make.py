"""Prepare the documentation site: `make docs`.

    python docs/make.py             stage the pages in build/docs, generate references, run quoted commands
    python docs/make.py --quick     without the quoted commands
    python docs/make.py --all       also run every other command of the pages, with few games

The staged folder has the layout of the repository, so links between pages are the same on the site as in a
clone. The references of commands, Python, columns, JSON and terms are generated and never committed.
"""

import argparse
import inspect
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STAGED = ROOT / "build/docs"
REFERENCE = STAGED / "docs/reference"
PAGES = (
    *(
        "README.md",
        "CHANGELOG.md",
        "CODE_OF_CONDUCT.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "SUPPORT.md",
        "AGENTS.md",
    ),
    *("benchmarks/README.md", "examples/plays/README.md", "reports/text/glossary.toml"),
    *("docs/**/*", "simcore/**/*.md"),
)


def stage() -> None:
    """Copy the pages, with the layout of the repository. Markdown pages are changed by `unbroken`."""
    shutil.rmtree(STAGED, ignore_errors=True)
    for pattern in PAGES:
        for path in ROOT.glob(pattern):
            if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts:
                target = STAGED / path.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                if path.suffix == ".md":
                    target.write_text(unbroken(path.read_text(encoding="utf-8")), encoding="utf-8")
                else:
                    shutil.copy(path, target)


def unbroken(text: str) -> str:
    """Mark the options in a page, such as `--set PATH=VALUE`, and keep numbers and percent signs together.

    A browser would break lines after hyphens and at spaces.
    """
    parts = re.split(r"(^ *```.*?^ *```)", text, flags=re.M | re.S)
    for at in range(0, len(parts), 2):  # outside fences
        parts[at] = re.sub(r"(?<!`)(`--[^`\n]{1,28}`)(?![`{])", r"\1{ .option }", parts[at])
        parts[at] = re.sub(r"(?<=\d) %", "\u00a0%", parts[at])
    return "".join(parts)


# ---------------------------------------------------------------- generated references


def cell(text: object) -> str:
    """Return the text as one line that is safe in a table."""
    return " ".join(str(text or "").split()).replace("|", "\\|").replace("<", "&lt;")


def commands() -> str:
    """Return the page of commands, generated from the questions."""
    from bartizan import cli

    questions = {words: one for words, one in cli.every_question().items() if not one.instead}
    lines = ["# Commands", "", "Generated from the questions. `bartizan COMMAND --help` prints the same.", ""]
    for words, question in sorted(questions.items()):
        lines += [f"## bartizan {words}", "", inspect.cleandoc(question.__doc__ or ""), ""]
        lines += [f"Example: `{question.example}`", ""]
        options = [one for one in question.options if not one.opt.is_hidden]
        if options:
            lines += ["| option | meaning |", "|---|---|"]
            lines += [f"| {_option(one)} | {cell(one.opt.help)}{_default(one)} |" for one in options] + [""]
    older = {words: one.instead for words, one in sorted(cli.every_question().items()) if one.instead}
    lines += ["## Older names", "", "These commands still work. They name the current command on stderr.", ""]
    lines += ["| older | current |", "|---|---|"]
    lines += [f"| `{words}` | `{instead}` |" for words, instead in older.items()]
    return "\n".join([*lines, ""])


def _default(one: Any) -> str:
    """Return the default of an option as text; "" if there is none or the help states it."""
    is_stated = "default" in (one.opt.help or "") or one.default in (None, (), "", False, MISSING)
    return "" if is_stated else f" (default: {one.default})"


def _option(one: Any) -> str:
    """Return an option as HTML, such as `-o, --out FILE`."""
    metavar = cell(one.opt.metavar)
    if one.opt.is_argument:
        return f"<code>{(metavar or one.name.upper()).replace(chr(92) + '|', '&#124;')}</code>"
    names = [*filter(None, (one.opt.short, one.flag, one.opt.off))]
    names[-1] += f"</code> <code>{metavar}" if metavar else ""
    return ", ".join(f'<code class="option">{name}</code>' for name in names).replace("\\|", "&#124;")


def python() -> str:
    """Return the page of the public names of `import bartizan`, generated from their docstrings."""
    import bartizan

    lines = [
        "# Python reference",
        "",
        "Generated from docstrings. [Python](../python.md) is the introduction.",
        "",
    ]
    for name in bartizan.__all__:
        thing = getattr(bartizan, name)
        lines += [f"## bartizan.{name}", ""]
        if callable(thing):
            lines += ["```python", f"{name}{_signature(thing)}", "```", ""]
            lines += [_doc(thing), ""]
        if name in ("Playtest", "Results", "Answer", "Odds"):
            for method in sorted(dir(thing)):
                one = getattr(thing, method)
                if method.startswith("_") or not callable(one) or _doc(one).startswith("D."):
                    continue  # a method of every mapping
                lines += [
                    f"### {name}.{method}",
                    "",
                    "```python",
                    f"{method}{_signature(one)}",
                    "```",
                    "",
                    _doc(one),
                    "",
                ]
    return "\n".join(lines)


def _signature(thing: Any) -> str:
    """Return a signature such as `(name, *, games=20_000)`, with one parameter per line if it is long."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(...)"
    clean = re.compile(r"<[^<>]*>|typing\.|collections\.abc\.|bartizan\.[\w.]*\.")
    shown = [
        clean.sub(lambda m: "..." if m[0][0] == "<" else "", str(one)) for one in found.parameters.values()
    ]
    if any(one.kind is one.KEYWORD_ONLY for one in found.parameters.values()):
        at = next(i for i, one in enumerate(found.parameters.values()) if one.kind is one.KEYWORD_ONLY)
        shown.insert(at, "*")
    line = f"({', '.join(shown)})"
    return line if len(line) < 90 else "(\n    " + ",\n    ".join(shown) + ",\n)"


def _doc(thing: Any) -> str:
    """Return the docstring as Markdown, in which indented blocks are code; "" if there is none."""
    return inspect.getdoc(thing) or ""


def columns() -> str:
    """Return the page of columns of built-in games and plays, from their dtypes and docs/columns.toml."""
    from bartizan.analyses.people.log import SCHEMA
    from bartizan.simcore.game import game_names, load_game

    explained = tomllib.loads((ROOT / "docs/columns.toml").read_text(encoding="utf-8"))
    lines = [
        "# Columns",
        "",
        "Generated from the record of each game. [Data](../data.md) describes the table.",
        "",
    ]
    for name in game_names():
        engine, one = load_game(name).compiled, explained[name]
        codes = ", ".join(f"{int(code)} {reason}" for code, reason in engine.end_reasons.items())
        lines += [
            f"## {one['title']} (`{name}`)",
            "",
            f"`end_reason`: {codes}.",
            f"`winner`: {one['winner']}",
            "",
        ]
        lines += ["| column | type | meaning |", "|---|---|---|"]
        for column in engine.record_dtype.names:
            meaning = one["columns"].get(column) or explained["common"][column]
            lines.append(f"| `{column}` | {engine.record_dtype[column].name} | {cell(meaning)} |")
        lines.append("")
    plays = explained["plays"]
    lines += [f"## {plays['title']} (`bz.playtest_log`)", "", "| column | type | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {kind} | {cell(plays['columns'][name])} |" for name, kind in SCHEMA.items()]
    return "\n".join([*lines, ""])


def documents() -> str:
    """Return the page of JSON documents, generated from the fields of their pydantic models."""
    import importlib
    import pkgutil

    import bartizan.analyses
    import bartizan.reports
    from bartizan.analyses.document import Document

    for room in (bartizan.analyses, bartizan.reports):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            importlib.import_module(module.name)
    lines = [
        "# JSON documents",
        "",
        "Generated from the models. `--json` prints a document, and `Answer.to_dict()` returns it.",
        "",
    ]
    for model in sorted(_below(Document), key=lambda one: one.__name__):
        lines += [f"## {model.__name__}", "", inspect.cleandoc(model.__doc__ or ""), ""]
        lines += ["| key | type | |", "|---|---|---|"]
        for key, field in model.model_fields.items():
            shown = (
                re.sub(r"\b(?:\w+\.)+", "", str(field.annotation)).replace("<class '", "").replace("'>", "")
            )
            lines.append(f"| `{field.alias or key}` | {cell(shown)} | {cell(field.description)} |")
        lines.append("")
    return "\n".join(lines)


def _below(model: type) -> Iterator[type]:
    for one in model.__subclasses__():
        yield one
        yield from _below(one)


def terms() -> str:
    """Return the page of the glossary, generated from reports/text/glossary.toml."""
    rows = tomllib.loads((ROOT / "reports/text/glossary.toml").read_text(encoding="utf-8"))["term"]
    lines = ["# Glossary of terms", "", "| term | meaning | source |", "|---|---|---|"]
    for row in rows:
        avoid = f". Not: {row['not']}" if "not" in row else ""
        lines.append(f"| {cell(row['term'])} | {cell(row['meaning'] + avoid)} | {cell(row['source'])} |")
    return "\n".join([*lines, ""])


def methods() -> str:
    """Return the page of registered statistical methods with their sources."""
    from bartizan.analyses.statistics.methods import METHODS

    lines = [
        "# Methods",
        "",
        "Generated from the registry. [Accuracy of the numbers](../validity.md) has their coverage.",
        "",
    ]
    lines += ["| method | estimates | source |", "|---|---|---|"]
    shown = (one for one in METHODS.values() if one.kind not in ("drawn", "former"))
    return "\n".join(
        [*lines, *(f"| {cell(one.name)} | {cell(one.of)} | {cell(one.source)} |" for one in shown), ""]
    )


REFERENCES = (commands, python, columns, documents, methods, terms)


def generate() -> None:
    """Write the reference pages."""
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for one in REFERENCES:
        (REFERENCE / f"{one.__name__}.md").write_text(one(), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="do not run quoted commands")
    parser.add_argument("--all", action="store_true", help="also run the commands without quoted output")
    parser.add_argument("pages", nargs="*", type=Path, help="pages whose commands run (default: all)")
    asked = parser.parse_args()
    stage()
    generate()
    if not asked.quick:
        from bartizan.docs import commands

        if commands.run(asked.pages or commands.PAGES, everything=asked.all):
            sys.exit("commands of the pages named above fail, or print something else")


if __name__ == "__main__":
    main()
