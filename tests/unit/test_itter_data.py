"""The data of Castle Itter: the arithmetic of simcore/itter/CHECKS.md, and that a scenario that breaks it is refused with file and key."""

from fractions import Fraction
from pathlib import Path

import pytest

from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.game import load_game
from bartizan.simcore.itter.components import READINGS
from bartizan.simcore.itter.engine import tier_levels
from bartizan.simcore.scenario.loading import load_scenario, shipped_name
from bartizan.simcore.scenario.model import data_origins, data_records

GAME = load_game("itter")
M = load_scenario(GAME).model


def faces(card: str) -> list[str]:
    return M.target_table[card].die


def test_people():  # A1-A5, A7
    assert len(M.defender) == 28
    assert [d.start for d in M.defender.values()].count("reserve") == 20 == 4 * M.turn.defender_actions
    assert [key for key, d in M.defender.items() if d.start == "cellar"] == [
        "clemenceau",
        "gamelin",
        "delarocque",
        "reynaud",
        "borotra",
    ]
    assert M.inventory["command_tokens"].count == M.attribute_counts.C * M.command.recovers
    assert sorted((medal.min for medal in M.medal.values()), reverse=True) == [40, 30, 20, 10, 1, -999]


def test_greatest_score():  # A6
    s = M.score
    french = sum(d.nation == "FRA" for d in M.defender.values())
    others = len(M.defender) - french
    best = (
        (french - 1) * s.french_outside_cellar.points
        + others * s.other_on_board.points
        + s.borotra_escaped.points
        + s.tank_lost_empty.points
    )
    assert best == 45 >= max(medal.min for medal in M.medal.values())


def test_positions():  # B1-B3, B5-B7
    per_location = {key: sum(p.location == key for p in M.position.values()) for key in M.location}
    assert per_location == {"NT": 4, "ST": 4, "K": 4, "GH": 4, "G": 4, "BJ": 4, "C": 5}
    assert (
        sum(bool(location.defence_track) for location in M.location.values())
        == M.inventory["defence_value_counters"].count
    )
    assert [key for key, p in M.position.items() if p.crew] == ["G4", "BJ1", "BJ2", "BJ3", "BJ4"]
    assert sum(len(p.colours) == 2 for p in M.position.values()) == 8
    assert sum(not p.crew and p.location != "C" for p in M.position.values()) == 19
    assert sum(bool(p.numbers) for p in M.position.values()) <= M.inventory["disrupt_tokens"].count


def test_colours_by_two_dice():  # C4-C6
    ways = {area: 6 - abs(7 - area) for area in range(2, 13)}
    weight = {}
    for key, circle in M.circle.items():
        if circle.kind == "placement":
            weight[circle.colour] = weight.get(circle.colour, 0) + ways[int(key)]
    assert weight == {"green": 4, "red": 5, "purple": 9, "black": 18}
    assert set(weight) == {key for key, colour in M.colour.items() if colour.suppression_square}


def test_decks():  # D1-D5
    assert M.ss_deck.sizes == [12, 18, 18, 12]
    assert [size // 3 for size in M.ss_deck.sizes] == [4, 6, 6, 4] and sum(M.ss_deck.sizes) == 60
    assert sum(M.ss_deck.sizes) + M.competitive_card.copies == 61 == 4 + 19 * 3
    assert load_scenario(GAME, sets={"rulings.flak30_split": "head"}).model.ss_deck.sizes == [12, 19, 17, 12]


def test_counters():  # E1, E2, E4
    placed = {
        kind: sum(c.copies * c.value for c in M.ss_card.values() if c.category == "place" and c.kind == kind)
        for kind in M.ss_counter
    }
    assert placed == {"rifleman": 25, "scout": 10, "sturm": 12, "machine_gunner": 5, "mortar": 5}
    greatest_start = {kind: max(mode.start.get(kind, 0) for mode in M.mode.values()) for kind in M.ss_counter}
    assert sum(placed.values()) + sum(greatest_start.values()) == 77 == M.inventory["ss_counters"].count
    assert {kind: placed[kind] + greatest_start[kind] for kind in placed} == {
        kind: c.count for kind, c in M.ss_counter.items()
    }
    assert placed["sturm"] + M.competitive_card.value <= M.ss_counter["sturm"].count


def test_expected_location_attacks():  # E5, E8
    expected = dict.fromkeys(("K", "NT", "ST", "GH", "BJ", "G"), Fraction(0))
    for card in M.ss_card.values():
        if card.category == "attack_location":
            for name in faces(card.table):
                expected[name] += Fraction(card.copies, 6)
    assert {key: round(float(value), 2) for key, value in expected.items()} == {
        "K": 2.67,
        "NT": 2.0,
        "ST": 2.0,
        "GH": 1.83,
        "BJ": 5.0,
        "G": 1.5,
    }
    categories = [card.category for card in M.ss_card.values() for _ in range(card.copies)]
    assert {c: categories.count(c) for c in set(categories)} == {
        "place": 35,
        "attack_location": 15,
        "disrupt": 7,
        "attack_defender": 2,
        "special": 1,
    }


def test_escape_numbers_fit_what_can_remain():  # F1, F2
    ends = [sum(M.ss_deck.sizes[: k + 1]) for k in range(4)]
    for turn in range(9, 21):
        discarded = 3 * (turn - 1)
        deck = next(k for k in range(4) if discarded <= ends[k])
        short = 60 - discarded < M.regiment_card.last_cards[deck - 1]  # a line each for decks 2, 3, 4
        assert short == (turn == 20)
    assert next(k + 1 for k in range(4) if 24 <= ends[k]) == 2


def test_tactics():  # G1-G5
    assert M.tactics.deck_sizes == [8, 9, 9, 7] and sum(M.tactics.deck_sizes) == 33
    assert {key: mode.tactics_left for key, mode in M.mode.items()} == {
        "novice": 0,
        "veteran": 20,
        "elite": 21,
        "competitive": 22,
    }
    assert [key for key, card in M.tactics_card.items() if card.confidence == "rulebook"] == ["barrage"]


def test_provenance():  # H1-H3
    records = dict(data_records(M))
    assert len(records) > 280
    for path, datum in records.items():
        assert datum.source, path
        if datum.confidence in ("inferred", "assumed") and path != "attribute_counts":
            assert datum.why, f"{path}: {datum.confidence} without a reason"
    assert len(M.ruling) == 66 and all(len(ruling.readings) > 1 for ruling in M.ruling.values())
    of_v02 = {65, 66, 67, 68, 69, 70}  # rulings of the playtest version
    assert [ruling.id for ruling in M.ruling.values()] == [f"R-{n:02d}" for n in range(1, 73) if n not in of_v02]
    assert {key: M.rulings[key] for key in M.ruling} == {key: ruling.readings[0] for key, ruling in M.ruling.items()}, (
        "the first reading is the default"
    )


def test_what_is_not_stated_does_not_claim_to_be():
    """Values and readings that no text states are inferred or assumed, though their record is of the rulebook."""
    said = {path: origin.confidence for path, origin in data_origins(M)}
    assert {
        said[path]
        for path in ("turn.die_sides", "turn.turns_without_142nd", "attribute_counts.C", "ruling.tokens_persist")
    } == {"inferred"}
    assert {
        said[path] for path in ("mode.competitive.start", "mode.competitive.random_start", "ruling.competitive_deck_1")
    } == {"assumed"}
    assert M.target_table["panzerfaust"].source.startswith("R 4.2")
    guesses = {knob.path for knob in load_scenario(GAME).parameters() if knob.is_guess}
    assert {
        "rulings.tokens_persist",
        "rulings.load_exhausts",
        "rulings.command_in_deployment",
        "rulings.token_cap",
        "mode.competitive.start",
    } <= guesses
    assert (
        not {"rulings.may_pass", "rulings.noncrew_on_crew_position", "ss_card.deck2_sniper.value", "turn.die_sides"}
        & guesses
    )
    assert any("tokens_persist = kept (R-16)" in line for line in M.assumptions())
    cleared = load_scenario(GAME, sets={"rulings.tokens_persist": "cleared"}).model
    assert any("tokens_persist = cleared (R-16)" in line for line in cleared.assumptions())


def test_a_scenario_names_its_own_rules():
    assert "Italian translation" in GAME.rules_of(load_scenario(GAME))
    assert GAME.rules_of(load_scenario(GAME, "playtest-v0.2")).startswith("rulebook v0.2 of April 2016")


@pytest.mark.rule("5.0")
def test_levels_of_victory():
    levels = {medal.min: medal.level for medal in M.medal.values()}
    assert levels == {
        40: "epic victory",
        30: "major victory",
        20: "major victory",
        10: "minor victory",
        1: "minor victory",
        -999: "draw",
    }
    assert tier_levels(load_scenario(GAME)) == {medal.name: medal.level for medal in M.medal.values()}
    assert tier_levels(load_scenario(GAME, "playtest-v0.2")) == {}


def test_every_reading_that_is_no_patch_has_a_name_in_the_rules():
    patched = {key for key, ruling in M.ruling.items() if ruling.patch}
    assert set(READINGS) - READINGS.elsewhere == set(M.ruling) - patched
    assert not READINGS.elsewhere & set(M.ruling), "rulings of v0.2 alone"
    v02 = load_scenario(GAME, "playtest-v0.2").model.ruling
    assert set(READINGS) == {key for key, ruling in v02.items() if not ruling.patch}


def test_exact_dice():
    """The rulebook's odds: n dice against 6, 5, 4 (end of RULES.md)."""
    odds = {(n, v): 1 - Fraction(v - 1, 6) ** n for n in (2, 3, 4, 5) for v in (4, 5, 6)}
    assert odds[2, 6] == Fraction(11, 36) and odds[3, 5] == Fraction(152, 216)
    assert odds[4, 4] == Fraction(1215, 1296) and odds[5, 6] == Fraction(4651, 7776)


REFUSED = [
    ({"ss_counter.rifleman.defense": "4"}, "ss_counter.rifleman.defense", 'did you mean "defence"'),
    ({"ss_counter.rifleman.defence": "7"}, "ss_counter.rifleman.defence", "less than or equal to 6"),
    ({"ss_counter.rifleman.defence": "hard"}, "ss_counter.rifleman.defence", "integer"),
    ({"breach_ends_game": "2"}, "breach_ends_game", "boolean"),
    ({"rulings.load_exhausts": "maybe"}, "rulings.load_exhausts", "yes, no"),
    ({"rulings.load_exhaust": "no"}, "rulings.load_exhaust", 'did you mean "load_exhausts"'),
    ({"difficulty": "veteren"}, "difficulty", 'did you mean "veteran"'),
    ({"difficulty": "competitive"}, "difficulty", "elite"),
    ({"circle.25.next": "22"}, "circle.22.next", "cycle"),
    ({"circle.25.next": "39"}, "circle.25.next", "no circle 39"),
    ({"ss_card.deck1_scout.copies": "4"}, "ss_deck.sizes", "[13, 18, 18, 12]"),
    ({"ss_counter.mortar.count": "6"}, "inventory.ss_counters.count", "78"),
    ({"mode.elite.tactics_removed": "[3, 3, 3, 2]"}, "mode.elite.tactics_left", "22"),
    ({"die_table.green.die": '["GH1", "ST2", "K3", "ST4", "ST5", "ST6"]'}, "die_table.green.die", "does not see green"),
    ({"mode.novice.start": "{ rifleman = 10 }"}, "mode.novice.start", "10 counters, but 11"),
    ({"mode.novice.start": "{ riflemen = 11 }"}, "mode.novice.start", "riflemen"),
    ({"position.G4.location": "Gate"}, "position.G4.location", "Gate"),
    ({"location.K.defence_track": "[6, 6, 4]"}, "location.K.defence_track", "decrease"),
    ({"ss_card.deck1_flak37.table": "flak38"}, "ss_card.deck1_flak37.table", "flak38"),
    ({"defender.basse.attributes": '["T"]'}, "attribute_counts.C", "3 defenders"),
    ({"ruling.may_pass.readings": "[]"}, "ruling.may_pass.readings", "ruling"),
]


@pytest.mark.parametrize(
    ("sets", "key", "says"), REFUSED, ids=[next(iter(sets)) + "=" + next(iter(sets.values())) for sets, _, _ in REFUSED]
)
def test_what_does_not_add_up_is_refused(sets, key, says):
    with pytest.raises(ScenarioError) as refusal:
        load_scenario(GAME, sets=sets)
    line = str(refusal.value)
    assert "\n" not in line and "published.toml" in line
    assert key in line and says in line


def test_a_file_of_your_own_extends_a_scenario(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text(
        'extends = "published"\nname = "house"\n[ss_counter.rifleman]\ndefence = 4\nconfidence = "assumed"\nwhy = "house rule"\n'
    )
    scenario = load_scenario(GAME, str(house))
    assert scenario.name == "house" and scenario.model.ss_counter["rifleman"].defence == 4
    assert scenario.model.ss_counter["rifleman"].count == 36
    assert scenario.hash != load_scenario(GAME).hash


def test_a_file_extends_the_file_beside_it_from_any_folder(tmp_path, monkeypatch):
    """A file of that name in the current folder is another one."""
    text = 'extends = "{}"\nname = "{}"\n[turn]\ndefender_actions = {}\n'
    for folder, actions in (("mine", 6), ("here", 3)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "base.toml").write_text(text.format("published", "base", actions))
    (tmp_path / "mine/house.toml").write_text('extends = "base.toml"\nname = "house"\n')
    monkeypatch.chdir(tmp_path / "here")
    house = str(tmp_path / "mine/house.toml")
    assert load_scenario(GAME, house).model.turn.defender_actions == 6
    assert shipped_name(GAME, Path(house)) == "published"
    (tmp_path / "mine/base.toml").unlink()  # as in earlier versions
    assert load_scenario(GAME, house).model.turn.defender_actions == 3


def test_hash_is_of_what_is_played_not_of_its_sources(tmp_path):
    same = tmp_path / "same.toml"
    same.write_text('extends = "published"\nname = "same"\n[turn]\nsource = "another book"\n')
    assert load_scenario(GAME, str(same)).hash == load_scenario(GAME).hash
    assert len({load_scenario(GAME, difficulty=level).hash for level in ("novice", "veteran", "elite")}) == 3


def test_set_reaches_every_value_that_is_listed_as_a_knob():
    scenario = load_scenario(GAME)
    knobs = scenario.parameters()
    assert len(knobs) > 800
    for knob in knobs[:: max(1, len(knobs) // 60)]:
        again = load_scenario(GAME, sets={knob.path: knob.value})
        assert again.hash == scenario.hash, knob.path


def test_a_card_of_a_category_that_its_kind_has_not_is_refused():
    with pytest.raises(ScenarioError, match="disrupt is not a category of a flak37 card"):
        load_scenario(GAME, sets={"ss_card.deck1_flak37.category": "disrupt"})


def test_a_level_named_twice_is_refused(tmp_path):
    own = tmp_path / "twice.toml"
    own.write_text('extends = "published"\nlevels = ["novice", "novice"]\n')
    with pytest.raises(ScenarioError, match="levels: a level is named twice"):
        load_scenario(GAME, str(own))
