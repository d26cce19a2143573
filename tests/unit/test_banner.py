"""The banner of a reconstruction: what it says, whose influence it quotes, where it stands."""

import json
import re

import pytest

from bartizan.api.caveats import assumed_lines
from bartizan.reports import write_report
from bartizan.reports.text import banner as words
from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.changes import caveat_of, influence_of, is_about
from bartizan.simcore.scenario.loading import load_scenario
from tests.sweeps import effect_row, make_sweep, records, solo_cell

TEXT = "RECONSTRUCTION: this is not the published game"
HASH = "0123456789abcdef"
INFLUENCE = {
    "path": "card.axe_man.count",
    "from": 15,
    "to": 19,
    "is_clear": True,
    "difference": {"estimate": 0.031, "low": 0.025, "high": 0.037, "level": 0.95, "method": "Student t"},
    "policies": ["tactician", "rusher"],
    "games": 2000,
    "seed": 1,
}
BANNER = {"text": TEXT, "assumed": 195, "of": 354, "changed": 0, "influence": None}


def sensitivity(**changes):
    """A small document of `bartizan sensitivity`."""
    told = {key: INFLUENCE[key] for key in ("path", "from", "to", "is_clear")}
    largest = {
        **told,
        "confidence": "assumed",
        "p": 1e-9,
        "p_adjusted": 2e-9,
        "headline": effect_row(INFLUENCE["difference"]),
    }
    head = {
        "schema": "bartizan.sensitivity/1",
        "game": "rampage",
        "title": "Castle Rampage",
        "behaviour": 1,
        "scenario": "assumed-v1",
        "scenario_hash": HASH,
    }
    return {
        **head,
        "policies": ["tactician", "rusher"],
        "games": 2000,
        "seed": 1,
        "method": "Student t",
        "influences": [largest],
        **changes,
    }


def rampage(**sets):
    return load_scenario(load_game("rampage"), sets=sets)


# ---------------------------------------------------------------- data


def test_a_reconstruction_says_so_and_counts_its_guesses():
    scenario = rampage()
    found = caveat_of(load_game("rampage"), scenario)
    assert found["text"] == scenario.model.reconstruction
    assert (found["assumed"], found["of"], found["changed"]) == (scenario.assumed, sum(scenario.confidence.values()), 0)


def test_what_is_shipped_is_about_the_deck_shipped():
    """Else: bartizan sensitivity rampage --assumed --policy tactician --policy rusher --games 2000 -o simcore/rampage/scenarios/assumed-v1.sensitivity.json"""
    assert caveat_of(load_game("rampage"), rampage())["influence"]


def test_what_the_user_changed_is_no_guess_of_ours():
    before, after = (
        caveat_of(load_game("rampage"), rampage(**sets))
        for sets in ({}, {"card.axe_man.count": 14, "card.knight.count": 15})
    )
    assert (after["changed"], after["assumed"], after["of"]) == (2, before["assumed"] - 2, before["of"])


@pytest.mark.parametrize("game", ["castle", "itter", "colditz"])
def test_a_published_game_has_none(game):
    assert caveat_of(load_game(game), load_scenario(load_game(game))) is None


def deck_beside(folder, **changes):
    """A deck of the user's own with a sensitivity document beside it."""
    (folder / "my.toml").write_text('extends = "assumed-v1"\nname = "my"\n')
    game = load_game("rampage")
    scenario = load_scenario(game, str(folder / "my.toml"))
    document = sensitivity(**{"scenario_hash": scenario.hash, "behaviour": game.behaviour, **changes})
    (folder / "my.sensitivity.json").write_text(json.dumps(document))
    return game, scenario


def test_the_influence_beside_the_scenario_is_quoted(tmp_path):
    assert caveat_of(*deck_beside(tmp_path))["influence"] == INFLUENCE


@pytest.mark.parametrize(
    "other", [{"scenario_hash": "ffffffffffffffff"}, {"behaviour": 99}, {"game": "castle"}, {"influences": []}]
)
def test_that_of_other_numbers_or_rules_is_not(tmp_path, other):
    assert caveat_of(*deck_beside(tmp_path, **other))["influence"] is None


def test_a_changed_number_takes_the_influence_away(tmp_path):
    game, _ = deck_beside(tmp_path)
    changed = load_scenario(game, str(tmp_path / "my.toml"), sets={"card.axe_man.count": 14})
    assert caveat_of(game, changed)["influence"] is None


@pytest.mark.parametrize("content", ["{", "[]", '{"schema": "other/1"}'])
def test_what_is_no_such_document_is_an_error(tmp_path, content):
    game, scenario = deck_beside(tmp_path)
    (tmp_path / "my.sensitivity.json").write_text(content)
    with pytest.raises(EngineError, match=r"my\.sensitivity\.json"):
        caveat_of(game, scenario)


def test_no_document_is_about_nothing():
    assert not is_about({}, "rampage", (1, ""), {HASH})


# ---------------------------------------------------------------- words


def test_without_an_influence_it_says_how_to_find_it():
    assert (
        words.line(BANNER, "rampage")
        == f"{TEXT}. 195 of 354 values of this scenario are assumed; to measure their effect on the result: bartizan sensitivity rampage --assumed"
    )


def test_with_one_it_says_what_moves_what_by_how_much():
    said = words.line({**BANNER, "influence": INFLUENCE}, "rampage")
    assert (
        "the most influential known assumption, Axe man card, Count 15 -> 19, changes the win rate of tactician against rusher by 3.1 percentage points (2.5 to 3.7, not adjusted for choosing the largest; 2,000 games)"
        in said
    )


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ((-0.031, -0.037, -0.025), "3.1 percentage points (2.5 to 3.7, not adjusted"),
        ((0.004, -0.002, 0.01), "the most influential one is not determined (2,000 games)"),
        ((-0.004, -0.01, 0.002), "the most influential one is not determined (2,000 games)"),
    ],
)
def test_the_size_of_a_move_with_its_limits(limits, said):
    difference = dict(zip(("estimate", "low", "high"), limits), level=0.95, method="Student t")
    assert said in words.influence({**BANNER, "influence": {**INFLUENCE, "difference": difference}}, "rampage")


def test_an_influence_that_is_none_is_not_called_one():
    said = words.influence({**BANNER, "influence": {**INFLUENCE, "is_clear": False}}, "rampage")
    assert said.startswith("no single assumption changes the win rate of tactician against rusher significantly")


def test_the_most_influential_guess_is_quoted_not_the_most_influential_number():
    known = sensitivity()["influences"][0] | {"confidence": "rulebook", "path": "turn.draw"}
    guess = sensitivity()["influences"][0]
    assert influence_of(sensitivity(influences=[known, guess])) == INFLUENCE
    assert influence_of(sensitivity(influences=[known])) is None


def test_changes_of_the_user_are_told():
    assert words.counts({**BANNER, "changed": 1}).endswith("assumed, 1 was changed by the user")
    assert words.counts({**BANNER, "changed": 2}).endswith("assumed, 2 were changed by the user")


# ---------------------------------------------------------------- reports


def folder_of(path, **changes):
    return make_sweep(
        path, [(solo_cell(banner=BANNER, assumptions=[TEXT, "Dice of the mortar: 3"], **changes), records())]
    )


def read(sweep, path):
    return write_report(sweep, path).read_text(encoding="utf-8")


def test_every_form_of_the_report_carries_it(tmp_path):
    sweep = folder_of(tmp_path / "s")
    page, text = read(sweep, tmp_path / "r.html"), read(sweep, tmp_path / "r.md")
    document = json.loads(read(sweep, tmp_path / "r.json"))
    assert page.index('class="banner"') < page.index("<h1>") and "position:sticky" in page
    assert page.count(TEXT) == 1  # not among the assumptions once more
    assert text.splitlines()[2] == f"> **{TEXT}.**" and "195 of 354 values of this scenario are assumed." in text
    followed = re.findall(rf"^## .*\n\n> {TEXT}\.\n", text, re.MULTILINE)
    assert len(followed) == len(re.findall(r"^## ", text, re.MULTILINE)) > 5
    assert document["banner"] == document["cells"][0]["banner"] == BANNER


def test_other_pages_carry_nothing(tmp_path):
    sweep = make_sweep(tmp_path / "s", [(solo_cell(), records())])
    assert 'class="banner"' not in read(sweep, tmp_path / "r.html")
    assert "\n> " not in read(sweep, tmp_path / "r.md")
    assert "banner" not in json.loads(read(sweep, tmp_path / "r.json"))


def test_several_cells_share_one_with_the_most_of_each_count(tmp_path):
    other = solo_cell(id="other", banner={**BANNER, "assumed": 194, "changed": 1}, set={"turn.cards": 4})
    sweep = make_sweep(tmp_path / "s", [(solo_cell(banner=BANNER), records()), (other, records())])
    assert json.loads(read(sweep, tmp_path / "r.json"))["banner"] == {**BANNER, "changed": 1}


# ---------------------------------------------------------------- sensitivity in a report


def influence(number, **changes):
    """The n-th largest."""
    size = 0.05 / number
    difference = {"estimate": size, "low": size - 0.004, "high": size + 0.004, "level": 0.95, "method": "Student t"}
    told = {
        "path": f"card.kind_{number}.count",
        "from": 3,
        "to": 4,
        "confidence": "assumed",
        "is_clear": size > 0.004,
        "p": 0.001,
        "p_adjusted": 0.002,
    }
    return {**told, "headline": effect_row(difference), **changes}


CONCLUSIONS = [
    {
        "sentence": "tactician wins more often than rusher",
        "verdict": "stands whatever they are (20 variations, 8 joint draws)",
        "stands": True,
    },
    {
        "sentence": "the first seat wins more than its fair share",
        "verdict": "overturned by turn.draw = 3 (20 variations, 8 joint draws)",
        "stands": False,
    },
]
NO_CASES = {"stands": 20, "open": 0, "reversed": 0}
LOOKS = {"single": NO_CASES, "joint": NO_CASES, "level": 0.999, "open_under": [], "overturned_by": []}
REST = {
    "kind": "duel",
    "names": [],
    "at_baseline": "stands",
    "too_few_games": False,
    "baseline": INFLUENCE["difference"],
    **LOOKS,
}
JOINT = {"draws": 8, "min": 0.5, "q5": 0.51, "q50": 0.62, "q95": 0.7, "max": 0.71}


def folder_with(path, **changes):
    """A sweep of another game, with a small hand-made sensitivity document."""
    document = sensitivity(
        game="keep",
        influences=[influence(number) for number in range(1, 21)],
        conclusions=[{**REST, **conclusion} for conclusion in CONCLUSIONS],
        joint=JOINT,
        **changes,
    )
    sweep = folder_of(path)
    (path / "sensitivity.json").write_text(json.dumps(document))
    return sweep


def test_a_report_shows_the_guesses_and_quotes_the_largest(tmp_path):
    sweep = folder_with(tmp_path / "s")
    page, text = read(sweep, tmp_path / "r.html"), read(sweep, tmp_path / "r.md")
    document = json.loads(read(sweep, tmp_path / "r.json"))
    assert "<h2>Effect of single assumptions on the result</h2>" in page
    assert "The 15 most influential changes" in page and "The tables contain 5 more" in page
    assert (
        "Kind 1 card, Count 3 → 4&#34; changes the win rate of tactician against rusher by 5.0 percentage points"
        in page
    )
    assert (
        "If all of them are drawn at once, the median is 62.0\u00a0% and 90\u00a0% of draws are between 51.0 and 70.0\u00a0%."
        in page
    )
    for said in (
        "Tactician wins more often than rusher: stands whatever they are",
        "The first seat wins more than its fair share: overturned by turn.draw = 3",
    ):
        assert said in page and f"- {said}" in text
    assert text.count(" card, Count (card.kind_") == 20
    assert document["banner"]["influence"]["path"] == "card.kind_1.count" and document["sensitivity"]["joint"] == JOINT


@pytest.mark.parametrize("other", [{"scenario_hash": "ffffffffffffffff"}, {"behaviour": 99}])
def test_one_of_other_numbers_is_shown_as_such_and_not_quoted(tmp_path, other):
    sweep = folder_with(tmp_path / "s", **other)
    page = read(sweep, tmp_path / "r.html")
    assert "These numbers or rules differ from those of the games above" in page
    assert "Not measured yet." in page and "<code>bartizan sensitivity keep " in page


def test_any_game_may_have_one(tmp_path):
    sweep = make_sweep(tmp_path / "s", [(solo_cell(), records())])
    (tmp_path / "s" / "sensitivity.json").write_text(
        json.dumps(sensitivity(game="keep", influences=[influence(1, confidence="rulebook")]))
    )
    page = read(sweep, tmp_path / "r.html")
    assert "Effect of single numbers on the result" in page and 'class="banner"' not in page


def test_one_of_another_game_is_refused(tmp_path):
    sweep = folder_with(tmp_path / "s")
    (tmp_path / "s" / "sensitivity.json").write_text(json.dumps(sensitivity(game="castle")))
    with pytest.raises(EngineError, match="another game"):
        read(sweep, tmp_path / "r.html")


def test_one_line_names_an_assumption_and_counts_the_others():
    game, document = load_game("itter"), {"scenario": "published", "difficulty": "elite"}
    for lines, said in (
        (["One"], "One;"),
        (["One", "Two"], "One (and 1 more);"),
        (["One", "Two", "3"], "One (and 2 more);"),
    ):
        (line,) = assumed_lines(game, {**document, "assumptions": lines}, lines)
        assert line.startswith(f"  assumed  {said} full list: bartizan describe itter ")
