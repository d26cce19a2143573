"""Command line: one command for each question, derived from its fields.

Only this module parses the arguments of commands and prints results. Results go to stdout, progress and
errors to stderr; `reports.render.progress` writes the progress. Questions import heavy packages only when
they are run, so that `bartizan --help` is fast.
"""

import atexit
import inspect
import os
import shlex
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.exceptions import TyperException

from bartizan import api
from bartizan.api.answer import Answer
from bartizan.api.question import HelpSection, OptionField, Question
from bartizan.api.questions import all_questions, questions_of
from bartizan.reports.render.progress import Terminal, note
from bartizan.reports.render.terminal import encode_what_can_be
from bartizan.reports.text.visible import visible
from bartizan.simcore.compile import meter, mistakes
from bartizan.simcore.errors import BartizanError, UsageError, did_you_mean, unforeseen
from bartizan.simcore.watch import still_playing

INTERRUPTED = 130
RESUME = "interrupted: run the same command again to resume; finished parts in a folder (-o) are kept"
GRACE = 0.5  # seconds that running code has to stop after Ctrl-C
AGAIN = 0.01  # seconds until a lost Ctrl-C is raised again


class Sections(TyperGroup):
    """A command group whose help lists its commands by section, with the whole first sentence of each."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        shown = [command for command in self.commands.values() if not command.hidden]
        wide = max(len(command.name or "") for command in shown)
        is_alone = len({getattr(command, "rich_help_panel", None) for command in shown}) == 1
        for section in HelpSection:
            rows = [
                (f"{command.name:<{wide}}", command.get_short_help_str(limit=1000))
                for command in shown
                if getattr(command, "rich_help_panel", None) == section
            ]
            if rows:
                with formatter.section("Commands" if is_alone else section):
                    formatter.write_dl(rows if is_alone else sorted(rows))


class Command(TyperCommand):
    """A command whose help names its arguments without their Python types."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for param in self.params:
            if isinstance(param, TyperArgument):
                vars(param)["display_type_rich"] = lambda ctx: None
        super().format_options(ctx, formatter)


class OlderOdds(Sections):
    """The older command group `odds`.

    Its error message for an unknown subcommand gives the `chance` command.
    """

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands:
            raise UsageError(
                f"odds {args[0]}: no such command{did_you_mean(args[0], self.commands)}; the odds of a game "
                f"are computed by: bartizan chance {shlex.join(args)}"
            )
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="bartizan",
    cls=Sections,
    help="Monte Carlo balance and difficulty analysis for board games.",
    no_args_is_help=True,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
SERVERS = ("bartizan.workbench.command", "bartizan.assistant.command")  # above api
GROUPS = {
    "odds": (
        "Compute odds of single throws and fights of two built-in games (replaced by `bartizan chance`)."
    ),
    "playtest": "Record and analyse plays by people.",
    "skill": "Write the texts for assistants (the older command of `bartizan new skill`).",
}


@app.callback()
def bartizan(
    version: Annotated[bool, typer.Option("--version", help="print the version and exit")] = False,
) -> None:
    """Monte Carlo balance and difficulty analysis for board games."""
    if version:
        print(f"bartizan {api.version()}")
        raise typer.Exit


# ---------------------------------------------------------------- a command for each question


def derive(question: type[Question[Any]]) -> Callable[..., int]:
    """Return the Typer command of a question, with its options as parameters and its docstring as help."""
    options = [option for option in question.options if not option.opt.is_hidden]

    def command(**given: Any) -> int:
        as_json = given.pop("as_json", False)
        instance = question(**{option.name: read(option, given[option.name]) for option in options})
        instance.watch, instance.typed = Terminal(instance.shortened), as_typed(question)
        if question.instead:
            note(f"bartizan {question.command} was replaced by: bartizan {question.instead}")
        answer = instance.ask()
        if as_json and not isinstance(answer, Answer):
            answer = instance.document_of(answer)
        return say(answer, as_json)

    parameters = [parameter(option.name, annotation(option), option.default) for option in options]
    if question.has_document:
        shown = Annotated[bool, typer.Option("--json", help="print one JSON document on stdout")]
        parameters.append(parameter("as_json", shown, False))
    command.__name__ = question.command.split()[-1]
    command.__doc__ = question.__doc__
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


def parameter(name: str, kind: Any, default: Any) -> inspect.Parameter:
    given = inspect.Parameter.empty if default is MISSING else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=given, annotation=kind)


@cache
def annotation(option: OptionField) -> Any:
    """Return Typer's annotation of an option: command-line type, names, bounds and help.

    Cached, because many commands share an option and this takes most of the start-up time.
    """
    kind = plain_type(option)
    if option.default is None:
        kind = kind | None
    how: dict[str, Any] = {"metavar": option.opt.metavar or placeholder(option), "help": option.opt.help}
    if option.opt.is_argument:
        return Annotated[kind, typer.Argument(**how)]
    names = [option.flag + (f"/{option.opt.off}" if option.opt.off else "")]
    names = [option.opt.short, *names] if option.opt.short else names
    return Annotated[kind, typer.Option(*names, min=option.opt.min, max=option.opt.max, **how)]


def placeholder(option: OptionField) -> str | None:
    """Return the metavar of an option: N, NUMBER, or the option's name in capitals; None for a flag."""
    kind = next(iter(get_args(plain_type(option))), plain_type(option))
    return None if kind is bool else {int: "N", float: "NUMBER"}.get(kind, option.name.upper())


def plain_type(option: OptionField) -> Any:
    """Return the command-line type of an option that accepts several types in Python.

    An option with several items has the type list.
    """
    if option.is_mapping:
        return list[str]
    items = option.items
    kinds = items or option.kinds
    kind = next((kind for kind in (Path, str) if kind in kinds), kinds[0])
    return list[kind] if items else kind  # type: ignore[valid-type]


def read(option: OptionField, value: Any) -> Any:
    """Return the value that the question takes for a command-line value.

    `PATH=VALUE` texts become a dict, and an empty list becomes the default. Other values are unchanged.
    """
    if option.is_mapping:
        return pairs(option, value) or option.default
    return option.default if value == [] else value


def pairs(option: OptionField, texts: Iterable[str] | None) -> dict[str, str | list[str]]:
    """Return {path: value} from `PATH=VALUE` texts.

    Raises UsageError for any other text, and for a path given twice.
    """
    values: dict[str, str | list[str]] = {}
    for text in texts or []:
        path, equals, value = (part.strip() for part in text.partition("="))
        if path in option.opt.lists:
            values[path] = [*values.get(path, []), value]
            continue
        if not equals or not path or not value:
            raise UsageError(f'{option.flag} "{text}": write PATH=VALUE, such as {path or "numbers.goal"}=4')
        if path in values:
            raise UsageError(f"{option.flag} {path}: given twice, {values[path]} and {value}; give it once")
        values[path] = value
    return values


def as_typed(question: type[Question[Any]]) -> str:
    """Return the typed command line for a manifest, ending in `-o DIR`.

    Options that do not affect results are omitted.
    """
    unkept = [option for option in question.options if not option.opt.is_kept]
    shorts = tuple(option.opt.short for option in unkept if option.opt.short)
    names = [*shorts, *(option.flag for option in unkept)]
    attached = (*shorts, *(f"{name}=" for name in names))  # -oDIR, --out=DIR
    words, skip = ["bartizan"], False
    for word in sys.argv[1:]:
        if skip or word in names:
            skip = not skip
        elif word != "--json" and not word.startswith(attached):
            words.append(word)
    return shlex.join([*words, "-o", "DIR"])


def say(answer: Any, as_json: bool = False) -> int:
    """Print an answer, or its lines as they arrive, and return the exit code.

    Raises the answer's failure, if there is one, after printing the answer.
    """
    if isinstance(answer, Iterable) and not hasattr(answer, "to_json"):
        print_lines(answer)
        return 0
    if as_json:
        print(answer.to_json())
    else:
        print_lines([*answer.lines(), *answer.hints])
    if answer.failure:
        raise answer.failure
    return int(answer.exit_code)


def print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(visible(line), flush=True)  # print a line at once, because the next one may wait for an edit


def every_question() -> dict[str, type[Question[Any]]]:
    """Map the words after `bartizan` to the question class, for all commands including servers."""
    servers = (one for module in SERVERS for one in questions_of(import_module(module)))
    return {**all_questions(), **{question.command: question for question in servers}}


def add_commands() -> None:
    """Add one command per question, in groups. Older commands are hidden."""
    groups: dict[str, list[type[Question[Any]]]] = {name: [] for name in GROUPS}
    for words, question in every_question().items():
        group, _, name = words.rpartition(" ")
        if group:
            groups[group].append(question)
        else:
            add_command(app, question, bool(question.instead))
    for name, members in groups.items():
        kind = OlderOdds if name == "odds" else Sections
        commands = typer.Typer(cls=kind, help=GROUPS[name], no_args_is_help=True, rich_markup_mode=None)
        current = [question for question in members if not question.instead]
        for question in members:  # the help of an older group lists its commands
            add_command(commands, question, bool(question.instead) and bool(current))
        section = (current or members)[0].section
        app.add_typer(commands, name=name, hidden=not current, rich_help_panel=section)


def add_command(commands: typer.Typer, question: type[Question[Any]], is_hidden: bool) -> None:
    commands.command(
        question.command.split()[-1],
        cls=Command,
        epilog=f"Example: {question.example}",
        hidden=is_hidden,
        rich_help_panel=question.section,
    )(derive(question))


add_commands()


# ---------------------------------------------------------------- one line for every failure


NO_NUMBER = {  # typer's messages -> what to write
    "Input should be a valid integer, unable to parse string as an integer": "write an integer, such as 100",
    "Input should be a valid number, unable to parse string as a number": "write a number, such as 0.5",
    "Input should be greater than or equal to": "write a number of at least",
    "Input should be less than or equal to": "write a number of at most",
}


DAMAGED = "a shard is damaged although its checksum matches, so it was overwritten; simulate the sweep again"


def main() -> None:
    """Run the command line. Each failure becomes one line on stderr and an exit code."""
    meter.collect_rarely()
    debug = "--debug" in sys.argv
    if debug:
        sys.argv.remove("--debug")
    if "--plain" in sys.argv:  # before anything is compiled (docs/short-games.md)
        sys.argv.remove("--plain")
        os.environ["BARTIZAN_PLAIN"] = "1"
    encode_what_can_be()
    with ending_when_told():
        code = _answered(debug)
    if code == INTERRUPTED:
        note(RESUME)
        if still_playing(GRACE):  # Python would wait for the game, possibly forever if a policy loops
            _end()
    sys.exit(code)


@cache
def command_line() -> Any:
    """Return all commands with their options.

    Cached, because building them takes longer than running most of them.
    """
    return typer.main.get_command(app)


def _answered(debug: bool) -> int | str:
    """Run the command line and return its exit code."""
    try:
        code = command_line()(standalone_mode=False) or 0
        sys.stdout.flush()
    except BartizanError as error:
        code = _fail(error, error.exit_code, debug)
    except TyperException as error:
        text = error.format_message() if hasattr(error, "format_message") else str(error)
        for words, plain in NO_NUMBER.items():
            text = text.replace(words, plain)
        if type(error).__name__ == "NoArgsIsHelpError":
            print(text)
            return 2
        code = _fail(error, 2, debug, text)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except SystemExit as stop:  # typer turns Ctrl-C into its own exit
        code = stop.code or 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except typer.Exit as error:
        code = error.exit_code
    except OSError as error:  # a full disk, a name that is too long
        code = _fail(error, 2, debug, f"{error.filename or 'output'}: {error.strerror or error}")
    except Exception as error:
        if debug:
            raise
        text = mistakes.sentence(error) if mistakes.place_of(error) else unforeseen(error)
        code = _fail(error, 4, debug, DAMAGED if type(error).__name__ == "ComputeError" else text)
    except BaseException as error:  # polars panics at some files, with an exception that is not an Exception
        if type(error).__name__ != "PanicException":
            raise
        code = _fail(error, 4, debug, DAMAGED)
    return code


def _fail(error: BaseException, code: int, debug: bool, text: str | None = None) -> int:
    if debug:
        import traceback

        traceback.print_exception(error)
    note(f"error: {' '.join((text or str(error)).split())}")
    return code


# ---------------------------------------------------------------- Ctrl-C


@contextmanager
def ending_when_told() -> Iterator[None]:
    """End the command within a second after Ctrl-C, by force if compiled code does not return.

    Python itself would wait for compiled code, because the main thread handles a signal only between two
    bytecode instructions.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    hook, sys.unraisablehook = sys.unraisablehook, _told_in_vain
    threading.Thread(target=_end_if_stuck, args=(reader,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        sys.unraisablehook = hook
        writer.close()


def _told_in_vain(lost: Any) -> None:
    """Send SIGINT again if a KeyboardInterrupt was raised in a finalizer, where Python drops exceptions."""
    if lost.exc_type is KeyboardInterrupt:
        main_thread = threading.main_thread().ident
        threading.Timer(AGAIN, signal.pthread_kill, (main_thread, signal.SIGINT)).start()
    else:
        sys.__unraisablehook__(lost)


def _end_if_stuck(reader: socket.socket) -> None:
    """Wait for Ctrl-C, and then end the process if it has not ended by itself after GRACE seconds.

    This loses no data, because shards are written completely or not at all.
    """
    with reader:
        byte = reader.recv(1)
        while byte and byte[0] != signal.SIGINT:
            byte = reader.recv(1)
        reader.settimeout(GRACE)
        try:
            while byte:
                byte = reader.recv(1)
            return
        except TimeoutError:
            pass
    if sys.stderr.isatty():
        sys.stderr.write("\x1b[?25h")  # a progress line hides the cursor
    note(RESUME)
    _end()


def _end() -> None:
    atexit._run_exitfuncs()  # temporary folders
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
