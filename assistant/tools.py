"""The tools of the server: the questions of each tool, and its options.

Names, types, bounds and defaults of the parameters follow from the fields of the questions.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, replace
from functools import cached_property
from typing import Any

from bartizan.api.question import Opt, OptionField, Question
from bartizan.api.questions import balance, catalogue, checking, in_games, odds, playtest, skill, sweep
from bartizan.simcore.errors import UsageError, did_you_mean

# limits of one call, lower than those of a command, so that a call ends
MOST = {
    "games": 1_000_000,
    "fresh": 1_000_000,
    "slow_games": 1000,
    "pilot": 2000,
    "rollouts": 5000,
    "trials": 1000,
    "settings": 2000,
    "effects": 20,
    "futures": 100,
}
SHARED = ("scenario", "difficulty", "policy", "players", "set")
PLAYED = (*SHARED, "games", "seed")
JSON_TYPES = {int: "integer", float: "number", bool: "boolean"}
MOST_TEXT, MOST_WORDS = 2000, 20_000  # characters of one text, and of all texts in a call
# shared options in fewer words than their help, because a client reads the list of tools in every
# conversation
BRIEF = {
    "name": "game: built-in name or FILE.py",
    "scenario": "name or FILE.toml",
    "difficulty": "level",
    "policy": "policies: P, role=P, P+Q+Q (one per seat) or FILE.py; default: best known",
    "players": "number of players",
    "set": "values to change, {path: value}",
    "games": "games to simulate",
    "seed": "the same seed gives the same games",
    "change": "{path: value}, {difficulty: LEVEL}, {scenario: NAME} or {policy: P}; several make one change",
    "knob": "PATH=LO:HI[:STEP], PATH=A,B or PATH: the parameter to tune and its allowed values",
    "margin": "accepted distance from a target number (default: 1pp; turns, scores: 0.5 or 2 %)",
}
CALLED = {text.partition(":")[0]: name for name, text in BRIEF.items()}  # such as game -> name


@dataclass(frozen=True)
class ToolKind:
    """A question that a tool can ask, and the options that the tool sets itself."""

    question: type[Question[Any]]
    fixed: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """A tool: its questions, one for each value of `what`, and the names of its options.

    help: description by which the assistant chooses a tool. extra: options that belong to no question.
    """

    name: str
    title: str
    help: str
    kinds: Mapping[str, ToolKind]
    offers: Sequence[str]
    extra: Sequence[OptionField] = ()
    needs_folder: bool = False
    defaults: Mapping[str, Any] = field(default_factory=dict)
    single: Sequence[str] = ()  # options for which this tool takes one value and the command several

    def offered(self, kind: ToolKind) -> dict[str, OptionField]:
        """Return the options that the tool offers for one of its questions, with the limits of the server."""
        own = {option.name: self._bounded(option) for option in kind.question.options}
        own = {name: option for name, option in own.items() if name not in kind.fixed}
        known = own | {option.name: option for option in self.extra}
        return {name: known[name] for name in self.offers if name in known}

    @cached_property
    def options(self) -> dict[str, OptionField]:
        """The options of all questions of the tool, by name."""
        found: dict[str, OptionField] = {}
        for kind in self.kinds.values():
            found = self.offered(kind) | found
        return {name: found[name] for name in self.offers}

    def _bounded(self, option: OptionField) -> OptionField:
        most = MOST.get(option.name)
        if most is not None and (option.opt.max is None or option.opt.max > most):
            option = replace(option, opt=replace(option.opt, max=most))
        if option.name in self.defaults:
            option = replace(option, default=self.defaults[option.name])
        if option.name in self.single:
            option = replace(option, type=option.items[0] | None)
        return option

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the parameters."""
        properties: dict[str, Any] = {}
        if len(self.kinds) > 1:
            kinds = list(self.kinds)
            properties["what"] = {"type": "string", "enum": kinds, "default": kinds[0]}
        silent = () if self.name == "play" else PLAYED  # `play` describes them for all
        properties |= {name: schema_of(option, name in silent) for name, option in self.options.items()}
        each = [self.offered(kind) for kind in self.kinds.values()]
        required = [
            name
            for name in self.options
            if all(name in options and options[name].default is MISSING for options in each)
        ]
        document = {"type": "object", "properties": properties, "additionalProperties": False}
        return document | ({"required": required} if required else {})

    def read(self, arguments: Mapping[str, Any]) -> tuple[ToolKind, dict[str, Any]]:
        """Return the requested question and its options.

        Raises UsageError for an unknown or missing option and for a value out of bounds. The question makes
        further checks.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        _refuse_too_much(self.name, given)
        what = given.pop("what", next(iter(self.kinds))) if len(self.kinds) > 1 else next(iter(self.kinds))
        if not isinstance(what, str) or what not in self.kinds:
            raise UsageError(f"{self.name}: what={what!r}: write one of {', '.join(self.kinds)}")
        kind = self.kinds[what]
        offered = self.offered(kind)
        for name, value in given.items():
            if name not in self.options:
                near = did_you_mean(CALLED.get(name, name), self.options)
                raise UsageError(f'{self.name}: no option "{name}"{near}')
            if name not in offered:
                others = [other for other, one in self.kinds.items() if name in self.offered(one)]
                raise UsageError(f"{self.name}: {name} requires what={' or '.join(others)}, not {what}")
            offered[name].checked(value)
        for name, option in offered.items():
            if option.default is MISSING and name not in given:
                means = BRIEF.get(name) or option.opt.help
                raise UsageError(f"{self.name}: {name} is missing ({means}); give {option.expected}")
        return kind, dict(self.defaults) | given


def _refuse_too_much(tool: str, given: Mapping[str, Any]) -> None:
    """Raise UsageError for texts that are too long or contain control characters."""
    total = 0
    for text in texts_in(given):
        total += len(text)
        if len(text) > MOST_TEXT or total > MOST_WORDS:
            raise UsageError(
                f"{tool}: a string is longer than {MOST_TEXT:,} characters; write only names and numbers"
            )
        if re.search("[\x00-\x1f\x7f]", text):
            raise UsageError(f"{tool}: {text[:40]!r} has control characters; write names and numbers")


def texts_in(value: Any, depth: int = 0) -> list[str]:
    """Return every text in the arguments of a call, including keys.

    Raises UsageError for values nested more than four levels deep.
    """
    if depth > 4:
        raise UsageError("a value has lists nested too deeply; write names and numbers")
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for pair in value.items() for one in pair for text in texts_in(one, depth + 1)]
    if isinstance(value, (list, tuple)):
        return [text for one in value for text in texts_in(one, depth + 1)]
    return []


def schema_of(option: OptionField, is_silent: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of one option. is_silent: whether its description is omitted."""
    found: dict[str, Any] = _type(option)
    low, high = option.opt.min, option.opt.max
    if found.get("type") in ("integer", "number"):
        found |= {name: value for name, value in (("minimum", low), ("maximum", high)) if value is not None}
        if found.get("maximum") == 2**63 - 1:  # more than JSON readers support
            del found["maximum"]
    if option.default not in (MISSING, None, False, "", ()):
        found["default"] = option.default
    help = BRIEF.get(option.name) or option.opt.help
    if help and not is_silent:
        help = re.sub(r"--([a-z][\w-]*)", lambda flag: flag[1].replace("-", "_"), help)
        found["description"] = help.removesuffix("; repeatable")  # a list
    return found


def _type(option: OptionField) -> dict[str, Any]:
    if option.is_mapping:
        return {"type": "object"}
    if option.items:
        one = JSON_TYPES.get(option.items[0], "string")
        return {"type": "array", "items": {"type": one}}
    kinds = list(dict.fromkeys(JSON_TYPES.get(kind, "string") for kind in option.kinds))
    types = [{"type": kind} for kind in kinds]  # not a list of types: some clients reject that
    return types[0] if len(types) == 1 else {"anyOf": types}


# ---------------------------------------------------------------- the tools


def _one(question: type[Question[Any]], **fixed: Any) -> dict[str, ToolKind]:
    return {"": ToolKind(question, fixed)}


CARD_QUESTIONS = ("without", "pairs", "value", "usage")


ONE_CARD: dict[str, Any] = {"turn": 1, "against": None}  # options of what=value, with their defaults
IN_GAMES: dict[str, Any] = {"seat": None, "games": None, "seed": 1, "policy": None}
IDLE: dict[str, dict[str, Any]] = {  # options without effect, by question about cards
    "deck": ONE_CARD | IN_GAMES,
    **dict.fromkeys(CARD_QUESTIONS, ONE_CARD),
    "usage": ONE_CARD | {"seat": None},
    "value": {},
}


def _only(what: str) -> dict[str, Any]:
    """Return the flags that select one question about cards. If none is set, the question lists the deck."""
    return {name: name == what for name in CARD_QUESTIONS}


FILES = OptionField(
    "files", Sequence[str], MISSING, Opt("sheets (CSV, xlsx), exports of BG Stats, or one folder of plays")
)
GAME = OptionField("name", str, "", Opt("a built-in game or FILE.py (default: list the games)"))

TOOLS: tuple[Tool, ...] = (
    Tool(
        "describe",
        "Which games are there, and what is in one?",
        "What a game is: levels, seats, players; its numbers with sources (what=numbers), unclear rules with "
        "their readings (rulings), computer players (players). Without a name: the games. Ask this first.",
        {
            "game": ToolKind(catalogue.DescribeQuestion),
            "numbers": ToolKind(catalogue.DescribeQuestion, {"knobs": True}),
            "rulings": ToolKind(catalogue.DescribeQuestion, {"rulings": True}),
            "players": ToolKind(catalogue.DescribeQuestion, {"policies": True}),
        },
        ("name", "scenario", "difficulty", "set"),
        extra=(GAME,),
    ),
    Tool(
        "play",
        "How often does each side win, and how long does it take?",
        "Simulate games between computer players: win rate of each seat, score, length, how games end. "
        "Is going first worth it? Is it fair? How hard is it?",
        _one(sweep.RunQuestion),
        ("name", *PLAYED, "precision", "luck_adjusted"),
        single=("difficulty", "players"),
    ),
    Tool(
        "compare",
        "What does this change do?",
        "Compare the game with one change of it (numbers, level, or policy: {policy: P:w=1+P}) on common "
        "random numbers: differences with intervals.",
        _one(balance.CompareQuestion),
        ("name", "change", *PLAYED, "test", "steps"),
    ),
    Tool(
        "what_moves_it",
        "Which numbers matter most?",
        "Vary every number of the game by itself, to find those that move the win rate, and the "
        "assumptions that matter (assumed=true).",
        _one(balance.SensitivityQuestion, levels=False, decks=0),
        ("name", "assumed", "path", "range", "effects", *PLAYED),
        defaults={"games": 1000},
    ),
    Tool(
        "tune",
        "Which value hits a target?",
        "Search for the value of a number that gives a target win rate, length or score; verified on "
        "held-out games.",
        _one(balance.TuneQuestion),
        ("name", "knob", "target", "margin", *PLAYED, "fresh"),
    ),
    Tool(
        "cards",
        "Which card is too strong, which is never used?",
        "The deck (what=deck), which kinds matter for wins (without: orders and market cards too; in a "
        "game without cards its tokens, places, dice, actions), which two reinforce each other (pairs), "
        "what each card in hand is worth (value), how cards are used (usage).",
        {what: ToolKind(in_games.CardsQuestion, _only(what) | idle) for what, idle in IDLE.items()},
        ("name", "seat", "turn", "against", *PLAYED),
    ),
    Tool(
        "skill_bracket",
        "How much does skill matter?",
        "Win rates of players of increasing skill: random, newcomer, heuristic, lookahead.",
        _one(skill.BracketQuestion),
        ("name", "role", "rung", "plays", "slow_games", *(name for name in PLAYED if name != "policy")),
        defaults={"games": 4000, "slow_games": 20, "plays": "8"},
    ),
    Tool(
        "losses",
        "When is a game really lost?",
        "Win probability turn by turn, decisive turns, games that are hopeless early.",
        _one(in_games.LossesQuestion),
        ("name", "seat", "pilot", "rollouts", *PLAYED),
        defaults={"games": 2000, "pilot": 20},
    ),
    Tool(
        "odds",
        "What are the odds of this throw or fight?",
        "Exact and simulated odds of single throws and fights of two built-in games: castle is for "
        "Castle, the others for Escape from Colditz.",
        {
            question.command.removeprefix("odds "): ToolKind(question)
            for question in (
                odds.DoOrDieQuestion,
                odds.StaffCarQuestion,
                odds.AppelQuestion,
                odds.ShootToKillQuestion,
                odds.FightOddsQuestion,
                odds.StakeOrWaitQuestion,
            )
        },
        ("distance", "card", "attack", "defend", "queen", "revealed", "same_suit", "add", "defence_add"),
    ),
    Tool(
        "trace",
        "What happens in one game?",
        "One game move by move, and a page to step through it.",
        _one(in_games.TraceQuestion),
        ("name", "game", "seed", *SHARED),
    ),
    Tool(
        "report",
        "A page with everything, to read or send",
        "Simulate every combination of levels, policies and values (set: {path: [a, b]}) and put the "
        "results on one page.",
        _one(sweep.RunQuestion),
        ("name", *PLAYED, "rotate"),
        defaults={"games": 4000},
    ),
    Tool(
        "check",
        "Is the game file correct?",
        "Check a game (or a scenario file): legal moves, ends, hidden cards, numbers. An error names "
        "file, line, "
        "rule and what to write. Do this before quoting any number of a new game.",
        _one(checking.CheckQuestion),
        ("target", "policy"),
    ),
    Tool(
        "plays_by_people",
        "How well do people play it?",
        "Read people's plays, and place the people on the computer players' scale.",
        _one(playtest.SkillQuestion, plays=""),
        ("name", "files", "scenario", "difficulty", "policy", "players", "set", "seed"),
        extra=(FILES,),
        needs_folder=True,
    ),
)
BY_NAME: dict[str, Tool] = {tool.name: tool for tool in TOOLS}
