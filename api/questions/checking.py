"""Questions about your own games and this machine: `check`, `new`, `doctor`."""

from collections.abc import Iterable, Iterator

from bartizan.api import answers
from bartizan.api.answer import Answer
from bartizan.api.options import Jobs, Policies, Trust
from bartizan.api.question import Question, opt
from bartizan.api.reading import Names


class CheckQuestion(Question[Iterator[str]]):
    """Check a game, a policy, a scenario or a folder of results.

    For a folder, verify the checksums of its files and simulate some of its games again.
    """

    command = "check"
    example = "bartizan check my_game.py"

    target: str = opt(
        "a game, a game's .py file, a scenario's .toml file, or a folder of results",
        metavar="GAME|FILE|DIR",
        is_argument=True,
        kw_only=False,
    )
    policy: Names = opt(
        "policies to check, such as your own (default: all policies of the game)",
        default=None,
        metavar="P|FILE.py",
    )
    ends: bool = opt(
        "test every value that --set can change, at both ends of its range or at all its choices (takes "
        "minutes for built-in games; default: test 40 of the values)",
        default=False,
    )
    refresh: bool = opt(
        'first download the card sheets that the game links to with Deck(..., link="https://..."); no other '
        "option uses the network",
        default=False,
    )
    trust: Trust = None

    def answer(self) -> Iterator[str]:
        return answers.check.answer(self)

    def document_of(self, lines: Iterable[str]) -> Answer:
        """Return the document of a check that has passed.

        If the check failed, reading `lines` raises its error.
        """
        found = list(lines)
        document = super().document_of(found).to_dict()
        notes = sum(map(answers.check.is_note, found))
        return Answer(document | {"passed": True, "notes": notes}, lambda: found)


class NewQuestion(Question[Iterator[str]]):
    """Write a template for a game, a policy or a skill.

    The template of a game or policy runs as it is. The skill is a guide for assistants.
    """

    command = "new"
    example = "bartizan new game my_game"

    kind: str = opt("kind of file to write", metavar="game|policy|skill", is_argument=True, kw_only=False)
    name: str = opt(
        "name (lower-case letters, digits and _); for a skill: its folder (default: .claude/skills and "
        ".agents/skills)",
        default="",
        metavar="NAME",
        is_argument=True,
        kw_only=False,
    )
    game: str | None = opt("the game for a new policy", default=None, metavar="GAME|FILE.py")

    from_: str | None = opt(
        "start a short game from this card list or its https link, or convert this short game to the full "
        "form",
        default=None,
        metavar="CARDS.xlsx|.csv|LINK|FILE.py",
    )
    long: bool = opt("write a skeleton in the full form instead of the short form", default=False)

    def answer(self) -> Iterator[str]:
        written = list(answers.new.new(self.kind, self.name, self.game, self.from_, self.long))
        return iter(written)  # written completely, even if no caller reads the lines


class DoctorQuestion(Question[Answer]):
    """Check this machine; compile games in advance or time them.

    The command checks versions, cores, the cache folder, and a computation with a known result.
    """

    command = "doctor"
    example = "bartizan doctor itter --warm --bench"

    games: Names = opt(
        "with --warm or --bench: games by name or by the path of a .py file (default: all built-in games)",
        default=None,
        metavar="GAME",
        is_argument=True,
        kw_only=False,
    )
    warm: bool = opt(
        "compile games, play loops and policies in advance, so that later commands start at once",
        default=False,
    )
    bench: bool = opt(
        "measure the speed of each game, and of a reference computation in the same run", default=False
    )
    policy: Policies = None
    quick: bool = opt("skip the timing of cold and warm starts", needs=("bench",), default=False)
    validate: bool = opt(
        "measure the coverage of every interval and verdict by simulation (two minutes on two cores)",
        default=False,
    )
    jobs: Jobs = None

    def answer(self) -> Answer:
        return answers.machine.answer(self)
