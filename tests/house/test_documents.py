"""README and docs: links resolve and commands parse."""

import ast
import re
import shlex
import string
from functools import cache
from inspect import getdoc
from pathlib import Path

import pytest
import typer
from benchmarks.gallery import lines_of

from bartizan import cli
from bartizan.api.questions import all_questions
from bartizan.docs import commands, make
from bartizan.policies.request import default_policy_words
from bartizan.simcore.documentation import TITLES
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import ROOT
from tests.house.test_house import ROOMS as CODE
from tests.house.test_house import sources

README = (ROOT / "README.md").read_text(encoding="utf-8")
GROUP = typer.main.get_command(cli.app)
ROOMS = "*.md", "docs/**/*.md", "benchmarks/*.md", "examples/plays/*.md", "simcore/**/*.md"
PAGES = sorted({page for room in ROOMS for page in ROOT.glob(room)})


def outside_fences(text: str) -> str:
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)


@cache
def anchors(page: Path) -> set[str]:
    """Anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", outside_fences(page.read_text(encoding="utf-8")), re.M)
    kept = string.ascii_lowercase + string.digits + "-_ "
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return {
        "".join(letter for letter in heading if letter in kept or letter.isalpha()).replace(" ", "-")
        for heading in plain
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_and_anchors_resolve(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", outside_fences(page.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        if ":" in path:
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_former_decision_record_is_named_once():
    """48 records were merged; commits name them by their former numbers."""
    table = (ROOT / "docs/adr/README.md").read_text(encoding="utf-8")
    former = [row.rsplit("|", 2)[1] for row in re.findall(r"^\| \d.*$", table, re.M)]
    assert sorted(int(number) for cell in former for number in re.findall(r"\d+", cell)) == list(range(1, 49))


def test_messages_call_pages_by_their_titles():
    for name, title in TITLES.items():
        first = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8").partition("\n")[0]
        assert first == f"# {title}", name


def test_no_message_gives_the_path_of_a_page():
    """An installed package has no docs folder. Docstrings and comments may name its files."""
    for path in [ROOT / "cli.py", *(path for room in CODE for path in sources(room))]:
        text = path.read_text(encoding="utf-8")
        if "docs/" not in text:
            continue
        tree = ast.parse(text)
        loose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in loose]
        paths = [node.value for node in texts if re.search(r"docs/[\w-]+\.md", str(node.value))]
        assert not paths, (path, paths)


def commands_of(text: str) -> list[list[str]]:
    """The words of each command in code, without the comment that follows two or more spaces."""
    lines = re.findall(r"^(bartizan .*?)(?:  .*)?$", text, re.M) + re.findall(r"`(bartizan [^`]*)`", text)
    return [shlex.split(line) for line in lines]


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/install.md", "docs/questions.md"])
def test_every_command_parses(page):
    for _, *words in commands_of((ROOT / page).read_text(encoding="utf-8")):
        if any(word.isupper() for word in words):
            continue  # a pattern such as `bartizan new game NAME`
        if words[0].startswith("-"):
            GROUP.make_context("bartizan", words, resilient_parsing=True)
            continue
        command, name = GROUP, words[0]
        while hasattr(command, "commands") and words:
            command, name = command.commands[words[0]], words.pop(0)
        if words or not any(option.required for option in command.params):  # a command may be named alone
            command.make_context(name, words)


def test_the_help_of_every_command_has_short_paragraphs():
    paragraphs = [part for question in all_questions().values() for part in getdoc(question).split("\n\n")]
    assert not [part for part in paragraphs if len(part.split()) > 40]


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/*.md")), ids=lambda page: page.name)
def test_commands_and_options_exist(page):
    text = page.read_text(encoding="utf-8")
    lines = re.findall(r"^(?:\$ )?bartizan (.*)$", text, re.M) + re.findall(r"`bartizan ([^`]*)`", text)
    for line in lines:
        words = re.split(r"  +|[^\S\n]#", line)[0].replace("=", " ").split()
        command = GROUP
        while hasattr(command, "commands") and words and re.fullmatch(r"[a-z-]+", words[0]):
            assert words[0] in command.commands, line
            command = command.commands[words.pop(0)]
        known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
        for word in words:
            assert not word.startswith("--") or word.rstrip(".,;") in known | {"--help", "--plain", "--debug"}, line


def test_the_site_has_every_page():
    listed = re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    assert len(listed) == len(set(listed))
    generated = {f"docs/reference/{one.__name__}.md" for one in make.REFERENCES}
    assert all((ROOT / page).exists() for page in set(listed) - generated)
    assert {page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md")} | generated <= set(listed)


def test_references_are_made_from_the_code():
    commands, names, columns = make.commands(), make.python(), make.columns()
    for words, question in cli.every_question().items():
        assert (f"## bartizan {words}\n" in commands) == (not question.instead), words
    assert "### Playtest.run\n" in names and "games: int" in names
    assert "| `casualties` | uint8 | defenders killed |" in columns
    assert "## Trained\n" in make.documents() and "| rollout |" in make.terms()


def test_options_and_percentages_in_pages_stay_on_one_line():
    """Outside fences; docs/site.css has the style of options."""
    page = "Use `--set goal=3` or `run --plain`: 5 %.\n```\necho `--plain` 5 %\n```\n| `--jobs` | 2 |\n"
    staged = make.unbroken(page)
    assert "`--set goal=3`{ .option } or `run --plain`: 5\u00a0%." in staged
    assert "echo `--plain` 5 %" in staged and "| `--jobs`{ .option } | 2 |" in staged


def test_a_quoted_line_that_is_not_printed_is_found():
    printed = "Castle\u00a0Itter: 41 %\n\n  wins  1\n  more  2\n"
    assert commands.stale(["Castle Itter: 41 % ...", "  ...", "  more  2"], printed) == []
    assert commands.stale(["  more  2", "Castle Itter: 41 %"], printed) == ["Castle Itter: 41 %"], "in order"
    assert commands.stale(["Castle Itter: 42 %"], printed) == ["Castle Itter: 42 %"]
    assert commands.stale(["  more  2", "  more  2"], printed) == ["  more  2"], "each printed line once"


def test_every_fenced_command_is_run_or_left_out_for_a_reason():
    """`make docs DOCS=--all` runs them: it finds each one, and no reason to leave one out is stale."""
    found = [one for page in commands.PAGES for one in commands.commands_of(page.read_text(encoding="utf-8"))]
    lines = [line for page in commands.PAGES for line in page.read_text(encoding="utf-8").splitlines()]
    assert len(found) == sum(line.startswith(("bartizan ", "$ bartizan ")) for line in lines) > 140
    for part in commands.LEFT_OUT:
        assert any(part in word for one in found for word in one.words), part
    assert set(commands.FILES) | set(commands.BEFORE) <= {page.name for page in commands.PAGES}


def test_the_readme_is_short_and_its_picture_small():
    assert len(README.split()) <= 500
    assert len((ROOT / "AGENTS.md").read_text(encoding="utf-8").split()) <= 600
    assert (ROOT / "docs/sample/report.png").stat().st_size < 200_000
    assert (ROOT / "docs/sample/report.html").stat().st_size < 200_000


def test_the_number_in_the_readme_is_that_of_the_default_policy():
    page = (ROOT / "docs/sample/report.html").read_text(encoding="utf-8")
    shown = re.search(r"default policy wins (\d+\.\d %) \((\S+ %)\) of 20,000 games", README)
    _, policy = default_policy_words(load_game("itter"), load_scenario(load_game("itter"), difficulty="elite")).split()
    assert f"{policy} <b>{shown[1]}</b> <small>{shown[2]}" in page.replace("\u00a0", " ")


def test_gallery_counts_the_lines_of_its_games():
    """Lines without blank lines and the import, as the page says."""
    page = (ROOT / "docs/gallery.md").read_text(encoding="utf-8").partition("## Speed")[0]
    stated = sorted(
        int(lines) for lines in re.findall(r"^\| [^|]+ \| (\d+) \|", page.partition("\n\nThe tests")[0], re.M)
    )
    assert stated == sorted(lines_of(path) for path in (ROOT / "examples/short").glob("*.py"))
