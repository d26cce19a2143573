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
    """Does a game keep the engine contract, do its policies keep theirs, does a scenario file add up?"""

    command = "check"
    example = "bartizan check my_game.py"
    has_document = False

    target: str = opt(
        "a game, a game's .py file, or a scenario .toml file",
        metavar="GAME|FILE",
        is_argument=True,
        kw_only=False,
    )
    policy: Names = opt(
        "the policies to be asked, such as one of your own; all of the game's unless given",
        default=None,
        metavar="P|FILE.py",
    )
    ends: bool = opt(
        "play under every value that --set reaches, at both ends of its range and in each choice, beside the "
        "same games with 64-bit integers (built-in games: minutes); 40 of them unless given",
        default=False,
    )

    def answer(self) -> Iterator[str]:
        return answers.check.check(str(self.target), listed(self.policy), self.ends)


class NewQuestion(Question[Iterator[str]]):
    """Write a game or a policy to begin with: it runs before a word of it is changed."""

    command = "new"
    example = "bartizan new game my_game"
    has_document = False

    kind: str = opt("what is to be written", metavar="game|policy", is_argument=True, kw_only=False)
    name: str = opt("its name: small letters, digits and _", metavar="NAME", is_argument=True, kw_only=False)
    game: str | None = opt("the game that a new policy plays", default=None, metavar="GAME|FILE.py")

    from_: str | None = opt(
        "a sheet of cards, or its https link, to make a short game of; or a short game to be written out as "
        "a long one",
        default=None,
        metavar="CARDS.xlsx|.csv|LINK|FILE.py",
    )
    long: bool = opt("the skeleton of a long game, not of a short one", default=False)

    def answer(self) -> Iterator[str]:
        written = list(answers.new.new(self.kind, self.name, self.game, self.from_, self.long))
        return iter(written)  # all of it, whether or not anybody reads what it says


class BenchQuestion(Question[Answer]):
    """How fast each game plays here (random and its own policy, unless named), beside a yardstick measured in
    the same run.
    """

    command = "bench"
    example = "bartizan bench itter"

    games: Names = opt(None, default=None, metavar="[GAME]...", is_argument=True, kw_only=False)
    policy: Policies = None
    quick: bool = opt("leave out cold and warm starts", default=False)

    def answer(self) -> Answer:
        return answers.machine.bench(listed(self.games), listed(self.policy), self.quick)


class WarmQuestion(Question[Answer]):
    """Compile games ahead, play loops and policies, so that no later command waits for it."""

    command = "warm"
    example = "bartizan warm itter"

    games: Names = opt(
        "games by name, or by the path of a .py file; all of the house unless given",
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
    """Is this machine ready? Versions, cores, cache folder, and a game with a known answer.

    With --validate, also: does every interval and verdict keep its promise here?
    """

    command = "doctor"
    example = "bartizan doctor --validate"

    validate: bool = opt(
        "measure the coverage of every interval and verdict by simulation: two minutes on two cores",
        default=False,
    )
    jobs: Jobs = None

    def answer(self) -> Answer:
        folder = cache.configure()
        jobs = self.jobs or os.cpu_count() or 1
        return answers.machine.doctor(folder, jobs if self.validate else 0, self.watch)
