"""The deck of Castle Rampage: what it says of itself, decks of a designer's own, and that what cannot be played is refused with one clear line."""

import hashlib

import numpy as np
import pytest

from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.play.replay import set_up
from bartizan.simcore.rampage.components import ARGUMENTS, Act
from bartizan.simcore.rampage.engine import ENGINE
from bartizan.simcore.rampage.tables import tag
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.scenario.model import data_origins
from tests.rampage_table import GAME, Table

SCENARIO = load_scenario(GAME)
M = SCENARIO.model
TROLL = """
[card.troll]
name = "Troll"
count = 3
gate = 5
castle = 2
attack = 7
cost = [{ op = "discard_unit", unit = "axe", n = 2 }]
on_play = [{ op = "destroy_own_top", n = 1 }]
"""
ORDER = "[setup]\nbatches = 1\nbatch_size = 1\ngate_per_batch = 0\ncastle_per_batch = 1\n"
PURPLE = {"bomber": 4, "saboteur": 4, "spy": 4, "ogre": 4}


def deck_file(folder, text: str):
    path = folder / "mine.toml"
    path.write_text('extends = "assumed-v1"\nname = "mine"\n' + text, encoding="utf-8")
    return str(path)


# ---------------------------------------------------------------- the reconstruction


def test_the_deck_has_118_cards():
    assert M.deck_size() == 118 and len(M.card) == 23
    assert {key: card.count for key, card in M.card.items() if card.purple} == PURPLE
    assert sum(card.count for card in M.card.values() if card.units) == 60, (
        "Axe men, Knights, Archers, Mercenaries, Giants, Veterans"
    )


def test_what_is_known_of_single_cards():
    """RULES.md, end of section 7."""
    c = M.card
    assert (c["dragon"].gate, c["dragon"].castle, c["ogre"].castle, c["ogre"].gate) == (2, 3, 6, 6)
    assert c["axe_man"].attack == 2 and [(e.op, e.n) for e in c["axe_man"].on_play] == [("draw", 1)]
    scheme = c["scheme_knight_archer"]
    assert scheme.attack == 9 and [(e.unit, e.n) for e in scheme.cost] == [("knight", 1), ("archer", 1)]
    assert (scheme.boost.unit, scheme.boost.n, scheme.boost.strength) == ("archer", 1, 14 - 9)
    assert [(e.op, e.n) for e in c["ogre"].place_cost] == [("discard", 2)]
    assert not any(card.place_cost for key, card in c.items() if key != "ogre")
    assert {key for key, card in c.items() if card.on_destroyed_in_attack} == {"bomber", "saboteur", "spy"}
    assert {key for key, card in c.items() if card.on_repelled == "return"} == {"veteran"}
    assert {key: card.target for key, card in c.items() if card.target != "normal"} == {
        "digger": "castle",
        "dragon": "choose",
    }
    assert {key for key, card in c.items() if len(card.units) > 1} == {"giant", "mercenary"}
    assert all(key.startswith("x_") == card.name.startswith("[assumed]") for key, card in c.items()), (
        "made-up cards say so in their names"
    )


def test_every_value_says_where_it_comes_from():
    origins = dict(data_origins(M))
    values = [path for path in origins if path.startswith("card.")]
    assert len(values) == 23 * 14 + 3, "14 values of each kind, the boosts of the schemes"
    for path, origin in origins.items():
        known = all(part.strip() in M.sources for part in origin.source.split(";"))
        assert known or origin.source.startswith("none; A"), f"{path}: {origin.source} is not in [sources]"
        assert origin.why or origin.confidence not in ("inferred", "assumed"), (
            f"{path} is {origin.confidence} and says not why"
        )
    for key, card in M.card.items():
        given = card.model_fields_set - {"source", "confidence", "why", "origins"}
        assert set(card.origins) == given, f"{key}: {given ^ set(card.origins)}"
    assert {key: origins[f"card.{key}.count"].confidence for key in M.card} == dict.fromkeys(M.card, "assumed")


def test_how_much_is_known():
    assert SCENARIO.confidence == {"rulebook": 123, "article": 1, "inferred": 35, "assumed": 195}
    certain = {
        path
        for path, origin in data_origins(M)
        if origin.confidence == "rulebook"
        and path.startswith("card.")
        and path.rpartition(".")[2] in ("attack", "gate", "castle", "boost")
    }
    assert certain == {
        "card.axe_man.attack",
        "card.dragon.gate",
        "card.dragon.castle",
        "card.ogre.castle",
        "card.scheme_knight_archer.attack",
        "card.scheme_knight_archer.boost",
    }


def test_the_reconstruction_is_said():
    assert "RECONSTRUCTION" in M.reconstruction and M.assumptions()[0] == M.reconstruction
    (line,) = M.assumptions()[1:]
    guesses = {
        key: f"{r.id} {key} = {r.readings[0]}"
        for key, r in M.ruling.items()
        if r.confidence == "assumed" and r.impact != "none"
    }
    assert len(guesses) == 8 and all(guess in line for guess in guesses.values())
    assert not any(f"{r.id} {key} " in line for key, r in M.ruling.items() if key not in guesses)
    changed = load_scenario(GAME, sets={"rulings.empty_pile": "no_draw"}).model.assumptions()[1]
    assert "A1 empty_pile = no_draw" in changed, "the readings in force"


# ---------------------------------------------------------------- a deck of one's own


def test_a_number_changed_in_a_file(tmp_path):
    mine = load_scenario(GAME, deck_file(tmp_path, "[card.axe_man]\nattack = 4\n"))
    origin = mine.model.card["axe_man"].origin("attack")
    assert mine.model.card["axe_man"].attack == 4 and mine.model.card["axe_man"].gate == 2
    assert (origin.confidence, origin.source) == ("changed", "mine.toml") and "was 2" in origin.why
    assert "rulebook" in origin.why
    assert mine.confidence == SCENARIO.confidence | {"rulebook": 122, "changed": 1} and mine.hash != SCENARIO.hash


def test_a_number_changed_for_a_run():
    mine = load_scenario(GAME, sets={"card.axe_man.attack": "4"})
    assert mine.model.card["axe_man"].origin("attack").confidence == "changed" and mine.confidence["changed"] == 1
    table = Table(**{"card.axe_man.attack": 4}).gate(1, "ogre").hand(0, "axe_man").use("axe_man")
    assert table.strength == 4


def test_an_effect_changed_in_a_file(tmp_path):
    text = '[card.priest]\non_play = [{ op = "draw", n = 2 }, { op = "opp_discard_random", n = 1 }]\n[card.bomber]\non_destroyed_in_attack = []\n'
    mine = load_scenario(GAME, deck_file(tmp_path, text))
    assert [(e.op, e.n) for e in mine.model.card["priest"].on_play] == [("draw", 2), ("opp_discard_random", 1)]
    assert mine.model.card["bomber"].on_destroyed_in_attack == []
    assert {path for path, origin in data_origins(mine.model) if origin.confidence == "changed"} == {
        "card.priest.on_play",
        "card.bomber.on_destroyed_in_attack",
    }
    table = (
        Table(**{"card.priest.on_play": "[{ op = 'draw', n = 2 }, { op = 'opp_discard_random', n = 1 }]"})
        .hand(0, "priest")
        .hand(1, "spy")
        .pile("giant dragon")
        .use("priest")
    )
    assert table.hand_of(0) == "giant dragon" and table.hand_of(1) == ""


def test_a_boost_for_a_card_that_had_none(tmp_path):
    mine = load_scenario(GAME, deck_file(tmp_path, '[card.knight]\nboost = { unit = "axe", n = 1, strength = 2 }\n'))
    assert mine.model.card["knight"].boost.strength == 2
    assert mine.model.card["knight"].origin("boost").confidence == "changed"


def test_a_new_kind(tmp_path):
    mine = load_scenario(GAME, deck_file(tmp_path, TROLL))
    troll = mine.model.card["troll"]
    assert mine.model.deck_size() == 121 and list(mine.model.card)[-1] == "troll"
    assert (troll.confidence, troll.source) == ("changed", "mine.toml")
    assert troll.origin("attack").confidence == "changed"
    assert mine.confidence["changed"] == 7, "the values the file gives"
    assert (troll.purple, troll.target, troll.on_repelled, troll.units) == (False, "normal", "discard", []), (
        "what is not said is the ordinary"
    )
    tables = ENGINE.build_tables(mine)
    assert tables["kinds"][0] == 24 and tables["count"][0].sum() == 121 and tables["attack"][0][23] == 7


def test_a_source_of_ones_own(tmp_path):
    text = '[card.axe_man]\nattack = 3\n[card.axe_man.origins]\nattack = { source = "my copy of the game", confidence = "rulebook" }\n'
    origin = load_scenario(GAME, deck_file(tmp_path, text)).model.card["axe_man"].origin("attack")
    assert (origin.source, origin.confidence) == ("my copy of the game", "rulebook")


def test_sources_and_reasons_change_nothing_in_play(tmp_path):
    path = deck_file(tmp_path, '[card.axe_man]\nwhy = "another reason"\n')
    assert load_scenario(GAME, path).hash == SCENARIO.hash


# ---------------------------------------------------------------- the shuffle


def shuffled(scenario, seed: int = 5) -> list[str]:
    """All cards in the order of the first shuffle. The scenario deals each player one card, and no card is purple."""
    names, tables = list(scenario.model.card), as_records(ENGINE.build_tables(scenario))[0]
    state = set_up(ENGINE, new_states(ENGINE), tables, seed, 0)
    first = [k for p in range(2) for k in np.flatnonzero(state.dealt[p])]
    return [names[int(k)] for k in [*first, *state.pile[state.pile_next : state.pile_size]]]


NOT_PURPLE = {f"card.{name}.purple": False for name in PURPLE}


def test_a_card_more_leaves_the_order_of_all_others(tmp_path):
    plain = shuffled(load_scenario(GAME, deck_file(tmp_path, ORDER), sets=NOT_PURPLE))
    more = shuffled(load_scenario(GAME, deck_file(tmp_path, ORDER + TROLL), sets=NOT_PURPLE))
    assert sorted(plain) == sorted(name for name, card in M.card.items() for _ in range(card.count))
    assert more.count("troll") == 3 and [name for name in more if name != "troll"] == plain
    fewer = shuffled(load_scenario(GAME, deck_file(tmp_path, ORDER), sets=NOT_PURPLE | {"card.giant.count": 0}))
    assert [name for name in plain if name != "giant"] == fewer
    copies = shuffled(load_scenario(GAME, deck_file(tmp_path, ORDER), sets=NOT_PURPLE | {"card.giant.count": 9}))
    assert [name for name in copies if name != "giant"] == [name for name in plain if name != "giant"]
    assert copies.count("giant") == 9


def test_the_order_in_the_file_is_of_no_matter(tmp_path):
    path = deck_file(tmp_path, ORDER)
    data = load_scenario(GAME, path, sets=NOT_PURPLE).data["card"]
    turned = load_scenario(GAME, path, sets={"card": dict(reversed(data.items()))})
    assert list(turned.model.card) == list(reversed(M.card))
    assert shuffled(turned) == shuffled(load_scenario(GAME, path, sets=NOT_PURPLE))


def test_a_kind_is_known_by_its_id(tmp_path):
    """PROTOCOL.md 4: the first eight bytes of the SHA-256, whatever else it is or is called."""
    assert tag("knight") == int(hashlib.sha256(b"knight").hexdigest()[:16], 16)
    tables = [
        ENGINE.build_tables(scenario)
        for scenario in (
            SCENARIO,
            load_scenario(GAME, deck_file(tmp_path, '[card.knight]\nname = "Cavalier"\nattack = 9\n')),
        )
    ]
    assert (tables[0]["tag"] == tables[1]["tag"]).all()
    assert [int(t) for t in tables[0]["tag"][0][:23]] == [tag(key) for key in M.card]
    assert len({tag(key) for key in M.card}) == 23


# ---------------------------------------------------------------- refused with one line


def line_of(error) -> str:
    text = str(error.value)
    assert "\n" not in text and ".toml: " in text
    return text


SIXTY_ONE = {
    f"k{i}": {"name": "one of many", "count": 1, "gate": 1, "castle": 1, "source": "made up", "confidence": "assumed"}
    for i in range(61)
}


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        # 7: what no card can do, and where what it can do belongs
        (
            {"card.axe_man.on_play": "[{ op = 'drow', n = 1 }]"},
            ["card.axe_man.on_play", '"drow"', 'did you mean "draw"?'],
        ),
        (
            {"card.axe_man.on_play": "[{ op = 'end_attack' }]"},
            ["card.axe_man.on_play", "belongs in on_destroyed_in_attack"],
        ),
        (
            {"card.spy.on_destroyed_in_attack": "[{ op = 'draw', n = 1 }]"},
            ["card.spy.on_destroyed_in_attack", "belongs in on_play"],
        ),
        ({"card.giant.cost": "[{ op = 'draw', n = 1 }]"}, ["card.giant.cost", "belongs in on_play"]),
        (
            {"card.giant.on_play": "[{ op = 'discard', n = 1 }]"},
            ["card.giant.on_play", "belongs in cost or place_cost"],
        ),
        ({"card.ogre.place_cost": "[{ op = 'discrad', n = 1 }]"}, ["card.ogre.place_cost", 'did you mean "discard"?']),
        (
            {"card.priest.on_play": "[{ op = 'opp_discard_unit_type', n = 2 }]"},
            ["card.priest.on_play", "opp_discard_unit_type has no n"],
        ),
        (
            {"card.bomber.on_destroyed_in_attack": "[{ op = 'end_attack', n = 1 }]"},
            ["card.bomber.on_destroyed_in_attack", "end_attack has no n"],
        ),
        (
            {"card.axe_man.on_play": "[{ op = 'draw', n = 0 }]"},
            ["card.axe_man.on_play.0.n = 0", "greater than or equal to 1"],
        ),
        (
            {"card.axe_man.on_play": "[{ op = 'draw', n = 21 }]"},
            ["card.axe_man.on_play.0.n = 21", "less than or equal to 20"],
        ),
        ({"card.axe_man.on_play": "[{ op = 'draw', times = 2 }]"}, ["card.axe_man.on_play.0.times", "unknown key"]),
        ({"card.axe_man.on_play": "[" + "{ op = 'draw' }, " * 5 + "]"}, ["card.axe_man.on_play", "at most 4"]),
        ({"card.x_banner.permanent": False}, ["card.x_banner.on_play", "perm_attack", "needs permanent = true"]),
        ({"card.x_banner.on_play": "[]"}, ["card.x_banner.permanent", "does nothing"]),
        ({"card.knight.permanent": True}, ["card.knight.permanent", "does nothing"]),
        # 7.1, 7.2: costs and boosts
        ({"card.giant.cost": "[{ op = 'discard' }]"}, ["card.giant.cost.0.n", "missing"]),
        ({"card.giant.cost": "[{ op = 'discard_unit', n = 1 }]"}, ["card.giant.cost", "must name a unit"]),
        (
            {"card.giant.cost": "[{ op = 'discard', unit = 'axe', n = 1 }]"},
            ["card.giant.cost", "discard must not name a unit"],
        ),
        (
            {"card.giant.cost": "[{ op = 'discard_unit', unit = 'knigth', n = 1 }]"},
            ["card.giant", '"knigth" is not a unit', 'did you mean "knight"?'],
        ),
        (
            {"card.giant.units": "['axe', 'horse']"},
            ["card.giant.units", '"horse" is not a unit', "axe, knight, archer"],
        ),
        (
            {"card.scheme_axe_knight.boost": "{ unit = 'mule', n = 1, strength = 5 }"},
            ["card.scheme_axe_knight", '"mule" is not a unit'],
        ),
        (
            {"card.scheme_axe_knight.boost": "{ unit = 'axe', n = 1, strength = 0 }"},
            ["card.scheme_axe_knight.boost.strength = 0"],
        ),
        ({"card.scheme_axe_knight.attack": 0}, ["card.scheme_axe_knight.boost", "this card has none"]),
        (
            {
                "rulings.several_symbols": "yes",
                "card.giant.cost": "[{ op = 'discard', n = 1 }, { op = 'discard_unit', unit = 'axe', n = 1 }]",
            },
            ["card.giant.cost", "several_symbols = yes"],
        ),
        (
            {
                "rulings.several_symbols": "yes",
                "card.ogre.place_cost": "[{ op = 'discard', n = 1 }, { op = 'discard_unit', unit = 'axe', n = 1 }]",
            },
            ["card.ogre.place_cost", "several_symbols = yes"],
        ),
        (
            {"rulings.several_symbols": "yes", "card.scheme_axe_knight.cost": "[{ op = 'discard', n = 1 }]"},
            ["card.scheme_axe_knight", "several_symbols = yes"],
        ),
        # numbers and choices
        ({"card.knight.gate": 21}, ["card.knight.gate = 21", "less than or equal to 20"]),
        ({"card.knight.castle": -1}, ["card.knight.castle = -1", "greater than or equal to 0"]),
        ({"card.knight.attack": 51}, ["card.knight.attack = 51", "less than or equal to 50"]),
        ({"card.knight.attack": "strong"}, ["card.knight.attack", "strong", "integer"]),
        ({"card.knight.count": -1}, ["card.knight.count = -1"]),
        ({"card.knight.target": "tower"}, ["card.knight.target", "tower", "normal"]),
        ({"card.knight.on_repelled": "flee"}, ["card.knight.on_repelled", "flee", "return"]),
        ({"card.knigt.attack": 5}, ['"card.knigt.attack"', 'did you mean "knight"?']),
        ({"units.types": "['axe', 'knight', 'archer', 'axe']"}, ["units.types", "twice"]),
        ({"units.types": "['axe', 'knight', 'archer', 'mule', 'goat']"}, ["units.types", "at most 4"]),
        ({"units.types": "['axe', 'knight']"}, ["card.archer.units", '"archer" is not a unit']),
        ({"limit.turns": 0}, ["limit.turns = 0"]),
        ({"limit.plays": 0}, ["limit.plays = 0"]),
        # room, and a set-up that can be dealt
        ({"card": SIXTY_ONE}, ["card", "61 kinds of cards", "60"]),
        ({"card.knight.count": 147}, ["card", "251 cards", "250"]),
        ({"card.knight.count": 251}, ["card.knight.count = 251"]),
        ({"setup.batch_size": 3}, ["setup.batch_size", "2 + 2 cards of 3"]),
        ({"setup.castle_per_batch": 0}, ["setup.castle_per_batch = 0"]),
        ({"setup.batch_size": 20, "setup.batches": 3}, ["card", "deals 120 cards", "the deck has 102"]),
        (
            {f"card.{name}.purple": True for name in M.card},
            ["card", "deals 20 cards that are not purple", "the deck has 0"],
        ),
        # rulings
        ({"rulings.empty_pile": "panic"}, ["rulings.empty_pile", "panic", "reshuffle, game_ends, no_draw"]),
        ({"rulings.emty_pile": "no_draw"}, ['"rulings.emty_pile"', 'did you mean "empty_pile"?']),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_what_cannot_be_played_is_refused(sets, words):
    with pytest.raises(ScenarioError) as error:
        load_scenario(GAME, sets=sets)
    line = line_of(error)
    for word in words:
        assert word in line, line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[card.gaint]\nattack = 8\n", ["card.gaint.name", "missing", 'did you mean "giant"?']),
        ('[card.troll]\nname = "Troll"\ncount = 1\ncastle = 2\n', ["card.troll.gate", "missing"]),
        (TROLL + "strength = 3\n", ["card.troll.strength", "unknown key"]),
        (TROLL.replace('"axe"', '"troll"'), ["card.troll", '"troll" is not a unit']),
        (TROLL.replace("attack = 7", 'attack = "7"'), ["card.troll.attack", "integer"]),
        (
            TROLL.replace("destroy_own_top", "destroy_own_tops"),
            ["card.troll.on_play", 'did you mean "destroy_own_top"?'],
        ),
        ('[rulings]\nexact_change = "no"\n', ["rulings.exact_change", "no such ruling"]),
        ('[ruling.tied_text]\nreadings = ["works", "not", "maybe"]\n', ["ruling.tied_text.readings", "works"]),
        ("[card.knight\n", ["cannot be read as TOML"]),
    ],
)
def test_a_file_that_cannot_be_played_is_refused(tmp_path, text, words):
    with pytest.raises(ScenarioError) as error:
        load_scenario(GAME, deck_file(tmp_path, text))
    line = line_of(error)
    assert "mine.toml" in line and all(word in line for word in words), line


def test_the_largest_deck_is_played():
    """60 kinds, 250 cards: nothing overflows, and the set-up is dealt."""
    cards = {
        key: card | {"count": 5 if i < 10 else 4, "attack": i % 7}
        for i, (key, card) in enumerate(SIXTY_ONE.items())
        if i < 60
    }
    scenario = load_scenario(GAME, sets={"card": cards, "limit.turns": 40})
    tables, buffer = as_records(ENGINE.build_tables(scenario))[0], np.zeros(ENGINE.max_legal, np.int32)
    assert scenario.model.deck_size() == 250
    state = set_up(ENGINE, new_states(ENGINE), tables, 1, 1)
    while not state.end_reason:
        n = ENGINE.legal_actions(state, tables, buffer)
        actions = [int(code) for code in buffer[:n] if code // ARGUMENTS != Act.PLAY]  # cards pile up in hands
        ENGINE.apply(state, tables, np.int32(actions[-1 if state.turn % 5 else 0]))
    assert ENGINE.check(state, tables) == "" and state.hand_size.sum() > 40
