"""Measure the effect of a short training run on a game's results.

A weak policy distorts every result about balance. So the policy of a short game is compared with a policy
trained for ten seconds of processor time. This happens once per version of rules and policy: in the
background while a user waits at a terminal or a page, or if `--player` requests it. The result is saved
beside the compiled code.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.simcore.compile.cache import cache_root
from bartizan.simcore.errors import BartizanError, UsageError
from bartizan.simcore.sources import is_noted, is_short, mark, note

if TYPE_CHECKING:
    from bartizan.api.answer import Answer
    from bartizan.api.question import Question
    from bartizan.policies.request import Request
    from bartizan.simcore.watch import Watch

OPTION = "BARTIZAN_PRACTICE"  # an environment variable: "off": no measurement and no caveat
SECONDS, GAMES = 10, 2000  # processor seconds of the training; held-out games per comparison
PATIENCE = 300  # processor seconds in the background, including compilation
FOLDER, MOVED = "learned", "moved"
PLAYERS = ("learned", "trained")
SCRIPT = """
import sys
from bartizan.simcore.compile import cache
cache.configure()
from bartizan.api import practice
practice.in_background(sys.argv[1])
"""


def asked_for(request: "Request", player: str, watch: "Watch") -> "Request":
    """Return the request with the policy that `--player` names, which is trained first if necessary.

    The request is unchanged for `trained` if training gives no better policy. Raises UsageError for an
    unknown value of `--player`, for several policies, and for a policy from a file.
    """
    from bartizan.simcore.learning.layout import layout_of

    if player not in PLAYERS:
        raise UsageError(f"--player {player}: write {' or '.join(PLAYERS)}")
    layout_of(request.game)
    policy = policy_of(request)
    if policy is None:
        raise UsageError("--player: supports at most one --policy, which must be a policy of the game")
    moved = kept(request, policy) or measured(request, policy, watch)
    if player == "trained" and moved["against"]["verdict"] != "better":
        watch.note(f"--player trained: {SECONDS} seconds of training give no better policy than {policy}")
        return request
    return replace(request, policy=(f"learned@{place(request, policy)}",))


def beside(question: "Question[Any]", answer: "Answer") -> "Answer":
    """Add the effect of a short training run to the answer, if it is known. Otherwise, return the answer
    unchanged, and start the training in the background if a user is waiting.
    """
    request = _request_of(question)
    if request is None or (policy := policy_of(request)) is None:
        return answer
    if moved := kept(request, policy):
        return answer.beside("trained", moved, sentence(moved))
    if question.watch.is_seen() and not is_noted(_failed(request, policy)):
        begin(request)
    return answer


def _request_of(question: "Question[Any]") -> "Request | None":
    """Return the request of a question about a short game without `--player`; None for any other question."""
    from bartizan.policies.request import Request
    from bartizan.simcore.sweep.plan import read_plan

    if os.environ.get(OPTION) == "off" or getattr(question, "player", None):
        return None
    named, request = str(getattr(question, "name", "")), None
    with suppress(BartizanError, OSError):
        if named.endswith(".toml"):
            from bartizan.api.answers.sweep import some_named
            from bartizan.simcore.game import load_game

            plan = read_plan(Path(named), some_named, load_game)
            first = plan.cells[0]
            request = Request(plan.game, plan.scenario, first.difficulty, first.policies[:1])
        elif named.endswith(".py"):
            from bartizan.api.reading import listed

            levels, counts = listed(getattr(question, "difficulty", None)), _counts(question)
            policies = listed(getattr(question, "policy", None))[:1]
            scenario = getattr(question, "scenario", None)
            request = Request(
                named, scenario and str(scenario), levels[0] if levels else None, policies, counts
            )
        if request and request.named.endswith(".py") and is_short(Path(request.named)):
            return request
    return None


def _counts(question: "Question[Any]") -> int | None:
    counts = getattr(question, "players", None)
    return counts[0] if isinstance(counts, (list, tuple)) else counts


def policy_of(request: "Request") -> str | None:
    """Return the policy in the first seat; None for several policies, a learned one, or one from a file."""
    text = request.policy[0] if request.policy else ""
    if len(request.policy) > 1 or set(text) & set("@+=/"):
        return None
    return text.strip() or request.game.default_policy


# ---------------------------------------------------------------- what is kept


def place(request: "Request", policy: str) -> Path:
    """Return the path of the file with the learned policy and its measured effect."""
    game = request.game
    version = mark(str(game.home), game.source_hash or "", str(request.scenario), str(request.difficulty))
    return cache_root() / FOLDER / f"{game.name}-{mark(version, str(request.players), policy)[:12]}.learned"


def kept(request: "Request", policy: str) -> dict[str, Any] | None:
    """Return the saved effect of the training; None if there is none."""
    with suppress(OSError, ValueError, BartizanError):
        moved = json.loads(place(request, policy).read_bytes()).get(MOVED)
        return dict(moved) if moved else None
    return None


def _failed(request: "Request", policy: str) -> str:
    return mark("no practice", place(request, policy).name)


def measured(request: "Request", policy: str, watch: "Watch | None" = None) -> dict[str, Any]:
    """Train a policy for ten seconds, compare it with `policy`, and save both policy and comparison.

    Returns the comparison. Values changed with `--set` are ignored; the values in the file are used.
    """
    from bartizan.api.answers.learning import moved_by
    from bartizan.api.questions.skill import TrainQuestion

    out = place(request, policy)
    out.parent.mkdir(parents=True, exist_ok=True)
    question = TrainQuestion(
        request.named,
        out=out,
        learn=True,
        minutes=SECONDS / 60,
        seeds=1,
        with_=policy,
        scenario=request.scenario,
        difficulty=request.difficulty,
        players=request.players,
        fresh=GAMES,
    )
    question.watch = watch or question.watch
    return moved_by(question, replace(request, policy=(), sets={}), MOVED)


# ---------------------------------------------------------------- in the background


def begin(request: "Request") -> None:
    """Start the measurement in a background process, which can outlive this one."""
    words = json.dumps(asdict(replace(request, sets={})))
    nothing = subprocess.DEVNULL
    with suppress(OSError):
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, words],
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            start_new_session=True,
        )


def in_background(words: str) -> None:
    """Entry point of the background process: measure once, with low priority.

    A game that cannot be measured is recorded and not tried again.
    """
    from bartizan.policies.request import Request

    with suppress(ImportError, OSError, ValueError):
        import resource

        os.nice(19)
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 5))
    told: Mapping[str, Any] = json.loads(words)
    request = Request(**{**told, "policy": tuple(told["policy"])})
    if (policy := policy_of(request)) is None or kept(request, policy):
        return
    try:
        measured(request, policy)
    except BartizanError:
        note(_failed(request, policy))


# ---------------------------------------------------------------- in words


def sentence(moved: Mapping[str, Any]) -> str:
    """Return the effect of the training on the win rate as one line for the terminal."""
    return " ".join(_sentences(moved))


def _sentences(moved: Mapping[str, Any]) -> Iterator[str]:
    from bartizan.analyses.experiments.training import BeforeAfter
    from bartizan.reports import entries
    from bartizan.reports.text import words

    policy, against = moved["policy"], moved["against"]
    wins = BeforeAfter.read(against["wins"])
    gain = entries.points(wins.difference)
    told = (
        f"{words.share(wins.before)} to {words.share(wins.after)} ({gain.text}, "
        f"{gain.limits or 'no interval'}; 95 %, {words.count(wins.games)} fresh games)"
    )
    if against["verdict"] != "better":
        yield (
            f"trained  ten seconds of training do not improve on {policy}: the win rate changes from {told}."
        )
        return
    yield f"trained  ten seconds of training change the win rate of {policy} from {told}."
    if first := moved.get("first_seat"):
        seat = BeforeAfter.read(first)
        change = entries.points(seat.difference)
        yield (
            f"With the trained policy in all seats, the first seat wins {words.share(seat.after)} instead of "
            f"{words.share(seat.before)} ({change.text}, {change.limits or 'no interval'})."
        )
    yield (
        "Conclusions about balance can differ for a better player; to see how, run the command again "
        "with --player learned."
    )
