"""Changes of a position by name, and positions in files that a person edits."""

from pathlib import Path

import pytest

import bartizan
from bartizan.api.answers.position import dealt
from bartizan.policies.request import Request
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import BUILTIN
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.position import GamePosition, reached
from bartizan.simcore.play.position_changes import as_seen, changed, hidden_places
from bartizan.simcore.play.position_file import read_file, template

GUESS = """from bartizan.short import *

players = 2
goal = Number(3, 1, 9)
deck = Deck({"guard": 2, "priest": 2, "baron": 1, "prince": 1})
hand, shown = Hand(deck), Pile(deck)
track = Row(3)
points = Tokens()


def setup(s, n):
    deal(s, s.deck, s.hand, 2)
    draw(s.deck, s.shown)


def add(s, n):
    s.points[s.me] += 1
    if s.points[s.me] >= n.goal:
        win(s, s.me, "goal reached")
    next_player(s)


def wait(s, n):
    next_player(s)
"""


@pytest.fixture(scope="module")
def guess(kept_folder) -> str:
    path = kept_folder / "guess.py"
    path.write_text(GUESS)
    return str(path)


@pytest.fixture(scope="module")
def start(guess) -> GamePosition:
    return reached(match_of(guess), 0, decision=0)


def match_of(name: str) -> Match:
    return dealt(Request(name, None, None, (), None, {}).match(1, "one policy a seat"))


# ---------------------------------------------------------------- by name


def test_cards_are_exchanged_so_that_none_is_lost(start: GamePosition):
    before = as_seen(start)
    for hand in (["guard", "guard"], ["prince", "baron"], ["priest", "guard"]):
        new = changed(start, {"hand[first]": ",".join(hand)})
        assert as_seen(new)["hand[first]"] == hand
        assert "hand[second]" not in as_seen(new)  # the other seat's stays hidden
    assert as_seen(start) == before


def test_numbers_and_names_of_seats_are_the_same_places(start: GamePosition):
    by_name = changed(start, {"points[second]": "2", "me": "second", "to_move": "1", "track[1]": "4"})
    assert by_name.line() == changed(start, {"points[1]": "2", "me": "1", "to_move": "1", "track[1]": "4"}).line()


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"hnd[first]": "guard,guard"}, 'did you mean "hand"'),
        ({"frog": "3"}, "it has turn"),
        ({"hand[frst]": "guard,guard"}, 'did you mean "first"'),
        ({"hand[first]": "gard,guard"}, 'did you mean "guard"'),
        ({"hand[first]": "guard"}, "contains 2 cards"),
        ({"hand[first]": "baron,baron"}, "no further card baron; name another card"),
        ({"hand[second]": "guard,guard"}, "redealt in each future"),
        ({"points": "3"}, "write points[0..1], such as points[first]"),
        ({"points[first": "3"}, "FIELD[PLACE]=VALUE"),
        ({"points[first]": "many"}, "write an integer"),
    ],
)
def test_wrong_name_gets_one_line(start: GamePosition, changes: dict[str, str], wrong: str):
    with pytest.raises(UsageError) as refused:
        changed(start, changes)
    assert wrong in str(refused.value) and "\n" not in str(refused.value)


def test_number_of_the_rules_holds_from_here_on(guess: str):
    """With a goal of 1 whoever adds first wins; the position is that of a game with the goal of 3."""
    game = bartizan.game(guess)
    asked = {"at": "game 0, decision 0", "policy": "random", "games": 200}
    found = game.chance(**asked, if_={"goal": "1"})
    assert next(one for one in found.actions if one.text == "add").wins.estimate == 1
    assert found.position == game.chance(**asked, if_={"numbers.goal": "1"}).position == game.chance(**asked).position
    with pytest.raises(UsageError, match='did you mean "goal"'):
        game.chance(**asked, if_={"gaol": "1"})
    with pytest.raises(UsageError, match="number of players"):
        game.chance(**asked, if_={"numbers.players": "3"})


NAMES = {
    "itter": (54, "place[gangl]", "tokens[red]", "2"),
    "colditz": (40, "pow_at[British 1]", "supply[Rope]", "-1"),
    "castle": (42, "castle[A,(0, 5)]", "turn", "8"),
    "rampage": (42, "discards[Knight]", "plays", "1"),
}


@pytest.mark.parametrize("name", BUILTIN)
def test_built_in_games_have_the_names_of_their_traces(name: str):
    decision, shown, field, value = NAMES[name]
    position = reached(match_of(name), 0 if name != "itter" else 7, decision)
    seen = as_seen(position)
    assert shown in seen
    if name != "colditz":
        assert changed(position, {field: value}).line() != position.line()
    else:
        with pytest.raises(UsageError, match=r"Equipment is not conserved|holds 0"):
            changed(position, {field: value})
    hidden = hidden_places(position)
    assert hidden, "something is hidden in each of them"


# ---------------------------------------------------------------- files


def edited(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def test_file_as_written_is_the_position(start: GamePosition):
    text = template(start, "guess.py", "position.toml")
    assert read_file(start.match, text, "position.toml").line() == start.line()
    assert "hand[second]" not in text.partition("[seen]")[2]


def test_file_that_is_edited_is_another_position(start: GamePosition):
    text = template(changed(start, {"hand[first]": "guard,guard"}), "guess.py", "position.toml")
    text = edited(text, '"hand[first]" = ["guard", "guard"]', '"hand[first]" = ["prince", "guard"]')
    text = edited(text, '"points[second]" = 0', '"points[second]" = 2')
    seen = as_seen(read_file(start.match, edited(text, "track = [0, 0, 0]", "track = [0, 7, 0]"), "position.toml"))
    assert (seen["hand[first]"], seen["points[second]"], seen["track"]) == (["prince", "guard"], 2, [0, 7, 0])


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("[seen]", "[sen]", ":8: sen: write only `position` and [seen]"),
        ('"points[second]" = 0', '"points[secnd]" = 1', "points[secnd]: no place is named"),
        ('"points[second]" = 0', '"points[second]" = "x"', "write an integer"),
        ("track = [0, 0, 0]", "track = [0, 0, 0, 1]", "track"),
        ("turn = 1", "turn = 99999999999999999999", "turn=99999999999999999999: write a number from"),
        ("[seen]", "[seen", "cannot be read as TOML"),
        ("guess/1", "guess/2", ":6: the position is for version 2"),
        ("me = ", 'mee = "second" #', 'mee: the position has no such field; did you mean "me"'),
    ],
)
def test_file_that_does_not_fit_says_where_and_why(start: GamePosition, old: str, new: str, wrong: str):
    text = edited(template(start, "guess.py", "position.toml"), old, new)
    with pytest.raises(UsageError) as refused:
        read_file(start.match, text, "position.toml")
    message = str(refused.value)
    assert message.startswith("position.toml:") and wrong in message and "\n" not in message


def test_trace_writes_the_file_that_chance_reads(guess: str, tmp_path: Path):
    path = tmp_path / "position.toml"
    game = bartizan.game(guess)
    game.trace(position=1, out=path)
    asked = {"policy": "random", "games": 100}
    assert game.chance(at=str(path), **asked).to_dict() == game.chance(at="game 0, decision 1", **asked).to_dict()
    with pytest.raises(UsageError, match="--position"):
        game.trace(out=path)
