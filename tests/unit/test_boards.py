"""Boards that are graphs: a sheet of spaces or connections, `Board("roads.csv")` (docs/short-games.md)."""

import json
from operator import itemgetter

import pytest

from bartizan.policies.registry import find_player
from bartizan.simcore.conformance import check_game
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import load_game, load_module
from bartizan.simcore.short.reading import read
from tests.cli.run_cli import bartizan

SPACES = "name,length,end_1,end_2\nnorth,2,0,1\neast,1,1,2\nsouth,2,2,3\nwest,1,3,0\nbridge,3,0,2\n"
GAME = '''"""Railways: claim tracks; the longest line wins."""

from bartizan.short import *

players = 2
tracks = Board("tracks.csv")
owner, holder, trains, points = Row(5), Row(4), Tokens(5), Tokens()


def can_claim(s, n, track):
    return s.owner[track] == 0 and s.trains[s.me] >= n.length[track]


def claim(s, n, track: tracks):
    s.owner[track] = s.me + 1
    s.trains[s.me] -= n.length[track]
    s.points[s.me] = longest_route(n.end, s.owner, s.me + 1, s.holder)
    say(s, "{tracks} from space {} to {}", track, n.end[track, 0], n.end[track, 1])
    next_player(s)


def can_stop(s, n):
    for track in range(5):
        if can_claim(s, n, track):
            return False
    return True


def stop(s, n):
    win(s, leader(s, n), "no trains left")


def short(s, n):
    """The shortest track that is free."""
    best = -1
    for track in range(5):
        if can_claim(s, n, track) and (best == -1 or n.length[track] < n.length[best]):
            best = track
    return STOP if best == -1 else CLAIM(best)
'''


@pytest.fixture
def railways(kept_path):
    path = kept_path / "railways.py"
    path.write_text(GAME)
    path.with_name("tracks.csv").write_text(SPACES)
    return path


def test_rules_read_a_board_and_a_log_names_its_rows(railways):
    game = load_game(str(railways))
    assert list(check_game(game, [find_player(game, "short")], find_player(game, "random")))
    said = bartizan("trace", railways, "--seed", 1).out
    assert "claim east" in said and "east from space 1 to 2" in said
    document = json.loads(bartizan("run", railways, "--games", 20, "--json").out)
    assert document["wins"] + document["losses"] + document["draws"] == 20


def test_a_board_has_no_copies(railways):
    """A column of numbers is not one of copies, and nothing is assumed about them."""
    railways.with_name("tracks.csv").write_text(SPACES.replace("length", "number"))
    railways.write_text(GAME.replace("n.length", "n.number"))
    assert "copies" not in bartizan("run", railways, "--games", 20).out


def test_a_board_names_its_column_of_names(railways):
    """Without known headings, the error suggests a call that works."""
    railways.with_name("tracks.csv").write_text(SPACES.replace("name", "Track"))
    with pytest.raises(UsageError, match=r'Board\("tracks.csv", name="Track"\)') as caught:
        load_game(str(railways))
    railways.write_text(GAME.replace('Board("tracks.csv")', str(caught.value).rpartition("specify it: ")[2]))
    assert "claim east" in bartizan("trace", railways, "--seed", 1).out


def test_a_log_of_no_row_of_a_board_names_none(railways):
    railways.write_text(GAME.replace('"{tracks} from space {} to {}", track', '"{tracks} from space {} to {}", NONE'))
    said = bartizan("trace", railways, "--seed", 1).out
    assert "none of tracks from space" in said and "bridge from space" not in said


def test_cells_of_a_board_may_name_its_rows(railways):
    """Rules read the number of the row, or NONE for a blank cell."""
    names = ["north", "east", "south", "west", "bridge"]
    ends = [[0, 1], [1, 2], [-1, 3], [3, 0], [0, 2]]

    def columns(one, other):
        lines = [f"{name},1,{one(end)},{other(end)}" for name, end in zip(names, ends, strict=True)]
        railways.with_name("tracks.csv").write_text("name,length,end_1,end_2\n" + "\n".join(lines))
        return read(railways, load_module(railways, "game")).board_columns["end"]

    first, second = itemgetter(0), itemgetter(1)
    named = columns(*(lambda end, of=of: (names + [""])[of(end)].title() for of in (first, second)))
    assert named == columns(first, second) == ends


def test_a_board_is_edited_in_its_sheet(railways):
    before = bartizan("trace", railways, "--seed", 1).out
    railways.with_name("tracks.csv").write_text(SPACES.replace("west,1", "west,9"))
    assert bartizan("trace", railways, "--seed", 1).out != before


@pytest.mark.parametrize(
    ("sheet", "declared", "told"),
    [
        (None, "", "railways.py:6: tracks: no file tracks.csv beside the game"),
        ("name,end_1,end_2\nnorth,,1-2\n", "", "railways.py:6: tracks: tracks.csv has no numbers"),
        (
            "name,length,end_1,end_2\nnorth,1,east,south\neast,1,north,sout\nsouth,1,east,west\nwest,1,,\n",
            "",
            "railways.py:6: column 'end_2' of tracks names rows of tracks, but 'sout' is none of them; did you mean",
        ),
        (
            'name,length,end\nnorth,1,"east, south"\neast,1,north\nsouth,1,east\n',
            "",
            "column 'end' of tracks names several rows of tracks in a cell, 'east, south': write one name in each",
        ),
        (SPACES.replace("length", "players"), "", "n.players is already another number"),
        (SPACES, "others_too = Board('tracks.csv')\n", "n.length is already another number"),
        (SPACES, "track_deck = Deck('tracks.csv')\n", "n.length is already another number"),
        (SPACES.replace("bridge", "west"), "", "west"),
    ],
)
def test_a_board_that_cannot_be_read_is_one_line(sheet, declared, told, railways):
    board = railways.with_name("tracks.csv")
    board.unlink() if sheet is None else board.write_text(sheet)
    railways.write_text(GAME.replace("owner, holder", f"{declared}owner, holder", 1))
    with pytest.raises(UsageError) as caught:
        load_game(str(railways))
    assert told in str(caught.value) and "\n" not in str(caught.value)
