"""Page 1: the picture that answers, the change that moves it most and its cost in print, what it cannot know."""

import json

import pytest

from bartizan.analyses.statistics.intervals import mean_of
from bartizan.reports import write_report
from bartizan.reports.blocks import VALIDITY_HEADING, Answers, View
from bartizan.reports.pages import sweep as of_sweep
from bartizan.reports.pages.parts import lengths
from bartizan.reports.pages.parts.certainty import HOW_SURE
from bartizan.reports.pages.parts.frame import BACKGROUND
from bartizan.reports.pages.parts.front import GUESS, MOVES, NOTHING_CLEAR, OPEN_WHICH, UNJUDGED, UNKNOWN
from bartizan.reports.study import study
from bartizan.reports.text import differences, printed, words
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import ROOT
from tests.sweeps import effect_row, make_sweep, open_sweep, records, solo_cell

SENSITIVITY = {
    "schema": "bartizan.sensitivity/1",
    "game": "keep",
    "title": "Keep",
    "scenario": "standard",
    "behaviour": 1,
    "scenario_hash": "0123456789abcdef",
    "policies": ["garrison"],
    "games": 2000,
    "seed": 1,
    "method": "on common luck",
    "conclusions": [],
}


def influence(path, is_clear=True, confidence="rulebook"):
    difference = {"estimate": 0.09, "low": 0.07, "high": 0.11, "level": 0.95, "method": "Student t"}
    return {
        "path": path,
        "what": "Ogre card, Attack",
        "confidence": confidence,
        "from": 3,
        "to": 4,
        "headline": effect_row(difference),
        "is_clear": is_clear,
        "p": 0.01,
        "p_adjusted": 0.02,
    }


TUNE = "`bartizan tune keep --target win_rate=0.3`"


def front_on(page):
    """What stands below the picture that answers: heading -> paragraph."""
    (answers,) = (block for block in page.parts[0].blocks if isinstance(block, Answers))
    return {one.heading: one for one in answers.paragraphs}


def front_of(root, influences=None, **changes):
    sweep = make_sweep(root, [(solo_cell(**changes), records(games=400))])
    if influences is not None:
        (root / "sensitivity.json").write_text(json.dumps({**SENSITIVITY, "influences": influences}))
    return front_on(of_sweep.page(study(open_sweep(root)))), sweep


def test_it_stands_alone(tmp_path):
    front, sweep = front_of(tmp_path / "s")
    assert list(front) == [MOVES, HOW_SURE, UNKNOWN]
    page = of_sweep.page(study(sweep))
    assert page.chart.title.startswith("The policy garrison wins ")
    assert [track.label for track in page.chart.tracks] == ["Novice"]
    assert page.part("Difficulty by skill").findings[0].startswith("No bracket has been measured")
    assert "People may do better or worse than these policies." in front[HOW_SURE].text
    assert front[HOW_SURE].answer.startswith("Each win rate of the games on this page is accurate to ")
    assert "3 of the 13 numbers and readings of the game are assumptions" in front[HOW_SURE].text
    (verdict,) = page.part("In words").blocks
    assert HOW_SURE not in [one.heading for one in verdict.paragraphs]  # it stands once


def test_the_assumptions_are_counted_once_and_all_that_are_counted_are_listed(tmp_path):
    """Two cells with other assumptions: all counts, and the list, are those of the cell with the most."""
    names = ["Goal", "Ogre card, Attack", "Ogre card, Cost"]
    few = {"assumed": 2, "assumed_values": names[1:], "confidence": {"rulebook": 10, "assumed": 2, "changed": 1}}
    cells = solo_cell(**few), solo_cell(id="veteran.garrison", difficulty="veteran", assumed_values=names)
    for count, chosen in ((2, cells[:1]), (3, cells)):
        make_sweep(tmp_path / str(count), [(cell, records(games=400, seed=at)) for at, cell in enumerate(chosen)])
        page = of_sweep.page(study(open_sweep(tmp_path / str(count))))
        changed = ", and 1 was changed by the user" if count == 2 else ""
        said = f"{count} of the 13 numbers and readings of the game are assumptions{changed}. The assumptions are "
        assert f"{said}listed below." in front_on(page)[HOW_SURE].text
        parts = {view.title: view.blocks[0] for view in page.part(BACKGROUND).blocks if isinstance(view, View)}
        assert parts[f"{count} assumed values"].lines == (*["Goal"] * (count == 3), "Ogre card: Attack, Cost")
        (data,) = [line for line in parts[VALIDITY_HEADING].lines if line.startswith("Data: ")]
        assert data.startswith(f"Data: {count} of 13 ") and data.endswith(f"%){changed}.")


@pytest.mark.parametrize("game", ["itter", "rampage", "castle", "colditz", "examples/short/orchard.py"])
def test_each_assumed_value_has_a_name(game):
    scenario = load_scenario(load_game(str(ROOT / game) if game.endswith(".py") else game))
    assert len(scenario.assumed_values) == scenario.assumed > 0 and all(scenario.assumed_values)


def test_numbers_of_two_cells_are_those_of_their_games(tmp_path):
    """The precision is that of the cell with fewer games; decisions are not turns."""
    frames = records(games=400), records(games=100, seed=2)
    cells = solo_cell(), solo_cell(id="veteran.garrison", difficulty="veteran")
    make_sweep(tmp_path / "s", list(zip(cells, frames, strict=True)))
    found = study(open_sweep(tmp_path / "s"))
    widest = found.findings[1].wins.first.win
    assert f" accurate to ±{differences.half_width(widest)} or better" in front_on(of_sweep.page(found))[HOW_SURE].text
    (table,) = lengths.Lengths().tables(found)
    decisions = [row[table.headers.index("Decisions, mean")].text for row in table.rows]
    assert decisions == [words.mean(mean_of(frame["plies"]))[0] for frame in frames]


def test_commands_are_about_the_values_that_were_simulated(tmp_path):
    front, _ = front_of(tmp_path / "s", set={"ogre.attack": 4})
    assert "`bartizan sensitivity keep --set ogre.attack=4 -o DIR`" in front[MOVES].text
    assert "`bartizan tune keep --set ogre.attack=4 --target" in front[MOVES].text


def test_what_was_not_asked_is_said_with_the_command(tmp_path):
    front, _ = front_of(tmp_path / "s")
    text = front[MOVES].text
    assert text.startswith("Not measured yet. ") and "`bartizan sensitivity keep -o DIR`" in text


def test_the_change_that_moves_it_most_and_its_cost(tmp_path):
    front, _ = front_of(tmp_path / "s", [influence("card.ogre.attack"), influence("turn.draw")])
    said = front[MOVES]
    assert (
        said.answer == '"Ogre card, Attack 3 -> 4" changes the win rate of garrison by 9.0 percentage points '
        "(7.0 to 11.0, not adjusted for choosing the largest; 2,000 games)."
    )
    assert said.details == (
        printed.COSTS["card"],
        f"To find the cheapest change that hits a target win rate, run {TUNE}.",
    )


def test_a_change_leads_only_if_its_joint_interval_leaves_out_zero(tmp_path):
    """p adjusted by false discovery can be below 0.05 where the interval for the largest of all holds 0."""
    row = influence("card.ogre.attack")
    row["headline"]["joint"] = {**row["headline"]["difference"], "low": -0.01, "high": 0.19}
    for others in ([], [influence("turn.draw", is_clear=False)]):
        front, _ = front_of(tmp_path / str(len(others)), [row, *others])
        assert front[MOVES].answer == OPEN_WHICH


def test_each_level_has_its_lever_the_hardest_first(tmp_path, monkeypatch):
    levels = {"elite": "e" * 16, "novice": "0" * 16}  # as files are found, not as they are played
    shipped = [
        {**SENSITIVITY, "difficulty": level, "scenario_hash": of, "influences": [influence("card.ogre.attack")]}
        for level, of in levels.items()
    ]
    monkeypatch.setattr("bartizan.reports.study.shipped_sensitivities", lambda named: shipped)
    cells = [
        (solo_cell(id=level, difficulty=level, scenario_hash=levels[level]), records(games=400))
        for level in ("novice", "elite")
    ]
    front = front_on(of_sweep.page(study(make_sweep(tmp_path / "s", cells))))
    said = front[MOVES]
    assert " at Elite by 9.0" in said.answer and said.details[0] == printed.COSTS["card"]  # of the hardest
    assert said.details[1].startswith("At Novice: Ogre card, Attack 3 -> 4, by 9.0")


def test_a_level_at_which_nothing_is_clear_does_not_stand_before_one_at_which_something_is(tmp_path, monkeypatch):
    levels = {"novice": "0" * 16, "elite": "e" * 16}
    shipped = [
        {
            **SENSITIVITY,
            "difficulty": level,
            "scenario_hash": of,
            "influences": [influence("card.ogre.attack", is_clear=level == "novice")],
        }
        for level, of in levels.items()
    ]
    monkeypatch.setattr("bartizan.reports.study.shipped_sensitivities", lambda named: shipped)
    cells = [
        (solo_cell(id=level, difficulty=level, scenario_hash=of), records(games=400)) for level, of in levels.items()
    ]
    front = front_on(of_sweep.page(study(make_sweep(tmp_path / "s", cells))))
    said = front[MOVES]
    assert said.answer.startswith('"Ogre card, Attack 3 -> 4" changes the win rate of garrison at Novice by 9.0')
    assert "significant" not in said.text


def test_too_hard_needs_to_know_what_was_wanted(tmp_path):
    front, _ = front_of(tmp_path / "s")
    assert front[UNKNOWN].answer == UNJUDGED


def test_a_guess_is_called_one(tmp_path):
    front, _ = front_of(tmp_path / "s", [influence("card.ogre.attack", confidence="assumed")])
    assert front[MOVES].details[1] == GUESS


def test_none_is_made_of_nothing(tmp_path):
    front, _ = front_of(tmp_path / "s", [influence("card.ogre.attack", is_clear=False)])
    assert front[MOVES].answer == NOTHING_CLEAR


def test_that_of_other_numbers_is_not_asked(tmp_path):
    front, _ = front_of(tmp_path / "s", [influence("card.ogre.attack")], scenario_hash="another")
    assert front[MOVES].answer == "Not measured yet."


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("ss_counter.sturm.defence", "counter"),
        ("tactics_card.barrage.effects", "card"),
        ("circle.7.next", "board"),
        ("rulings.focus_fire", "rules"),
        ("opportunity.forged_pass.count", "card"),
        ("do_or_die.x3.throws", "card"),
        ("turn.defender_actions", ""),
        ("die_table.green.die", ""),
    ],
)
def test_where_a_value_is_printed(path, part):
    assert printed.part_of(path) == part
    assert printed.cost({"path": path}) == printed.COSTS.get(part, printed.UNKNOWN)


@pytest.mark.parametrize("path", ["difficulty", "policy", "scenario"])
def test_a_choice_prints_nothing_of_its_own(path):
    assert printed.cost({"path": path}) == printed.CHOICES[path]


def test_the_page_shows_it_first(tmp_path):
    _, sweep = front_of(tmp_path / "s")
    page = write_report(sweep, tmp_path / "r.html").read_text(encoding="utf-8")
    assert 0 < page.index('id="answer"') < page.index(MOVES) < page.index("<summary>In words")
