"""The archive of the best players, and the test that admits a candidate to the archive."""

from collections.abc import Collection, Sequence

from bartizan.analyses.document import Document, optional
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports import entries
from bartizan.reports.blocks import Entry, Hint, Lines, Table, View
from bartizan.reports.document import GameDocument
from bartizan.reports.entries import NONE
from bartizan.reports.text import changes, differences, words

METHOD = (
    "sequential test of paired games (GSPRT, as `compare --test`) on a seed derived from the command; the "
    "gain is adjusted for the stopping time"
)
ANSWERS = {
    "yes": "is admitted",
    "no": "is not admitted: no gain, or a gain below twice the margin",
    "not told": "is not admitted: the games are inconclusive",
}
ADVICE = "ladder GAME --admit POLICY tests a better policy on held-out seeds and admits it."


class BestPlayer(Document):
    """The best policy for a level, number of players and role.

    It is an admitted policy, or the game's default policy if none was admitted.
    """

    difficulty: str
    players: int | None = None
    role: str
    policy: str
    before: str | None  # previous best policy
    opponent: str  # "" for a solo game
    win_rate: Interval | None
    margin: Interval | None  # None: no policy was admitted
    pairs: int = 0
    found: str | None
    command: str | None
    is_current: bool


def view(title: str, rows: Sequence[BestPlayer]) -> View:
    """Return the view of a game's archive. title: name of the game with its changes."""
    differing = {key for key in ("difficulty", "players") if len({getattr(row, key) for row in rows}) > 1}
    places = [_where(row, differing) for row in rows]
    table = Table(
        "The best players found",
        "All players are computer policies. Gains are from a sequential test of paired games.",
        ("Setting", "Player", "Wins", "Against", "Gain", "Over", "Admission"),
        tuple((Entry(place), *_entries(row)) for place, row in zip(places, rows, strict=True)),
    )
    commands = [f"{place}: {row.command}" for place, row in zip(places, rows, strict=True) if row.margin]
    admitted = Lines(tuple(commands))
    return View(f"{title}: the best players found", (table, admitted, Hint(ADVICE)))


def _where(row: BestPlayer, differing: Collection[str]) -> str:
    """Return the name of a row: the fields that differ between rows, and the role."""
    level = [words.title(row.difficulty)] if "difficulty" in differing else []
    players = [f"{row.players} players"] if "players" in differing else []
    role = [row.role] if row.opponent and row.role else []
    return ", ".join([*level, *players, *role]) or ("every seat" if row.opponent else "solo")


def _entries(row: BestPlayer) -> tuple[Entry, ...]:
    is_known = row.win_rate and row.opponent != row.policy
    wins = Entry(words.share_with_limits(row.win_rate)) if row.win_rate and is_known else NONE
    opponent = Entry(row.opponent) if is_known and row.opponent else NONE
    if row.margin is None:
        own = Entry("default policy; no better one was admitted")
        return Entry(row.policy), wins, opponent, NONE, NONE, own
    gain = entries.difference(row.margin, 100, least=1)
    admitted = f"{words.count(row.pairs)} pairs of games, {row.found}"
    again = "" if row.is_current else "; rules, numbers or policy changed since: run the admission again"
    came_in = Entry(f"{admitted}{again}")
    return Entry(row.policy), wins, opponent, gain, Entry(row.before or ""), came_in


# ---------------------------------------------------------------- test of a candidate


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
    limit: int  # maximum of pairs
    looks: int
    test: AdmissionTest
    seed: int
    win_rate: Interval
    win_rate_before: Interval
    margin: Interval  # its gain over the previous best policy
    capped: int
    found: str
    command: str
    confidence: dict[str, int] = {}
    sentence: str = ""


def admission(d: Admission) -> str:
    """Return a sentence with the verdict on the candidate, its win rates and its gain."""
    level = [words.title(d.difficulty)] if d.levels > 1 else []
    players = [f"{d.players} players"] if d.players is not None else []
    role = [d.role] if d.role and d.opponent else []
    setting = changes.title(d.title, d.changes, *level, *players, *role)
    shares = f"{words.share(d.win_rate)} against {words.share(d.win_rate_before)}"
    method = f"{words.level(d.margin.level)} {d.margin.method}"
    return (
        f"{setting}: {d.policy} {ANSWERS[d.answer]}. It wins {shares} for {d.before}, "
        f"{differences.signed(d.margin, least=1)} ({method}; {words.count(d.pairs)} pairs of games, seed "
        f"{d.seed})."
    )


def admission_view(d: Admission) -> View:
    gain = differences.points(f"{200 * d.test.margin:g}")
    if d.alike:
        table = f"{d.policy} among copies of {d.before}, in each seat in turn; shares are per seat"
    else:
        table = f"each policy against {d.opponent or 'the game'}"
    test = (
        f"Test: Type I error rate at most {words.level(d.test.alpha)}; Type II error rate "
        f"{words.level(d.test.beta)} for a gain of {gain}; at most {words.count(d.limit)} pairs"
    )
    stays = () if d.admitted else ("The archive is unchanged.",)
    return View(d.sentence, (Lines((test, f"Players: {table}", *stays)),))
