"""What differs from the published game: found in the data, and said in words that tell whose value it is."""

from types import SimpleNamespace

import pytest

from bartizan.assistant.replies import quoted
from bartizan.reports.text import changes as words
from bartizan.reports.views import interactions, people_skill
from bartizan.simcore.game import load_game
from bartizan.simcore.play.cycles import Cycle
from bartizan.simcore.scenario.changes import changes_of, common
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.scenario.parameters import called, item, suffixes
from tests.cli.run_cli import PIG, RUIN


def of(game, **sets):
    it = load_game(game)
    return changes_of(it, load_scenario(it, sets=sets))


def in_words(game, **sets):
    return [words.said(row) for row in of(game, **sets)]


@pytest.mark.parametrize("game", ["itter", "colditz", "castle", "rampage", PIG, RUIN])
def test_a_game_as_shipped_is_not_changed_and_every_value_has_a_name_of_its_own(game):
    it = load_game(game)
    scenario = load_scenario(it)
    assert changes_of(it, scenario) == []
    names = [knob.what for knob in scenario.parameters()]
    assert len(set(names)) == len(names) and all(names)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("ss_counter.sturm.defence", "Assault counter, Defence"),
        ("ss_counter.scout.defence", "Scout counter, Defence"),
        ("rulings.focus_fire", "Ruling focus fire"),
        ("turn.defender_actions", "Turn, Defender actions"),
        ("circle.7.next", "Circle 7, Next"),
        ("defender.rifleman2.attack", "Rifleman2 defender, Attack"),
        ("tactics_card.barrage.effects", "Barrage tactics card, Effects"),
        ("ss_card.deck1_scout.copies", "Deck1 scout SS card, Copies"),
        ("difficulty", "Difficulty"),
    ],
)
def test_a_path_in_words(path, said):
    assert called(path, load_scenario(load_game("itter")).data) == said


def test_without_the_data_the_keys_must_do():
    assert (called("card.axe_man.count"), item("card.ballista")) == ("Axe man card, Count", "Ballista card")


def test_two_values_with_one_last_name_are_told_apart_in_the_order_they_were_named():
    sets = {"ss_counter.sturm.defence": "3", "ss_counter.scout.defence": "2"}
    assert in_words("itter", **sets) == ["Assault counter, Defence 5 -> 3", "Scout counter, Defence 4 -> 2"]
    assert suffixes(list(sets)) == {
        "ss_counter.sturm.defence": "sturm.defence",
        "ss_counter.scout.defence": "scout.defence",
    }
    assert suffixes(["turn.defender_actions", "rulings.focus_fire"]) == {
        "turn.defender_actions": "defender_actions",
        "rulings.focus_fire": "focus_fire",
    }
    assert suffixes(["a.b", "a.b"]) == {"a.b": "b"}


def test_a_row_says_path_name_values_and_how_sure_the_published_value_is():
    assert of("itter", **{"rulings.focus_fire": "blank"}) == [
        {
            "path": "rulings.focus_fire",
            "what": "Ruling focus fire",
            "from": "assumed_set",
            "to": "blank",
            "confidence": "assumed",
        }
    ]
    assert in_words("itter", **{"rulings.focus_fire": "blank"}) == ["Ruling focus fire: assumed set -> blank"]


def test_the_published_value_is_no_change_and_neither_are_the_level_and_the_number_of_players():
    assert of("itter", **{"turn.defender_actions": "5"}) == [] and of("castle", **{"players.count": "4"}) == []
    it = load_game("itter")
    assert changes_of(it, load_scenario(it, difficulty="elite")) == []
    assert changes_of(it, load_scenario(it, "competitive")) == []  # has a title of its own


def test_a_value_is_said_as_the_game_says_it():
    assert in_words(PIG, **{"goal.points": "50"}) == ["a goal of 100 points -> a goal of 50 points"]
    (row,) = of(PIG, **{"goal.points": "50"})
    assert words.instead(row) == "a goal of 50 points instead of a goal of 100 points"
    assert in_words("castle", **{"advanced.berserker": "true"}) == ["Advanced, Berserker: off -> on"]


def test_what_a_reading_brings_with_it_is_said_by_the_reading():
    it = load_game("itter")
    patched = [(key, reading) for key, ruling in load_scenario(it).model.ruling.items() for reading in ruling.patch]
    for key, reading in patched[:3]:
        rows = changes_of(it, load_scenario(it, sets={f"rulings.{key}": reading}))
        assert [row["path"] for row in rows] == [f"rulings.{key}"]


def test_a_deck_of_the_user_s_own_is_held_against_the_one_it_extends(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'extends = "assumed-v1"\nname = "mine"\n[card.giant]\nattack = 8\n[card.ballista]\nname = "Ballista"\ncount = 1\ngate = 1\ncastle = 2\nattack = 7\n'
    )
    it = load_game("rampage")
    rows = changes_of(it, load_scenario(it, str(file), sets={"turn.draw": "3"}))
    assert [words.said(row) for row in rows] == [
        "Turn, Draw 2 -> 3",
        "Giant card, Attack 6 -> 8",
        "Ballista card added",
    ]
    assert rows[2]["path"] == "card.ballista" and rows[2]["from"] is None and rows[2]["to"]["attack"] == 7
    file.write_text('extends = "assumed-v1"\nname = "mine"\n')
    assert changes_of(it, load_scenario(it, str(file))) == []


def test_a_value_set_back_is_no_change(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('extends = "standard"\nname = "mine"\n[bets]\nstart = 12\n')
    it = load_game(RUIN)
    assert [row["to"] for row in changes_of(it, load_scenario(it, str(file)))] == [12]
    assert changes_of(it, load_scenario(it, str(file), sets={"bets.start": "10"})) == []


# ---------------------------------------------------------------- words


def row(what, was, now, **more):
    return {"path": what, "what": what, "from": was, "to": now, "confidence": "rulebook", **more}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (4, "4"),
        (True, "on"),
        ("not_playable", "not playable"),
        ([], "none"),
        ([{"op": "discard", "n": 2}, {"n": 1, "op": "draw"}], "discard 2; draw 1"),
        ({"scout": 4}, "scout 4"),
        ({"scout": True, "spy": 2}, "scout on, spy 2"),
    ],
)
def test_a_value_in_words(value, said):
    assert words.value(value) == said


def test_a_title_names_the_first_and_counts_the_rest():
    many = [row(name, 1, 2) for name in "ABCDE"]
    assert words.title("Keep", many, "elite") == "Keep, elite, changed: A 1 -> 2; B 1 -> 2; C 1 -> 2 and 2 more changes"
    assert words.title("Keep", [], "elite") == "Keep, elite" and words.lines(many[:3]) == []
    assert len(words.lines(many)) == 5
    assert words.with_these(many[:1]) == "With A 2 instead of 1" and words.with_these([]) == ""
    assert words.with_these(many[:4]).endswith("; C 2 instead of 1 and 1 more change")


def test_one_more_is_singular():
    plays = SimpleNamespace(
        sources=dict.fromkeys("abcdef", 2), edition=None, without_edition=None, made_up=False, of_changed=""
    )
    assert people_skill.PlaysDocument.source_lines.fget(plays)[0].endswith("e 2 and 1 more file")
    pairs = SimpleNamespace(clear_pairs=range(interactions.NAMED + 1), pairs=range(interactions.NAMED + 1))
    assert list(interactions._other_pairs(pairs)) == ["1 more pair has significant interactions (--json)."]
    assert Cycle(0, 1, 3, ("wait",) * 9, ()).words().endswith("wait, and 1 more decision")
    assert quoted(["line"] * 41, False, 1000).endswith("\n… 1 more line in the text resource")


def test_what_all_games_share_and_what_only_some_have():
    one, two, three = row("A", 1, 2), row("B", 5, 4), row("B", 5, 6)
    cells = [[one, two], [one], [one, three]]
    assert common(cells) == [one] and common([]) == []
    assert words.varied(cells, common(cells)) == ["B: 4 and 6 instead of 5"]
    assert words.varied([[two], [one]], [], ["A", "B"]) == ["A 1 -> 2", "B 5 -> 4"]
