"""What holds of every kind of report: pictures have words, players are policies, a reconstruction says so, words are explained."""

import ast
import json
import re
import tomllib
from dataclasses import replace
from html import unescape
from pathlib import Path
from unittest import mock

import pytest

from bartizan.reports import write_report
from bartizan.reports.pages import comparison
from bartizan.reports.study import study
from bartizan.reports.text import glossary
from bartizan.simcore.sweep.store import open_sweep
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan, few_pilot_games
from tests.cli.test_cards import HIGHEST
from tests.cli.test_equilibrium import DOORS
from tests.sweeps import make_sweep, records, solo_cell
from tests.unit.test_first_picture import overlaps, said_twice

SMALL = ("--games", 60)
ABOUT = {  # what is asked about each game beside its sweep
    "solo": (
        ("losses", RUIN, "--games", 300, "--pilot", 10, "--rollouts", 200),
        ("run", RUIN, "--luck-adjusted", *SMALL),
        ("ladder", RUIN, "--policy", "random", "--policy", "random:noise=0.5", *SMALL),
        ("tune", RUIN, "--knob", "bets.goal=18:24", "--target", "win_rate=0.4", "--games", 200, "--fresh", 200),
        (
            "tune",
            RUIN,
            "--knob bets.goal=18:24 --knob bets.start=9:11 --target turns=90 --games 100 --fresh 100 --trials 5",
        ),
        ("tune", RUIN, "--target", "win_rate=0.4..0.45", "--games", 100, "--fresh", 100),
        ("coverage", RUIN, *SMALL),
        ("sensitivity", RUIN, *SMALL, "--decks", 2, "--effects", 2, "--settings", 20),
    ),
    "sides": (
        ("losses", DOORS, *SMALL, "--pilot", 5, "--rollouts", 200),
        ("run", DOORS, "--luck-adjusted", *SMALL),
        ("ladder", DOORS, "--noise", "0.5", *SMALL),
        ("coverage", DOORS, *SMALL),
    ),
    "alike": (
        ("losses", PIG, "--policy", "hold", *SMALL, "--pilot", 5, "--rollouts", 200),
        ("run", PIG, "--policy", "hold", "--luck-adjusted", *SMALL),
        ("ladder", PIG, "--policy", "hold", "--policy", "random", "--noise", "0.5", *SMALL),
        ("tune", PIG, "--policy hold --knob goal.points=60,80,100 --target turns=20 --games 100 --fresh 100"),
    ),
    "cards": (
        ("cards", HIGHEST, "--value", "--policy", "random", *SMALL),
        ("cards", HIGHEST, "--usage", "--policy", "random", *SMALL),
    ),
}
SWEEPS = {
    "solo": (RUIN, "--set", "bets.start=9,10"),
    "sides": (DOORS,),
    "alike": (PIG, "--set", "goal.points=30,50", "--rotate", "--policy", "hold+random"),
    "cards": (HIGHEST, "--policy", "random"),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A folder of each kind, with all that can be asked about its game; and a comparison."""
    root = tmp_path_factory.mktemp("kinds")
    for kind, words in SWEEPS.items():
        assert bartizan("sweep", *words, "--games", 300, "-o", root / kind).code == 0
        for asked in ABOUT[kind]:
            with few_pilot_games():
                result = bartizan(*asked, "-o", root / kind)
            assert result.code in (0, 3), (asked, result.err)
    assert bartizan("compare", PIG, "--policy hold --change goal.points=50 --games 100 -o", root / "compare").code == 0
    return root


@pytest.fixture(scope="module")
def pages(folders, tmp_path_factory):
    """Kind -> the text of its page in HTML and in Markdown; each but the comparison says what changed since another sweep."""
    out = tmp_path_factory.mktemp("pages")
    found = {}
    for kind in SWEEPS:
        opened = open_sweep(folders / kind)
        opened = replace(opened, manifest={**opened.manifest, "since": str(folders / kind)})
        with mock.patch("bartizan.reports.study.study", return_value=study(opened)):  # analysed once for all forms
            found[kind] = {
                form: write_report(opened, out / f"{kind}.{form}").read_text(encoding="utf-8")
                for form in ("html", "md", "json")
            }
    both = comparison.read(folders / "compare")
    found["compare"] = {
        form: write_report(both, out / f"compare.{form}").read_text(encoding="utf-8") for form in ("html", "md", "json")
    }
    return found


KINDS = [*SWEEPS, "compare"]
UNIT = re.compile(r"%|percentage points|turn|logits|games|score|mean|points|cost|value|times")


# ---------------------------------------------------------------- pictures


@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_says_its_takeaway_with_its_unit(pages, kind):
    page = pages[kind]["html"]
    drawn = re.findall(r"<figure>\s*<figcaption>(.*?)</figcaption>\s*<svg ([^>]*)>", page, re.DOTALL)
    assert len(drawn) == page.count("<svg ") == page.count("<figure>") >= 2
    for caption, attributes in drawn:
        (told,) = map(unescape, re.findall(r'role="img" aria-label="([^"]+)"', attributes))
        title = unescape(re.sub(r"<span.*?</span>", "", caption, flags=re.DOTALL).strip())
        assert told.startswith(title) or title in told, (title, told)
        assert UNIT.search(told) and re.search(r"\d", told), told


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("kind", KINDS)
def test_no_two_parts_have_one_label_in_the_list_of_contents(pages, kind):
    labels = re.findall(r'<li><a href="#[^"]+">(.*?)</a>', pages[kind]["html"])
    assert len(labels) == len(set(labels)) >= 4, labels


@pytest.mark.parametrize("kind", KINDS)
def test_no_sentence_stands_twice_but_where_a_part_is_read_by_itself(pages, kind):
    """Each part and each table may be read by itself; between the others a sentence of the page stands once."""
    parts = re.findall(r"<section.*?</section>", pages[kind]["html"], flags=re.DOTALL)
    assert len(parts) > 5
    for part in parts:
        alone = re.sub(r"<details.*?</details>|<dl.*?</dl>", "", part, flags=re.DOTALL)
        assert said_twice(f"<body>{alone}") == []


@pytest.mark.rotating  # test_first_picture.py has the paper of a specimen of every block
@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if kind != "sides"]
)  # its parts are those of "solo", its seats those of "alike"
def test_no_two_words_of_the_paper_overlap(folders, tmp_path, kind):
    opened = comparison.read(folders / kind) if kind == "compare" else open_sweep(folders / kind)
    assert overlaps(write_report(opened, tmp_path / "r.pdf")) == []


# ---------------------------------------------------------------- who played


@pytest.mark.parametrize("kind", KINDS)
def test_every_form_says_that_policies_played(pages, kind):
    for form in ("html", "md"):
        assert re.search(r"computer policies", pages[kind][form], re.IGNORECASE), form
    assert "Played by computer policies, not people." in pages[kind]["html"]
    if kind != "compare":
        assert json.loads(pages[kind]["json"])["played_by"] == "Played by computer policies, not people."


def literals(path: Path) -> list[str]:
    """Every text of a module but its docstrings; the parts of one f-string together."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    whole = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    joined = ["".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values) for node in whole]
    return joined + [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside | docs
    ]


def said_in_reports() -> list[tuple[str, str]]:
    """(file, text): all that pages are made of, but for what is about plays by people."""
    about_people = re.compile(r"people|plays|play_form|vocabulary|deal")
    modules = [
        path
        for room in ("pages", "text", "figures", "views", "render")
        for path in sorted((ROOT / "reports" / room).rglob("*.py"))
        if not about_people.search(path.name)
    ]
    templates = [
        path for path in sorted((ROOT / "reports/templates").glob("*.j2")) if not about_people.search(path.name)
    ]
    found = [(path.name, text) for path in modules for text in literals(path)]
    return found + [(path.name, line) for path in templates for line in path.read_text(encoding="utf-8").splitlines()]


PEOPLE = re.compile(r"\b(people|persons?|humans?|testers?|audience|customers?|playtesters?)\b", re.IGNORECASE)
NOT_SIMULATED = re.compile(
    r"not people|not by people|may get different results|may do better or worse|games with people can show|plays by people|how people|what people|cannot know|with people",
    re.IGNORECASE,
)


def test_no_sentence_gives_a_simulated_figure_to_people():
    """Whoever speaks of people says that they did not play, or may do otherwise."""
    texts = said_in_reports()
    assert len(texts) > 1000
    told = [(name, text) for name, text in texts if PEOPLE.search(text)]
    assert len(told) >= 8  # the pages do speak of them
    assert [(name, text) for name, text in told if not NOT_SIMULATED.search(text)] == []
    assert [
        (name, text)
        for name, text in texts
        if re.search(r"\b(real|your) (players?|groups?|tables?)\b", text, re.IGNORECASE)
    ] == []


# ---------------------------------------------------------------- reconstructions and changed games


TEXT = "RECONSTRUCTION: the deck is a guess"
BANNER = {"text": TEXT, "assumed": 9, "of": 20, "changed": 0, "influence": None}


def kept_answer(folder: Path, **about) -> None:
    """An answer of `losses` about nothing but its head."""
    (folder / "answers").mkdir(exist_ok=True)
    answer = {
        "schema": "bartizan.losses/1", "game": "keep", "scenario": "published", "behaviour": 1, "seat": "defender", "win_rate": None, "decisive": {"median_turn": None, "mean_drop": None},
        "title": "The Keep", "changes": [], "scenario_hash": "0123456789abcdef", "policies": ["garrison"], "difficulty": "novice", "seed": 1, "sentence": "None is lost.", "games": 50, "lost": 0,
        "pilot": {"games": 5, "lost": 0, "won": 5, "rollouts": 60, "win_rate_by_rollouts": None, "piles": ""}, "hopeless": {"never": None, "median_turns_in_vain": None}, "causes": [], "turns": [], "chosen": [], "method": "rollouts", **about,
    }  # fmt: skip
    document = {
        "schema": "bartizan.kept/1",
        "kind": "losses",
        "command": "bartizan losses keep -o DIR",
        "versions": {},
        "game": "keep",
        "behaviour": 1,
        "seed": 1,
        "answer": answer,
    }
    (folder / "answers" / "losses-x.json").write_text(json.dumps(document), encoding="utf-8")


def in_sections(text: str) -> dict[str, str]:
    """Markdown by its headings."""
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def both_forms(sweep, root: Path) -> tuple[str, str]:
    return tuple(write_report(sweep, root / f"r.{form}").read_text(encoding="utf-8") for form in ("html", "md"))


def test_every_section_of_a_reconstruction_says_so_and_none_calls_it_published(tmp_path):
    sweep = make_sweep(tmp_path / "s", [(solo_cell(banner=BANNER), records())])
    kept_answer(tmp_path / "s", banner=BANNER)
    html, text = both_forms(
        replace_manifest(sweep, since=str(tmp_path / "s")) if (tmp_path / "s/SHA256SUMS").exists() else sweep, tmp_path
    )
    sections = in_sections(text)
    assert "Garrison at novice: none of 50 games is lost" in sections
    assert all(part.startswith(f"\n\n> {TEXT}.\n") for part in sections.values()), sections.keys()
    assert f"<p>{TEXT}. Win probability of games" in html
    for page in (html, text):
        assert not re.search(r"as published|\(published\)|the published game", page)


def replace_manifest(sweep, **more):
    sweep.manifest = {**sweep.manifest, **more}
    return sweep


def test_an_answer_of_a_reconstruction_says_so_among_published_games(tmp_path):
    sweep = make_sweep(tmp_path / "s", [(solo_cell(), records())])
    kept_answer(tmp_path / "s", banner=BANNER, title="The Keep, of old")
    html, text = both_forms(sweep, tmp_path)
    said = {title for title, part in in_sections(text).items() if TEXT in part}
    assert said == {"Garrison at novice: none of 50 games is lost"}
    assert f"{TEXT}. The Keep, of old. Win probability of games" in html


def test_an_answer_about_a_changed_game_says_what_is_changed(tmp_path):
    change = {"path": "turn.cards", "what": "Turn, Cards", "from": 3, "to": 5, "confidence": "changed"}
    sweep = make_sweep(tmp_path / "s", [(solo_cell(), records())])
    kept_answer(tmp_path / "s", changes=[change], scenario_hash="other")
    html, text = both_forms(sweep, tmp_path)
    (part,) = [part for title, part in in_sections(text).items() if "none of 50 games" in title]
    assert part.startswith("\n\nThe Keep, changed: Turn, Cards 3 -> 5. ")
    assert "These numbers and rules differ from those of the games above: scenario other." in part
    assert "The Keep, changed: Turn, Cards 3 → 5. Win probability of games" in html


# ---------------------------------------------------------------- the words


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_explains_the_words_that_stand_in_it_and_no_others(pages, kind):
    html, text = pages[kind]["html"], pages[kind]["md"]
    body, words = text.split(f"\n## {glossary.HEADING}\n")
    body = re.sub(r"```.*?```", "", body, flags=re.DOTALL)  # a command is no text
    assert html.count('<section id="words">') == 1 and html.index('id="words"') > html.index('id="again"')
    told = re.findall(r"^- \*\*(.*?)\*\*: ", words, re.MULTILINE)
    assert told == [it.term for it in glossary.used_in(body)] == sorted(told, key=str.lower) and len(told) >= 5
    shown = re.findall("<dt>(.*?)</dt>", html.split('<section id="words">')[1].split("</section>")[0])
    visible = re.sub(
        r"<[^>]*>", " ", re.sub(r"<svg.*?</svg>", "", html.split('<section id="words">')[0], flags=re.DOTALL)
    )
    forms = {
        row["term"]: row["forms"]
        for row in tomllib.loads((ROOT / "reports/text/glossary.toml").read_text(encoding="utf-8"))["term"]
        if "forms" in row
    }
    named = [term.split(" (")[-1].rstrip(")") for term in shown]
    assert "policy" in named
    for term in named:
        assert any(form in visible.lower().replace("\u00a0", " ") for form in forms[term]), term


def test_a_word_is_found_whole_and_named_as_the_page_has_it():
    assert glossary.used_in("a predraw, a bracketed bit") == []
    (common,) = glossary.used_in({"caption": ["paired on Common luck"]})
    assert common == glossary.Term(
        "common luck (common random numbers)", "the same random numbers on both sides of a comparison"
    )
    assert [it.term for it in glossary.used_in("two rollouts")] == ["rollout"]


def test_a_study_without_answers_has_none(tmp_path):
    found = study(make_sweep(tmp_path / "s", [(solo_cell(), records())]))
    assert found.kept == () and found.since is None
