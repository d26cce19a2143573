"""The archive of best players, and what became of one that wanted to be in it."""

from collections.abc import Collection, Sequence

from bartizan.analyses.document import Document, optional
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Hint, Lines, Table, View
from bartizan.reports.document import GameDocument
from bartizan.reports.entries import NONE
from bartizan.reports.text import changes, differences, words

METHOD = (
    "sequential test of pairs of games on common luck (GSPRT, as `compare --test`), on a seed that follows "
    "from what is asked; the gain is adjusted for when the test stopped"
)
ANSWERS = {
    "yes": "is admitted",
    "no": "is not admitted: a gain is not there, or below twice the margin",
    "not told": "is not admitted: the games do not tell",
}
ADVICE = "ladder GAME --admit POLICY lets in a better one, after a sequential test on held-out seeds."


class BestPlayer(Document):
    """The best of a level, number of players and role: admitted, or the policy that the game declares."""

    difficulty: str
    players: int | None = None
    role: str
    policy: str
    before: str | None  # whom it has beaten
    opponent: str  # "": nobody but the game
    win_rate: Interval | None
    margin: Interval | None  # None: nobody was admitted
    pairs: int = 0
    found: str | None
    command: str | None
    is_current: bool


def view(title: str, rows: Sequence[BestPlayer]) -> View:
    """title: the game, and what is changed in it."""
    differing = {key for key in ("difficulty", "players") if len({getattr(row, key) for row in rows}) > 1}
    places = [_where(row, differing) for row in rows]
    table = Table(
        "The best players found",
        "Computer players; gains are of a sequential test on common luck.",
        ("Where", "Player", "Wins", "Against", "Gain", "Over", "How it came in"),
        tuple((Entry(place), *_entries(row)) for place, row in zip(places, rows, strict=True)),
    )
    commands = [f"{place}: {row.command}" for place, row in zip(places, rows, strict=True) if row.margin]
    admitted = Lines(tuple(commands))
    return View(f"{title}: the best players found", (table, admitted, Hint(ADVICE)))


def _where(row: BestPlayer, differing: Collection[str]) -> str:
    """differing: what differs between the rows."""
    level = [words.title(row.difficulty)] if "difficulty" in differing else []
    players = [f"{row.players} players"] if "players" in differing else []
    role = [row.role] if row.opponent and row.role else []
    return ", ".join([*level, *players, *role]) or ("every seat" if row.opponent else "alone")


def _entries(row: BestPlayer) -> tuple[Entry, ...]:
    is_known = row.win_rate and row.opponent != row.policy
    wins = Entry(words.share_with_limits(row.win_rate)) if row.win_rate and is_known else NONE
    opponent = Entry(row.opponent) if is_known and row.opponent else NONE
    if row.margin is None:
        own = Entry("the game's own policy: none better was admitted")
        return Entry(row.policy), wins, opponent, NONE, NONE, own
    gain = entries.difference(row.margin, 100, least=1)
    admitted = f"{words.count(row.pairs)} pairs of games, {row.found}"
    again = "" if row.is_current else "; admitted under other rules or numbers than today's: admit it again"
    came_in = Entry(f"{admitted}{again}")
    return Entry(row.policy), wins, opponent, gain, Entry(row.before or ""), came_in


# ---------------------------------------------------------------- one that wanted to be in it


class AdmissionTest(Document):
    margin: float
    alpha: float
    beta: float


class Admission(GameDocument):
    scenario_hash: str
    difficulty: str
    levels: int
    role: str
    players: int | None = optional()
    policy: str
    before: str
    opponent: str
    alike: bool
    admitted: bool
    answer: str  # a key of ANSWERS
    pairs: int
    limit: int  # pairs at most
    looks: int
    test: AdmissionTest
    seed: int
    win_rate: Interval
    win_rate_before: Interval
    margin: Interval  # its gain over the best there was
    capped: int
    found: str
    command: str
    confidence: dict[str, int] = {}
    sentence: str = ""


def admission(d: Admission) -> str:
    """Who is admitted, or not, with the figures."""
    level = [words.title(d.difficulty)] if d.levels > 1 else []
    players = [f"{d.players} players"] if d.players is not None else []
    role = [d.role] if d.role and d.opponent else []
    setting = changes.title(d.title, d.changes, *level, *players, *role)
    shares = f"{words.share(d.win_rate)} against {words.share(d.win_rate_before)}"
    method = f"{words.level(d.margin.level)} {d.margin.method}"
    return (
        f"{setting}: {d.policy} {ANSWERS[d.answer]}: it wins {shares} of {d.before}, "
        f"{differences.signed(d.margin, least=1)} ({method}; {words.count(d.pairs)} pairs of games, seed "
        f"{d.seed})."
    )


def admission_view(d: Admission) -> View:
    gain = differences.points(f"{200 * d.test.margin:g}")
    if d.alike:
        table = f"{d.policy} among copies of {d.before}, in each seat in turn; shares are of one seat"
    else:
        table = f"both against {d.opponent or 'the game'}"
    test = (
        f"Test: one that is no better is let in with a chance of {words.level(d.test.alpha)} at most, one "
        f"better by {gain} turned away with {words.level(d.test.beta)}; {words.count(d.limit)} pairs at most"
    )
    stays = () if d.admitted else ("The archive stays as it is.",)
    return View(d.sentence, (Lines((test, f"Table: {table}", *stays)),))
