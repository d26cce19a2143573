"""Measure the effect of a short training run on a game's results.

A weak policy distorts every result about balance. So the policy of a short game is compared with a policy
trained for ten seconds of processor time. This happens once per version of rules and policy: in the
background while a user waits at a terminal or a page, or if `--player` requests it. The result is saved with
the compiled code.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.api.reading import listed
from bartizan.simcore.commands import command_of
from bartizan.simcore.compile.cache import cache_root
from bartizan.simcore.errors import BartizanError, UsageError
from bartizan.simcore.files import quoted
from bartizan.simcore.sources import is_noted, is_short, mark, note

if TYPE_CHECKING:
    from bartizan.api.answer import Answer
    from bartizan.api.question import Question
    from bartizan.policies.request import Request
    from bartizan.simcore.watch import Watch

OPTION = "BARTIZAN_PRACTICE"  # an environment variable: "off" disables the measurement and its caveat
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
    """Return the request with the policy of `--player`, which is trained first if necessary.

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
    """Add the effect of a short training run to the answer, if the effect is known.

    Otherwise, add a line that says how to see it, and start the training in the background if a user is
    waiting.
    """
    request = _request_of(question)
    if request is None or (policy := policy_of(request)) is None:
        return answer
    if moved := kept(request, policy):
        from bartizan.reports.views.learned import practised

        with_it = f"--policy {quoted(f'learned@{place(request, policy)}')}"
        return answer.beside(
            "trained", moved, practised(moved, "--player learned" if _trains(question) else with_it)
        )
    if is_noted(_failed(request, policy)):
        return answer
    how = (
        "add --player learned, which trains a policy for ten seconds"
        if _trains(question)
        else _how_to_train(request)
    )
    if question.watch.is_seen():
        begin(request)
        how = f"run the command again in a minute, when a training of ten seconds has ended; or {how}"
    return answer.hinted(
        f"  caveat   a better policy than {policy} can change this result. To see how, {how}"
    )


def _trains(question: "Question[Any]") -> bool:
    """Return whether the question has the option `--player`; `run` and `gate` do not."""
    return hasattr(question, "player")


def _how_to_train(request: "Request") -> str:
    out = f"{request.game.name}.learned"
    options = {"players": request.players, "difficulty": request.difficulty, "set": dict(request.sets)}
    train = command_of("train", request.named, learn=True, **options, out=out)
    return f"train a policy ({train}), and add --policy {quoted(f'learned@{out}')}"


def _request_of(question: "Question[Any]") -> "Request | None":
    """Return the request of a question about a short game without `--player`; None for any other question."""
    from bartizan.api.question import GameQuestion

    if os.environ.get(OPTION) == "off" or getattr(question, "player", None):
        return None
    with suppress(BartizanError, OSError):
        request, name = None, str(getattr(question, "name", ""))
        if name.endswith(".toml"):
            request = _of_plan(Path(name))
        elif isinstance(question, GameQuestion):
            first = {name: _first(getattr(question, name, None)) for name in ("difficulty", "players")}
            request = question.request(policy=listed(getattr(question, "policy", None))[:1], **first)
        if request and request.named.endswith(".py") and is_short(Path(request.named)):
            _ = request.loaded  # raises for several values of one number, which are not one game
            return request
    return None


def _first(values: Any) -> Any:
    return next(iter(values), None) if isinstance(values, (list, tuple)) else values


def _of_plan(plan_file: Path) -> "Request | None":
    """Return the request of the first cell of a plan; None if the cells have different numbers."""
    from bartizan.api.answers.sweep import some_named
    from bartizan.policies.request import Request
    from bartizan.simcore.game import load_game
    from bartizan.simcore.sweep.plan import read_plan

    plan = read_plan(plan_file, some_named, load_game)
    first = plan.cells[0]
    if any(cell.sets != first.sets for cell in plan.cells):
        return None
    return Request(plan.game, plan.scenario, first.difficulty, first.policies[:1], sets=dict(first.sets))


def policy_of(request: "Request") -> str | None:
    """Return the only policy of a request, or the game's default policy if none is given.

    Returns None for several policies, a learned policy, changed weights, and a policy from another file.
    """
    text = request.policy[0] if request.policy else ""
    if len(request.policy) > 1 or ".py" in text or set(text) & set("@+="):
        return None
    return text.strip() or request.game.default_policy


# ---------------------------------------------------------------- what is kept


def place(request: "Request", policy: str) -> Path:
    """Return the path of the file with the learned policy and its measured effect.

    The name depends on the rules and on all numbers, including those of sheets and of the command
    (`Scenario.hash`).
    """
    game = request.game
    version = mark(str(game.home), game.source_hash, request.loaded.hash, policy)
    return cache_root() / FOLDER / f"{game.name}-{version[:12]}.learned"


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

    Returns the comparison.
    """
    from bartizan.analyses.experiments import learning
    from bartizan.analyses.experiments.tuning import FRESH
    from bartizan.api.answers.learning import LearnRun
    from bartizan.api.questions.skill import TrainQuestion
    from bartizan.policies import learned
    from bartizan.simcore.files import updating

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
        set=request.sets,
        players=request.players,
        fresh=GAMES,
    )
    question.watch = watch or question.watch
    with updating(out):
        if moved := kept(request, policy):
            return moved
        out.unlink(missing_ok=True)
        run = LearnRun(question, replace(request, policy=()))
        school, d = run.school, run.document(responds=False)
        moved = {"policy": school.judge, "file": str(out), "training_games": d.games}
        moved |= {"against": d.against[0].plain(), "method": d.method}
        if school.seats > 1:
            with run.effort.source(school.game) as source:
                seed = question.seed + 4 * FRESH
                moved["first_seat"] = learning.first_seat(school, run.best, GAMES, seed, source).plain()
        run.write({**learned.read(out), MOVED: moved})
    return moved


# ---------------------------------------------------------------- in the background


def begin(request: "Request") -> None:
    """Start the measurement in a background process, which can outlive this one."""
    command = [sys.executable, "-c", SCRIPT, json.dumps(asdict(request))]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    with suppress(OSError):
        subprocess.Popen(command, **streams, start_new_session=True)  # type: ignore[call-overload]


def in_background(words: str) -> None:
    """Entry point of the background process: measure once, with low priority.

    A game that cannot be measured is recorded and not tried again.
    """
    from bartizan.policies.request import Request

    with suppress(ImportError, OSError, ValueError):
        import resource

        os.nice(19)
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 5))
    request = Request(**json.loads(words))
    request = replace(request, policy=tuple(request.policy))
    if (policy := policy_of(request)) is None or kept(request, policy):
        return
    try:
        measured(request, policy)
    except BartizanError:
        note(_failed(request, policy))
