"""Writing and checking: `check`, `new`; and this machine: `bench`, `warm`, `doctor`."""

import os
from collections.abc import Iterator

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import Jobs, Policies
from bartizan.api.question import Question, opt
from bartizan.api.reading import Names, listed
from bartizan.simcore.compile import cache


class CheckQuestion(Question[Iterator[str]]):
    """Check a game against the engine contract, its policies against theirs, or a scenario file."""

    command = "check"
    example = "bartizan check my_game.py"
    has_document = False

    target: str = opt(
        "a game, a game's .py file, or a scenario's .toml file",
        metavar="GAME|FILE",
        is_argument=True,
        kw_only=False,
    )
    policy: Names = opt(
        "policies to check, such as your own (default: all policies of the game)",
        default=None,
        metavar="P|FILE.py",
    )
    ends: bool = opt(
        "test both ends or all choices of every value that --set can change, against the same "
        "games with 64-bit integers (takes minutes for built-in games; default: 40 of them)",
        default=False,
    )

    def answer(self) -> Iterator[str]:
        return answers.check.check(str(self.target), listed(self.policy), self.ends)


class NewQuestion(Question[Iterator[str]]):
    """Write a game or a policy to start from. It runs as written."""

    command = "new"
    example = "bartizan new game my_game"
    has_document = False

    kind: str = opt("what to write", metavar="game|policy", is_argument=True, kw_only=False)
    name: str = opt(
        "its name: lower-case letters, digits and _", metavar="NAME", is_argument=True, kw_only=False
    )
    game: str | None = opt("the game for a new policy", default=None, metavar="GAME|FILE.py")

    from_: str | None = opt(
        "a card list, or its https link, to start a short game from; or a short game to convert to the full "
        "form",
        default=None,
        metavar="CARDS.xlsx|.csv|LINK|FILE.py",
    )
    long: bool = opt("write a skeleton in the full form instead of the short form", default=False)

    def answer(self) -> Iterator[str]:
        written = list(answers.new.new(self.kind, self.name, self.game, self.from_, self.long))
        return iter(written)  # all of it, whether or not anybody reads what it says


class BenchQuestion(Question[Answer]):
    """Measure the speed of each game on this machine, beside a reference measured in the same run. Without
    --policy, measure random and the game's own policy.
    """

    command = "bench"
    example = "bartizan bench itter"

    games: Names = opt(None, default=None, metavar="[GAME]...", is_argument=True, kw_only=False)
    policy: Policies = None
    quick: bool = opt("skip cold and warm starts", default=False)

    def answer(self) -> Answer:
        return answers.machine.bench(listed(self.games), listed(self.policy), self.quick)


class WarmQuestion(Question[Answer]):
    """Compile games, play loops and policies in advance, so that later commands start at once."""

    command = "warm"
    example = "bartizan warm itter"

    games: Names = opt(
        "games by name or by the path of a .py file (default: all built-in games)",
        default=None,
        metavar="GAME",
        is_argument=True,
        kw_only=False,
    )
    jobs: Jobs = None

    def answer(self) -> Answer:
        from bartizan.api.cluster.warming import warm

        return warm(listed(self.games), self.jobs or os.cpu_count() or 1, self.watch)


class DoctorQuestion(Question[Answer]):
    """Check this machine: versions, cores, cache folder, and a game with a known result.

    With --validate, also measure the coverage of every interval and verdict.
    """

    command = "doctor"
    example = "bartizan doctor --validate"

    validate: bool = opt(
        "measure the coverage of every interval and verdict by simulation (two minutes on two cores)",
        default=False,
    )
    jobs: Jobs = None

    def answer(self) -> Answer:
        folder = cache.configure()
        jobs = self.jobs or os.cpu_count() or 1
        return answers.machine.doctor(folder, jobs if self.validate else 0, self.watch)
