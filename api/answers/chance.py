"""`chance`: estimate rare events by multilevel splitting; compute throws and fights exactly (`odds.py`)."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from bartizan.analyses.experiments.rare import analyze
from bartizan.api.answer import Answer
from bartizan.api.answers import position
from bartizan.api.caveats import shown
from bartizan.api.question import OptionField
from bartizan.api.questions.chance import ChanceQuestion
from bartizan.api.questions.odds import OddsQuestion, throws_of
from bartizan.api.reading import texts
from bartizan.policies.request import command_of, default_policy_words, name_in_commands
from bartizan.reports.views import rare as views
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import UsageError, as_spelled, did_you_mean
from bartizan.simcore.files import quoted
from bartizan.simcore.numerals import numeral
from bartizan.simcore.play.splitting import splitting_of

OF_EVENTS = ("with_", "trajectories", "replicates", "every_level", "games", "seed", "out")
YES_OR_NO = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def answer(question: ChanceQuestion) -> Answer:
    """Estimate the probability of an event, or of a win from a position.

    Without an event or a position, list the events.
    """
    if question.at is not None:
        return from_position(question)
    for option, flag in (("if_", "--if"), ("when", "--when"), ("beside", "--beside")):
        if getattr(question, option):
            raise UsageError(f"{flag}: requires a position; give one with --at")
    game = question.request().game
    throws = throws_of(game.name) if game.is_builtin else {}
    if question.event is None:
        for own in question.options:
            if own.name in OF_EVENTS and question.has(own.name):
                raise UsageError(
                    f"chance: {own.typed} requires --event NAME; without it, the command lists the events"
                )
        return events(question, throws)
    question.event = as_spelled(question.event, [*throws, *game.compiled.rare])
    if throws and question.event not in (*throws, *game.compiled.rare):
        near = did_you_mean(question.event, [*throws, *game.compiled.rare])
        raise UsageError(f"--event {question.event}: {game.name} declares no such event{near}")
    if question.event in throws:
        return throw(question, throws[question.event])
    for option in ("with_", "out"):
        if getattr(question, option):
            flag = "-o" if option == "out" else "--with"
            raise UsageError(f"{flag}: not supported for the rare event {question.event}; remove {flag}")
    return rare(question)


def from_position(question: ChanceQuestion) -> Answer:
    """Estimate the probabilities from a position.

    Raises UsageError for options that do not apply to a position.
    """
    others = ("with_", "trajectories", "replicates", "every_level", "out")
    defaults = {option.name: option for option in question.options}
    for name in others:
        if getattr(question, name) != defaults[name].default:
            flag = defaults[name].flag
            raise UsageError(f"{flag}: does not apply to a position (--at); remove {flag}")
    return position.answer(question)


# ---------------------------------------------------------------- rare events of a game


def rare(question: ChanceQuestion) -> Answer:
    """Estimate the probability of an event that the game declares.

    Without an event, list the declared events.
    """
    if question.event is None:
        return events(question, {})
    request = question.request()
    effort = question.effort(0)
    match = request.match(effort.seed, question.command)
    splitting = splitting_of(match, question.event)
    effort.compiles(request.game, splitting.loop)
    volume = (question.trajectories, question.replicates, question.games)
    result = analyze(splitting, *volume, not question.every_level, effort.workers)
    document = views.document(splitting.match, result)
    return shown(request.game, document, partial(views.view, document))


def events(question: ChanceQuestion, throws: Mapping[str, type[OddsQuestion]]) -> Answer:
    """List the events of a game: its declared events, and its throws and fights with their parameters."""
    request = question.request()
    game, s = request.game, request.loaded
    rows: list[dict[str, Any]] = [
        {"event": name, "title": event.title, "top": int(event.top(s))}
        for name, event in game.compiled.rare.items()
    ]
    rows += [
        {
            "event": name,
            "title": " ".join((kind.__doc__ or "").split()),
            "parameters": {one.flag[2:]: one.opt.help for one in parameters_of(kind)},
        }
        for name, kind in throws.items()
    ]
    document = {"schema": "bartizan.rare-events/1", "game": game.name, "scenario": s.name, "events": rows}

    def lines() -> Iterator[str]:
        if not rows:
            raise UsageError(
                f"{game.name}: the game declares no rare events; declare one (see {page('adding-a-game')})"
            )
        for row in rows:
            yield f"{row['event']:<20} {row['title']}"
            for name, meaning in row.get("parameters", {}).items():
                yield f"{'':<20}   --with {name}=...  {meaning}"
        players = default_policy_words(game, s)
        command = f"bartizan chance {quoted(name_in_commands(game))} --event {rows[0]['event']}"
        yield f"\nNext: {command}{'' if 'parameters' in rows[0] else f' {players}'}"

    return Answer(document, lines)


# ---------------------------------------------------------------- throws and fights


def parameters_of(kind: type[OddsQuestion]) -> list[OptionField]:
    """Return the options of a throw or fight that `chance` itself does not have."""
    shared = {option.name for option in ChanceQuestion.options}
    return [option for option in kind.options if option.name not in shared]


def line_of(question: OddsQuestion) -> str:
    """Return the equivalent `chance` command line, to save with the result."""
    own = {option.name: option.flag[2:] for option in parameters_of(type(question))}
    given = {
        option.name: value
        for option in question.options
        if option.opt.is_kept and (value := getattr(question, option.name)) != option.default
    }
    parameters = {own[name]: _text(value) for name, value in given.items() if name in own}
    shared = {name: value for name, value in given.items() if name not in own and name != "name"}
    options = {"event": question.event, "with": parameters, **shared}
    return command_of("chance", question.name, **options) + " -o DIR"


def _text(value: Any) -> Any:
    if value is True:
        return "yes"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def throw(question: ChanceQuestion, kind: type[OddsQuestion]) -> Answer:
    """Compute the probabilities of a throw or a fight. kind: class of its question.

    Raises UsageError for an option that does not apply to it.
    """
    known = {option.name for option in kind.options}
    given = {}
    for option in question.options:
        value = getattr(question, option.name)
        if option.name in ("name", "event", "with_") or value == option.default:
            continue
        if option.name not in known:
            raise UsageError(f"{option.flag}: does not apply to {question.event}; remove {option.flag}")
        given[option.name] = value
    instance = kind(**given, **_read(question, kind))
    instance.watch, instance.typed = question.watch, question.command_line()
    try:
        return instance.ask()
    except UsageError as error:
        raise UsageError(_as_parameters(str(error), question.event or "", kind)) from error


def _as_parameters(text: str, event: str, kind: type[OddsQuestion]) -> str:
    """Rewrite an error message of an older command, such as `odds appel`, for `chance`.

    For example, the option `--distance 5` becomes the parameter `--with distance=5`.
    """
    text = text.replace(kind.command, f"--event {event}")
    flags = "|".join(re.escape(option.flag[2:]) for option in parameters_of(kind))
    value = r"(?: (?!(?:or|and|requires?|already)\b|--)([^\s:;,]+))?"
    return re.sub(
        rf"--({flags})(?![\w-]){value}",
        lambda named: f"--with {named[1]}" + (f"={named[2]}" if named[2] else ""),
        text,
    )


def _read(question: ChanceQuestion, kind: type[OddsQuestion]) -> dict[str, Any]:
    """Map the name of each given parameter to its value, in the type that the throw requires."""
    known = {option.flag[2:]: option for option in parameters_of(kind)}
    values = {}
    for name, text in texts(question.with_).items():
        option = known.get(as_spelled(name.replace("_", "-"), known))
        if option is None:
            raise UsageError(f"--with {name}: not a parameter of {question.event}{did_you_mean(name, known)}")
        try:
            values[option.name] = _value(option, text)
        except (ValueError, KeyError):
            raise UsageError(f"--with {name}={text}: write {option.expected}") from None
    return values


def _value(option: OptionField, text: str) -> Any:
    if option.items:
        return [int(numeral(part)) for part in text.split(",")]
    kind = option.kinds[0]
    if kind is bool:
        return YES_OR_NO[text.lower()]
    return kind(numeral(text)) if kind in (int, float) else text
