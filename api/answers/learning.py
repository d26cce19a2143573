"""`train --learn`: train a policy by self-play, evaluate it on held-out games, and save it in a file."""

import json
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bartizan.analyses.experiments import learning
from bartizan.analyses.experiments.tuning import FRESH, Knob, read_knob
from bartizan.api.answer import Answer
from bartizan.api.answers.sensitivity import knob_meant
from bartizan.api.answers.training import digest_of
from bartizan.api.caveats import shown
from bartizan.api.effort import Effort
from bartizan.api.questions.skill import TrainQuestion
from bartizan.api.reading import listed
from bartizan.policies import learned, registry
from bartizan.policies.protocol import as_player
from bartizan.policies.request import Request, name_in_commands
from bartizan.reports.document import tail
from bartizan.reports.render.progress import duration
from bartizan.reports.text import words
from bartizan.reports.views import learned as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import updating, write_atomic, writing
from bartizan.simcore.learning.balancing import balancing
from bartizan.simcore.learning.layout import Layout, layout_of
from bartizan.simcore.learning.self_play import learning as learning_loop
from bartizan.simcore.learning.self_play import probing
from bartizan.simcore.play.batch import Progress, Source
from bartizan.simcore.play.match import Player
from bartizan.simcore.scenario.changes import caveat_of

MINUTES = 3.0
ANNOUNCED = 60.0  # games after the training that take longer than these seconds are announced
SAVED_AFTER = 10.0  # seconds of training between two saved states
VARIANTS = 24  # variants of the rules, with --vary
CHOOSING = 5  # each seed plays 1/CHOOSING of the held-out games to choose the best
SLOW, LEAST = 20, 100  # all policies except the first get 1/SLOW of the held-out games, at least LEAST
OF_WEIGHTS = ("weight", "generations", "games", "role", "policy", "cluster")  # options of the other training


def answer_learn(question: TrainQuestion) -> Answer:
    """Train every seed, choose the best, evaluate it, and write it to a file."""
    hold_options(question)
    out = Path(question.out)
    if out.suffix != learned.SUFFIX:
        raise UsageError(f"-o {out}: a learned policy is saved in a {learned.SUFFIX} file; use such a name")
    if not out.parent.is_dir():
        raise UsageError(f"-o {out}: the folder {out.parent} does not exist; create it first")
    with updating(out, wait=False):
        done = _learned(question, question.request(difficulty=_level(question), policy=()), out)
    return shown(done.school.game, done.document, partial(views.view, done.document))


def moved_by(question: TrainQuestion, request: Request, key: str) -> dict[str, Any]:
    """Return the effect of a short training run on the results.

    If the policy's file contains the effect under `key`, it is read. Otherwise, the policy is trained, and it
    is saved in this file with its effect (see `api.practice`).
    """
    out = Path(question.out)
    with updating(out):
        if out.exists() and (moved := learned.read(out).get(key)):
            return dict(moved)
        out.unlink(missing_ok=True)
        done = _learned(question, request, out, responds=False)
        school, d = done.school, done.document
        moved = {"policy": school.judge, "file": str(out), "training_games": d.games}
        moved |= {"against": d.against[0].plain(), "method": d.method}
        if school.seats > 1:
            with question.effort(question.fresh).source(school.game) as source:
                seed = question.seed + 4 * FRESH
                moved["first_seat"] = learning.first_seat(
                    school, done.player, question.fresh, seed, source
                ).plain()
        _write(out, {**learned.read(out), key: moved})
    return moved


@dataclass(frozen=True)
class Done:
    """A finished training run: the setup, the learned policy, and the document."""

    school: learning.School
    player: Player
    document: views.LearnDocument


def _level(question: TrainQuestion) -> str | None:
    levels = listed(question.difficulty)
    return levels[0] if levels else None


def hold_options(question: TrainQuestion) -> None:
    """Raise UsageError for options that `--learn` does not support or that exclude each other.

    Also raises it for an unknown objective.
    """
    options = {option.name: option for option in question.options}
    for name in OF_WEIGHTS:
        if getattr(question, name) != options[name].default:
            raise UsageError(f"{options[name].flag}: not supported by --learn; remove one of them")
    if question.objective not in ("wins", "score"):
        raise UsageError(f"--objective {question.objective}: no such objective; write wins or score")
    if question.minutes is not None and question.rounds is not None:
        raise UsageError("--minutes and --rounds are mutually exclusive; use one")
    if len(listed(question.difficulty)) > 1:
        raise UsageError("--difficulty: with --learn, give one level")


def _learned(question: TrainQuestion, request: Request, out: Path, responds: bool = True) -> Done:
    """Train a policy and evaluate it.

    responds: in a two-sided game, measure the exploitability of the learned policy.
    """
    game = request.game
    parameters, named = request.loaded.parameters(), listed(question.vary)
    knobs = [read_knob(knob_meant(text, request.loaded), parameters, "--vary") for text in named]
    layout = layout_of(game, tuple(knob.parameter.path for knob in knobs))
    effort = question.effort(question.fresh)
    school = _school(request, question, layout, knobs)
    identity = _identity(school, question, knobs)
    before = _before(out, identity)
    for loop in (probing(layout), *([balancing(layout)] if school.is_mixed else []), learning_loop(layout)):
        _compile(effort, school, loop)
    probed = learning.probe(school)
    if school.is_advised and not probed.is_advised:
        effort.watch.note(
            f"{school.judge} sees hidden cards, so the training does not start from its choices"
        )
    lessons = learning.lessons_of(school, probed)
    rounds = _rounds(question, lessons, before)
    pupils = [_resumed(lessons, number, before) for number in range(question.seeds)]
    lessons.time_games()
    pupils_in_all = len(pupils) + probed.is_advised
    after = partial(_after, question, lessons, pupils_in_all, rounds, effort.threads, responds)
    _announce(effort, question, school, pupils_in_all, after(0.0))
    _train(effort, lessons, pupils, rounds, out, identity, after)
    if probed.is_advised:  # never choose a seed that plays worse than the initial policy
        pupils.append(lessons.adviser(len(pupils)))
    players = [_player(school, lessons, pupil) for pupil in pupils]
    with effort.source(game) as source:
        values = _values(school, players, question, source)
        best = int(np.argmax(values))
        against = _against(school, players[best][0], question, source)
        response = _response(school, players[best][0], probed, rounds, question, source) if responds else {}
    document = _document(question, request, school, rounds, pupils, values, best, against, probed.leaks, out)
    document = document.model_copy(update={**response, "method": lessons.method})
    facts = {**identity, "rounds": rounds, "games": document.games, "checked": views.checked(document)}
    facts |= {"base": school.judge} if probed.is_advised else {}
    facts |= {"sentence": document.sentence, "parts": layout.parts}
    _write(out, {**facts, "network": learned.network(players[best][1])})
    effort.watch.kept(out)
    return Done(school, players[best][0], document)


def _compile(effort: Effort, school: learning.School, loop: Any) -> None:
    """Compile the training loop unless this has been done before, and report the compilation to the user."""
    engine, seats = school.engine, len(school.game.roles)
    if not loop.is_compiled(engine, seats):
        with effort.watch.compilation(f"{school.game.name} {loop.kernel.__name__}", school.game.name):
            loop.compiled_for(engine, seats)


# ---------------------------------------------------------------- what is learned, from whom


def _school(
    request: Request, question: TrainQuestion, layout: Layout, knobs: Sequence[Knob]
) -> learning.School:
    game, scenario = request.game, request.loaded
    known = registry.policies_of(game)
    named = question.with_
    own = [name for name in known if name not in ("random", registry.NEWCOMER)]
    default = [game.default_policy] if game.default_policy != "random" else []
    weak = [name for name in (registry.NEWCOMER, "random") if name in known]
    names = dict.fromkeys([*([named] if named else []), *default, *reversed(own), *weak])
    others = {name: registry.find_player(game, name) for name in names}
    judge = registry.find_policy(game, next(iter(names)))
    # an exploitable policy would draw a mixed strategy away from the equilibrium
    is_bot = not (judge.name.startswith(tuple(weak)) or judge.learns or judge.room)
    is_advised = is_bot and not question.mixed
    is_for_score = question.objective == "score"
    if is_for_score and not layout.game.has_score:
        raise UsageError(f"--objective score: {game.name} declares no score; use --objective wins")
    luck = np.random.default_rng(question.seed)
    drawn = [
        {knob.parameter.path: knob.values[luck.integers(len(knob.values))] for knob in knobs}
        for _ in range(VARIANTS if knobs else 0)
    ]
    return learning.School(
        game,
        scenario,
        layout,
        others,
        question.seed,
        with_judge=learning.WITH_BOT if named or is_advised else 0.0 if question.mixed else learning.SLOW,
        is_advised=is_advised,
        is_for_score=is_for_score,
        is_mixed=question.mixed,
        varied=tuple(replace(request, sets={**request.sets, **values}).loaded for values in drawn),
    )


def _identity(school: learning.School, question: TrainQuestion, knobs: Sequence[Knob]) -> dict[str, Any]:
    """Return the description of the question that the file stores.

    Training resumes only if the stored description is identical.
    """
    game, scenario = school.game, school.scenario
    options = ("scenario", "difficulty", "players", "set", "learn", "minutes", "rounds", "seeds", "with_")
    learned_as = ("objective", "mixed", "vary")
    return {
        "format": learned.FORMAT,
        "game": game.name,
        "title": scenario.model.title,
        "command": question.command_with(game, *options, *learned_as, "seed"),
        "scenario": scenario.name,
        "difficulty": scenario.difficulty if len(scenario.model.difficulties()) > 1 else "",
        "players": len(game.roles_in(scenario)) if game.alike else 0,
        "changes": dict(scenario.overrides),
        "scenario_hash": scenario.hash,
        "behaviour": game.behaviour,
        "rules": game.source_hash,
        "layout": school.layout.hash,
        "seed": question.seed,
        "seeds": question.seeds,
        **({"objective": question.objective} if school.is_for_score else {}),
        **({"mixed": True} if school.is_mixed else {}),
        **({"vary": {knob.parameter.path: list(knob.values) for knob in knobs}} if knobs else {}),
        "others": digest_of(players=[[o.name, o.source_hash, o.weights] for o in school.others.values()]),
    }


# ---------------------------------------------------------------- training, and resuming it


def _before(out: Path, identity: Mapping[str, Any]) -> dict[str, Any]:
    """Return the saved progress of the same training; {} if the file does not exist or contains no progress.

    Raises UsageError if the file belongs to another question.
    """
    if not out.exists():
        return {}
    content = learned.read(out)
    if other := [key for key, value in identity.items() if content.get(key) != value]:
        raise UsageError(
            f"-o {out}: contains another learned policy ({', '.join(other)} differ); choose another file"
        )
    return dict(content.get("progress", {}))


def _rounds(question: TrainQuestion, lessons: learning.Lessons, before: Mapping[str, Any]) -> int:
    """Return the number of rounds per seed.

    The requested number comes first, then the number in the file, then as many rounds as fit in the minutes.
    """
    if question.rounds is not None:
        return question.rounds
    if before:
        return int(before["rounds"])
    seconds = 60 * (question.minutes or MINUTES) / question.seeds
    return learning.paced(lessons, seconds, time.process_time)


def _resumed(lessons: learning.Lessons, number: int, before: Mapping[str, Any]) -> learning.Pupil:
    """Return a pupil restored from the saved progress, or a new one. number: index of its seed."""
    pupil = lessons.pupil(number)
    kept = next((one for one in before.get("pupils", ()) if one["seed"] == pupil.seed), None)
    if kept is None:
        return pupil
    pupil.arrays = {name: learned.unpacked(kept[name]) for name in pupil.arrays}
    for name in pupil.facts():
        setattr(pupil, name, kept[name])
    return pupil


def _train(
    effort: Effort,
    lessons: learning.Lessons,
    pupils: list[learning.Pupil],
    rounds: int,
    out: Path,
    identity: Mapping[str, Any],
    after: Callable[[float], float],
) -> None:
    """Train the pupils.

    after: maps the seconds of one round to the estimated seconds of all steps after the training.
    """
    school, saved, begun = lessons.school, time.monotonic(), time.monotonic()
    done_before = sum(pupil.rounds for pupil in pupils)

    def keep(learning_ones: Sequence[learning.Pupil]) -> None:
        nonlocal saved
        if time.monotonic() - saved > SAVED_AFTER:
            kept = [
                {**one.facts(), **{name: learned.packed(array) for name, array in one.arrays.items()}}
                for one in learning_ones
                if one.rounds
            ]
            _write(out, {**identity, "progress": {"rounds": rounds, "pupils": kept}})
            saved = time.monotonic()

    with effort.watch.progress(school.game.name, rounds * len(pupils)) as draw:

        def tell(pupil: learning.Pupil) -> None:
            done = sum(one.rounds for one in pupils)
            each = (time.monotonic() - begun) / (done - done_before)
            left = each * (rounds * len(pupils) - done) + after(each)
            number = pupils.index(pupil) + 1
            cell = f"training {number} of {len(pupils)}, against {school.judge}"
            wins = pupil.looks[-1][1] if pupil.looks else 0
            is_shown = bool(pupil.looks) and (pupil.mean_score is not None or not school.is_for_score)
            shown_games = learning.LOOK_GAMES if is_shown else 0
            draw(
                Progress(
                    cell,
                    games_done=done,
                    games_total=rounds * len(pupils),
                    seconds_left=left,
                    wins=wins,
                    games_of_cell=shown_games,
                    mean_score=pupil.mean_score,
                    unit="rounds",
                    is_latest=True,
                )
            )

        learning.train(lessons, pupils, rounds, keep, tell)


def _after(
    question: TrainQuestion,
    lessons: learning.Lessons,
    pupils: int,
    rounds: int,
    threads: int,
    responds: bool,
    each: float,
) -> float:
    """Return the estimated seconds of the steps after the training: choosing, judging and the best response.

    each: seconds of a round.
    """
    games, seconds = pupils * _choosing(question) + sum(_judging(question, lessons.school).values()), 0.0
    if responds and lessons.school.seats == 2:
        seconds = _responding(rounds) * each
        games += 4 * _answering(question)  # twice, with learned policies on both sides
    return seconds + games * lessons.pace / threads


def _announce(
    effort: Effort, question: TrainQuestion, school: learning.School, pupils: int, seconds: float
) -> None:
    """Report the number and duration of the games after the training if they take long.

    seconds: their duration.
    """
    if seconds < ANNOUNCED:
        return
    first, *others = (f"{words.count(n)} against {name}" for name, n in _judging(question, school).items())
    fewer = int(float(f"{question.fresh * ANNOUNCED / seconds:.1g}"))
    effort.watch.note(
        f"after the training: {words.count(pupils * _choosing(question))} games choose the best of {pupils} "
        f"players, and it plays {words.listing([first, *others])}: about {duration(seconds)} here; "
        f"fewer games, with wider intervals: --fresh {max(LEAST, fewer)}"
    )


def _write(out: Path, content: Mapping[str, Any]) -> None:
    with writing(f"-o {out}"):
        write_atomic(out, f"{json.dumps(content, indent=1)}\n".encode())


# ---------------------------------------------------------------- choosing and judging


def _player(
    school: learning.School, lessons: learning.Lessons, pupil: learning.Pupil
) -> tuple[Player, learned.Model]:
    """Return the learned policy and its model, rounded to the numbers that the file stores."""
    model = learned.Model(lessons.coding, lessons.strategy(pupil))
    base = school.others[school.judge] if lessons.settings.is_advised else None
    policy = learned.of_model(school.layout, model, is_mixed=school.is_mixed, base=base)
    return as_player(school.game, policy), model


def _choosing(question: TrainQuestion) -> int:
    """Return the number of games per seed for choosing the best."""
    return max(question.fresh // CHOOSING, LEAST)


def _judging(question: TrainQuestion, school: learning.School) -> dict[str, int]:
    """Return the number of games against each policy, by name.

    The first policy gets all held-out games, and the others get a fraction of them.
    """
    few = max(question.fresh // SLOW, LEAST)
    return {name: few if i else question.fresh for i, name in enumerate(school.others)}


def _responding(rounds: int) -> int:
    """Return the number of rounds of a best response."""
    return max(rounds // 2, 1)


def _answering(question: TrainQuestion) -> int:
    """Return the number of games that evaluate a best response."""
    return max(question.fresh // 4, LEAST)


def _values(
    school: learning.School, players: Sequence[tuple[Any, Any]], question: TrainQuestion, source: Source
) -> list[float]:
    games = _choosing(question)
    source.expect(games * len(players))
    return learning.worths(school, [player for player, _ in players], games, question.seed + FRESH, source)


def _against(
    school: learning.School, player: Any, question: TrainQuestion, source: Source
) -> list[learning.LearnedBeside]:
    """Return comparisons of the learned policy with the other policies."""
    games = _judging(question, school)
    source.expect(2 * sum(games.values()))
    seed = question.seed + 2 * FRESH
    return [learning.judged(school, player, name, n, seed, source) for name, n in games.items()]


def _response(
    school: learning.School,
    player: Player,
    probed: learning.Probed,
    rounds: int,
    question: TrainQuestion,
    source: Source,
) -> dict[str, Any]:
    """Return the comparison of a best response with the learned policy, as fields of the document.

    Returns {} unless the game has two seats.
    """
    if school.seats != 2:
        return {}
    against = learning.responding(school, player, "the learned policy")
    lessons = learning.Lessons(against, probed)
    pupil = lessons.pupil(0)
    learning.train(lessons, [pupil], _responding(rounds), lambda pupils: None, lambda one: None)
    games = _answering(question)
    source.expect(2 * games)
    responder, _ = _player(against, lessons, pupil)
    beside = learning.judged(against, responder, against.judge, games, question.seed + 5 * FRESH, source)
    return {"response": beside, "response_games": pupil.games}


def _document(
    question: TrainQuestion,
    request: Request,
    school: learning.School,
    rounds: int,
    pupils: Sequence[learning.Pupil],
    values: Sequence[float],
    best: int,
    against: list[learning.LearnedBeside],
    leaks: Sequence[str],
    out: Path,
) -> views.LearnDocument:
    game, scenario = school.game, school.scenario
    text = f"{learned.NAME}@{out}"
    policies = ("+".join([text] + [school.judge] * (school.seats - 1)),) if game.alike else (text,)
    following = replace(request, policy=policies).words()
    d = views.LearnDocument(
        title=scenario.model.title,
        game=game.name,
        file=str(out),
        scenario=scenario.name,
        difficulty=scenario.difficulty,
        players=school.seats if game.alike else None,
        seats=school.seats,
        rounds=rounds,
        games=sum(pupil.games for pupil in pupils),
        choosing_games=_choosing(question),
        seeds=[
            views.LearnedSeed(seed=pupil.seed, games=pupil.games, value=value, looks=pupil.looks)
            for pupil, value in zip(pupils, values, strict=True)
        ],
        chosen=pupils[best].seed,
        against=against,
        not_seen=[*school.layout.unseen_numbers(), *leaks],
        banner=caveat_of(game, scenario),
        assumptions=tail(scenario)["assumptions"],
        next=shlex.join(["bartizan", "run", name_in_commands(game), *following]),
    )
    return d.model_copy(update={"sentence": views.sentence(d)})
