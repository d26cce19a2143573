"""The house rules: where imports point, that every rule has code and a test, that the documents name what exists."""

import ast
import re
import runpy
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from bartizan.benchmarks import house
from bartizan.simcore.game import game_names, load_game

ROOT = Path(__file__).parent.parent.parent
ALLOWED = {
    "simcore": {"simcore"},
    "policies": {"policies", "simcore"},
    "analyses": {"analyses", "simcore"},
    "reports": {"reports", "analyses", "simcore"},
    "api": {"api", "reports", "policies", "analyses", "simcore"},
    "workbench": {"workbench", "api", "reports", "policies", "analyses", "simcore"},
    "assistant": {"assistant", "workbench", "api", "reports", "policies", "analyses", "simcore"},
}
ROOMS = sorted({room.split("/")[0] for room in ALLOWED})
NAME = "bartizan"


def sources(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imported(nodes) -> list[str]:
    """Names of the modules that some statements import."""
    found = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += (
                [f"{node.module}.{alias.name}" for alias in node.names] if node.module == NAME else [node.module or ""]
            )
    return found


@dataclass(frozen=True)
class Looked:
    """What tests ask of one file, read once."""

    at_the_top: list[str]  # what its outermost statements import
    anywhere: list[str]  # what it imports
    classes: list[str]
    prints: bool


@cache
def looked_at(path: Path) -> Looked:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    prints = any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print" for node in nodes
    )
    return Looked(
        imported(tree.body), imported(nodes), [node.name for node in nodes if isinstance(node, ast.ClassDef)], prints
    )


@pytest.mark.parametrize("room", ALLOWED)
def test_imports_point_one_way(room):
    """simcore <- policies; simcore <- analyses <- reports; api over all of them, the workbench and the assistant on top."""
    for path in sources(room):
        for module in looked_at(path).at_the_top:
            name, _, inside = module.partition(".")
            if name == NAME:
                assert inside.split(".")[0] in ALLOWED[room], f"{path.relative_to(ROOT)} imports {module}"


INSIDE = {  # a room upstairs: the rooms of its floor that it may use
    "analyses/statistics": {"statistics"},
    "analyses/records": {"records", "statistics", "document"},
    "analyses/experiments": {"experiments", "records", "statistics", "document"},
    "analyses/games": {"games", "statistics", "document"},
    "analyses/people": {"people", "experiments", "statistics", "document"},
    "analyses/validation": {"validation", "people", "experiments", "records", "statistics", "document"},
    "reports/text": {"text", "study"},
    "reports/render": {"render", "page", "figures", "text", "blocks", "entries"},
    "reports/figures": {"figures", "text", "study"},
    "reports/views": {"views", "figures", "text", "blocks", "entries", "document", "study"},
    "reports/pages": {"pages", "page", "views", "figures", "text", "blocks", "entries", "study"},
}


@pytest.mark.parametrize("room", INSIDE)
def test_rooms_upstairs_build_on_each_other_one_way(room):
    floor = room.split("/")[0]
    for path in sources(room):
        for module in looked_at(path).at_the_top:
            parts = module.split(".")
            if parts[:2] == [NAME, floor] and len(parts) > 2:
                assert parts[2] in INSIDE[room], f"{path.relative_to(ROOT)} imports {module}"


def test_no_page_builds_on_the_page_of_another_kind_of_game():
    """What several kinds show stands in reports/pages/parts."""
    kinds = {"solo", "two_sided", "free_for_all", "comparison"}
    for kind in (*sorted(kinds), "parts"):
        paths = sources(f"reports/pages/{kind}") or [ROOT / f"reports/pages/{kind}.py"]
        for path in paths:
            for module in looked_at(path).anywhere:
                parts = module.split(".")
                if parts[1:3] == ["reports", "pages"] and len(parts) > 3:
                    assert parts[3] in {kind, "parts"}, f"{path.relative_to(ROOT)} imports {module}"


def test_the_house_is_imported_by_its_one_name():
    """From the repository's folder `import simcore` finds the folder too: another module, with record layouts and compiled code of its own."""
    everywhere = [*ROOT.glob("*.py"), *(path for room in (*ROOMS, "tests", "examples") for path in sources(room))]
    rooms = rf"(?:{'|'.join([*ROOMS, 'cli'])})\b[.\w]*"
    outside = re.compile(rf"^ *(?:from {rooms} import .*|import {rooms}(?: as \w+)?)$", re.MULTILINE)
    assert outside.search("import os\n    from simcore.game import load_game\n") and outside.search("import cli")
    for path in everywhere:
        found = outside.search(path.read_text(encoding="utf-8"))
        assert not found, f"{path.relative_to(ROOT)}: {found}"


def test_every_folder_of_code_is_installed(monkeypatch):
    """setup.py finds the folders of all rooms, and nothing else."""
    found: dict[str, object] = {}
    monkeypatch.setattr("setuptools.setup", found.update)
    monkeypatch.chdir(ROOT)
    runpy.run_path("setup.py")
    folders = {path.parent.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    assert sorted(found["packages"]) == sorted([NAME, *(".".join([NAME, *folder.parts]) for folder in folders)])
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert settings["package-dir"] == {NAME: "."} and "packages" not in settings


def test_jit_flags_stand_in_one_place():
    for room in ("simcore", "policies"):
        for path in sources(room):
            if path.name != "jit.py":
                assert not re.search(r"@(numba\.)?njit|numba\.njit", path.read_text(encoding="utf-8")), path


def test_no_record_outlives_its_array():
    """Compiled code frees a local array after its last use, and a record taken from it does not keep it alive: hand the array to a function that takes the record."""
    for path in sources("policies"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(
            r"(\w+) = np\.(zeros|empty)\(.*\)\n\s+\w+ = \1\[0\]|np\.(zeros|empty)\([^()]*\)\[0\]", text
        ), path


def test_only_the_command_line_prints():
    for room in ALLOWED:
        for path in sources(room):
            if path.name == "bench.py":  # holds a script for another process
                continue
            assert not looked_at(path).prints, path


def itter_sections(rules: str) -> set[str]:
    """Section numbers of its RULES.md: the headings, and 0.n and 3.n and 6.1.n in bold or at line starts; less what the page lists as not modelled."""
    found = set(re.findall(r"^## (\d\.\d)", rules, re.M)) | set(re.findall(r"^(0\.\d) ", rules, re.M))
    found |= set(re.findall(r"^\*\*(\d\.\d(?:\.\d)?)", rules, re.M))
    return found - set(re.findall(r"^\| (\d\.\d) \|", rules[rules.index("# NOT MODELLED") :], re.M))


def colditz_sections(rules: str) -> set[str]:
    """Numbered paragraphs of sections 2 to 10; 1 is words, 11 and 12 are about the limit and about checks."""
    return {number for number in re.findall(r"^(\d+\.\d+) ", rules, re.M) if 2 <= int(number.split(".")[0]) <= 10}


def castle_sections(rules: str) -> set[str]:
    """Numbered paragraphs of sections 2 to 11; 1 is words, 12 the open points, 13 the worked examples."""
    return {number for number in re.findall(r"^(\d+\.\d+) ", rules, re.M) if 2 <= int(number.split(".")[0]) <= 11}


def rampage_sections(rules: str) -> set[str]:
    """Numbered paragraphs of sections 2 to 7; 1 is words, 8 the open points, 9 the worked examples."""
    return {number for number in re.findall(r"^(\d+\.\d+) ", rules, re.M) if 2 <= int(number.split(".")[0]) <= 7}


SECTIONS = [
    ("itter", itter_sections, 26),
    ("colditz", colditz_sections, 60),
    ("castle", castle_sections, 58),
    ("rampage", rampage_sections, 35),
]


@pytest.mark.parametrize(("game", "sections", "least"), SECTIONS)
def test_every_rule_section_has_code_and_a_test(game, sections, least):
    wanted = sections((ROOT / f"simcore/{game}/RULES.md").read_text(encoding="utf-8"))
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources(f"simcore/{game}"))
    ours = [path.read_text(encoding="utf-8") for path in sources("tests") if game in path.name]
    tests = set(re.findall(r'mark\.rule\("([\d.]+)"\)', "\n".join(ours)))
    assert len(wanted) >= least
    missing = [section for section in wanted if not re.search(rf"(?<![\d.]){re.escape(section)}(?![\d])", code)]
    assert not missing, f"no code names section {', '.join(sorted(missing))}"
    assert wanted <= tests, f"no test is marked with section {', '.join(sorted(wanted - tests))}"


@pytest.mark.parametrize("game", ["itter", "colditz", "castle", "rampage"])
def test_every_ruling_is_named_where_it_is_read_or_patched(game):
    from bartizan.simcore.scenario.loading import load_scenario

    code = "\n".join(path.read_text(encoding="utf-8") for path in sources(f"simcore/{game}"))
    for key, ruling in load_scenario(load_game(game)).model.ruling.items():
        assert ruling.id in code or ruling.patch, f"{ruling.id} {key}"


def test_every_game_has_the_same_rooms():
    for name in game_names():
        home = load_game(name).home
        for room in (
            "RULES.md",
            "PROTOCOL.md",
            "scenarios",
            "rules",
            "schema.py",
            *(
                f"{room}.py"
                for room in [
                    "components",
                    "actions",
                    "tables",
                    "state",
                    "setup",
                    "turns",
                    "legal",
                    "engine",
                    "scoring",
                    "features",
                    "rare",
                    "scene",
                    "trace",
                ]
            ),
        ):
            assert (home / room).exists() or (home / f"{room}.py").exists(), f"{name}: {room}"


def test_a_class_name_has_one_meaning():
    """Games may each have theirs (`Act`, `Stage`); nothing else shares a name with anything."""
    where: dict[str, set[str]] = {}
    for path in (path for room in ROOMS for path in sources(room)):
        for name in looked_at(path).classes:
            where.setdefault(name, set()).add(path.relative_to(ROOT).as_posix())
    games = {f"simcore/{name}" for name in game_names()}
    for name in ("Board", "Grid", "Hand", "Pile", "Row", "Ruling"):  # what a designer writes in a short game
        where[name].discard("simcore/short/components.py")
    shared = {name: files for name, files in where.items() if len(files) > 1}
    assert {
        name: files for name, files in shared.items() if not all(file.rsplit("/", 1)[0] in games for file in files)
    } == {}


def test_no_two_rooms_lean_on_each_other(monkeypatch):
    """The drawing of `benchmarks/house.py`: few rooms, arrows one way."""
    monkeypatch.setattr(house, "imported", lambda path: looked_at(path).anywhere)  # read once for all tests
    rooms = house.sources(ROOT)
    drawn = house.arrows(rooms)
    assert not {(room, other) for room, other in drawn if (other, room) in drawn}
    assert {room for room in rooms if room.endswith(".py")} == {"__init__.py", "cli.py", "setup.py", "short.py"}


def test_nothing_of_the_workshop_is_named():
    tops = [path for path in ROOT.iterdir() if path.name != ".venv"]
    inside = [path for top in tops for kind in ("py", "md", "toml") for path in top.rglob(f"*.{kind}")]
    for path in [*inside, *(top for top in tops if top.suffix in (".py", ".md", ".toml"))]:
        if path == Path(__file__):
            continue
        text = path.read_text(encoding="utf-8")
        assert "/work" + "/" not in text and "../sh" + "ared" not in text, path


def test_the_map_names_what_exists_and_every_command():
    """docs/architecture.md: every path in it exists; the table of commands that it names has each with its files."""
    from bartizan import cli

    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named = [
        path
        for path in re.findall(
            r"`((?:simcore|policies|analyses|reports|api|workbench|assistant|tests|cli)[\w./]*)`", text
        )
    ]
    assert len(named) > 60
    for path in named:
        assert (ROOT / path).exists(), path
    rows = {line.split("|")[1].strip(" `"): line.split("|")[3:5] for line in list(house.commands())[2:]}
    assert set(rows) == {words for words, question in cli.every_question().items() if not question.instead}
    assert "`api/answers/results.py`" in rows["report"][0] and "losses.py" in rows["losses"][1]
    assert {words for words, files in rows.items() if not "".join(files).strip()} == {"workbench", "mcp"}


def test_the_glossary_is_in_order_and_its_words_are_kept():
    """reports/text/glossary.toml: a term once, in order, with a source; a word it gives up is no name in the core."""
    terms = tomllib.loads((ROOT / "reports/text/glossary.toml").read_text(encoding="utf-8"))["term"]
    names = [row["term"] for row in terms]
    assert len(names) >= 40 and names == sorted(set(names))
    assert sum("forms" in row for row in terms) > 20, "terms that pages explain"
    for row in terms:
        assert row.keys() - {"forms", "not"} == {"term", "meaning", "source"} and all(row.values()), row["term"]
    given_up = re.compile(r"\b(desks?|Swaps|Forks|swap_player|fork_player|points of 100)\b")
    for room in ROOMS:
        for path in sources(room):
            found = given_up.search(path.read_text(encoding="utf-8"))
            assert not found, f"{path.relative_to(ROOT)}: {found}"
