"""`train --learn`: train a policy by self-play, evaluate it on held-out games, and save it in a file."""

import json
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from bartizan.analyses.experiments import learning
from bartizan.analyses.experiments.tuning import FRESH, read_knob
from bartizan.api.answer import Answer
from bartizan.api.answers.sensitivity import knob_meant
from bartizan.api.answers.training import check_same, digest_of
from bartizan.api.caveats import shown
from bartizan.api.question import flag_of
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
from bartizan.simcore.files import check_folder, updating, write_atomic, writing
from bartizan.simcore.learning.balancing import balancing
from bartizan.simcore.learning.layout import layout_of
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
ANSWERING = 4  # and a best response 1/ANSWERING
SLOW, LEAST = 20, 100  # all policies except the first get 1/SLOW of the held-out games, at least LEAST
OF_WEIGHTS = ("weight", "generations", "games", "role", "policy", "cluster")  # options of the other training


def answer_learn(question: TrainQuestion) -> Answer:
    """Train every seed, choose the best, evaluate it, and write it to a file."""
    check_options(question)
    out = Path(question.out)
    if out.suffix != learned.SUFFIX:
        raise UsageError(f"-o {out}: a learned policy is saved in a {learned.SUFFIX} file; use such a name")
    check_folder(out)
    with updating(out, wait=False):
        level = next(iter(listed(question.difficulty)), None)
        run = LearnRun(question, question.request(difficulty=level, policy=()))
        document = run.document()
    return shown(run.school.game, document, partial(views.view, document))


def check_options(question: TrainQuestion) -> None:
    """Raise UsageError for unsupported or conflicting options, and for an unknown objective."""
    for name in filter(question.has, OF_WEIGHTS):
        raise UsageError(f"{flag_of(name)}: not supported by --learn; remove one of them")
    if question.objective not in ("wins", "score"):
        raise UsageError(f"--objective {question.objective}: no such objective; write wins or score")
    if question.minutes is not None and question.rounds is not None:
        raise UsageError("--minutes and --rounds are mutually exclusive; use one")
    if len(listed(question.difficulty)) > 1:
        raise UsageError("--difficulty: with --learn, give one level")


def player_of(lessons: learning.Lessons, pupil: learning.Pupil) -> tuple[Player, learned.Model]:
    """Return the learned policy and its model, rounded to the numbers that the file stores."""
    school, model = lessons.school, learned.Model(lessons.coding, lessons.strategy(pupil))
    base = school.others[school.judge] if lessons.settings.is_advised else None
    return as_player(school.game, learned.of_model(school.layout, model, school.is_mixed, base)), model


class LearnRun:
    """A training run: its setup, and its steps from the first game to the file."""

    def __init__(self, question: TrainQuestion, request: Request):
        self.question, self.request, self.out = question, request, Path(question.out)
        self.effort = question.effort(question.fresh)
        self.best: Player  # the learned policy, once it is known

    # ------------------------------------------------------------ what is learned, from whom

    @cached_property
    def knobs(self) -> dict[str, Sequence[Any]]:
        """Values of the numbers that vary in training, by path."""
        parameters = self.request.loaded.parameters()
        meant = [knob_meant(text, self.request.loaded) for text in listed(self.question.vary)]
        knobs = [read_knob(text, parameters, "--vary") for text in meant]
        return {knob.parameter.path: knob.values for knob in knobs}

    @cached_property
    def school(self) -> learning.School:
        question, request, knobs = self.question, self.request, self.knobs
        game, scenario = request.game, request.loaded
        layout = layout_of(game, tuple(knobs))
        known = registry.policies_of(game)
        weak = [name for name in (registry.NEWCOMER, "random") if name in known]
        own = [name for name in known if name not in weak]
        default = game.default_policy if game.default_policy != "random" else None
        names = dict.fromkeys(filter(None, [question.with_, default, *reversed(own), *weak]))
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
            {path: values[int(luck.integers(len(values)))] for path, values in knobs.items()}
            for _ in range(VARIANTS if knobs else 0)
        ]
        other = 0.0 if question.mixed else learning.SLOW
        return learning.School(
            game,
            scenario,
            layout,
            others,
            question.seed,
            with_judge=learning.WITH_BOT if question.with_ or is_advised else other,
            is_advised=is_advised,
            is_for_score=is_for_score,
            is_mixed=question.mixed,
            varied=tuple(replace(request, sets={**request.sets, **values}).loaded for values in drawn),
        )

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Description of the question for the file. Training resumes only from an identical description."""
        school, question = self.school, self.question
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
            **({"vary": {path: list(values) for path, values in self.knobs.items()}} if self.knobs else {}),
            "others": digest_of(players=[[o.name, o.source_hash, o.weights] for o in school.others.values()]),
        }

    # ------------------------------------------------------------ the steps

    def document(self, responds: bool = True) -> views.LearnDocument:
        """Train and evaluate a policy, and write it to its file.

        responds: whether to measure the exploitability of the learned policy (only with two seats).
        """
        question, school, effort = self.question, self.school, self.effort
        before, lessons = self._before(), self._lessons()
        is_advised, rounds = lessons.settings.is_advised, self._rounds(lessons, before)
        pupils = [self._resumed(lessons.pupil(number), before) for number in range(question.seeds)]
        plan = Evaluation(question.fresh, school, len(pupils) + is_advised, responds, rounds)
        if (seconds := plan.seconds(lessons.pace / effort.threads)) >= ANNOUNCED:
            effort.watch.note(plan.announcement(seconds))
        self._train(lessons, pupils, plan)
        if is_advised:  # never choose a seed that plays worse than the initial policy
            pupils.append(lessons.adviser(len(pupils)))
        players = [player_of(lessons, pupil) for pupil in pupils]
        with effort.source(school.game) as source:
            source.expect(plan.choosing * len(players))
            seed = question.seed + FRESH
            values = [learning.worth(school, one, plan.choosing, seed, source) for one, _ in players]
            chosen = int(np.argmax(values))
            self.best, model = players[chosen]
            source.expect(2 * sum(plan.judging.values()))
            seed = question.seed + 2 * FRESH
            judging = plan.judging.items()
            against = [learning.judged(school, self.best, name, n, seed, source) for name, n in judging]
            response = self._response(lessons.probed, plan, source) if plan.responds else {}
        scenario, game = school.scenario, school.game
        d = views.LearnDocument(
            title=scenario.model.title,
            game=game.name,
            file=str(self.out),
            scenario=scenario.name,
            difficulty=scenario.difficulty,
            players=school.seats if game.alike else None,
            seats=school.seats,
            rounds=rounds,
            games=sum(pupil.games for pupil in pupils),
            choosing_games=plan.choosing,
            seeds=[
                views.LearnedSeed(seed=pupil.seed, games=pupil.games, value=value, looks=pupil.looks)
                for pupil, value in zip(pupils, values, strict=True)
            ],
            chosen=pupils[chosen].seed,
            against=against,
            has_score=school.layout.game.has_score or None,
            mixed=school.is_mixed or None,
            **response,
            not_seen=[*school.layout.unseen_numbers(), *lessons.probed.leaks],
            method=lessons.method,
            banner=caveat_of(game, scenario),
            assumptions=tail(scenario)["assumptions"],
            next=self._next(),
        )
        d = d.model_copy(update={"sentence": views.sentence(d)})
        facts = {**self.identity, "rounds": rounds, "games": d.games, "checked": views.checked(d)}
        facts |= {"base": school.judge} if is_advised else {}
        facts |= {"sentence": d.sentence, "parts": school.layout.parts}
        self.write({**facts, "network": learned.packed_arrays(model.arrays)})
        effort.watch.kept(self.out)
        return d

    def _lessons(self) -> learning.Lessons:
        """Compile the loops, probe the game, and return the training rounds."""
        school, effort = self.school, self.effort
        for loop in (probing, *([balancing] if school.is_mixed else []), learning_loop):
            effort.compiles(school.game, loop(school.layout))
        lessons = learning.lessons_of(school, learning.probe(school))
        if school.is_advised and not lessons.settings.is_advised:
            effort.watch.note(
                f"{school.judge} sees hidden cards, so the training does not start from its choices"
            )
        return lessons

    def _before(self) -> dict[str, Any]:
        """Return the saved progress of this training; {} without a file, or without progress in it.

        Raises UsageError if the file belongs to another question.
        """
        if not self.out.exists():
            return {}
        content = learned.read(self.out)
        check_same(self.out, self.identity, content, "learned policy")
        return dict(content.get("progress", {}))

    def _rounds(self, lessons: learning.Lessons, before: Mapping[str, Any]) -> int:
        """Return the number of rounds per seed.

        This is the requested number, otherwise the number in the file, otherwise as many rounds as fit in
        `--minutes`.
        """
        if self.question.rounds is not None:
            return self.question.rounds
        if before:
            return int(before["rounds"])
        seconds = 60 * (self.question.minutes or MINUTES) / self.question.seeds
        return learning.paced(lessons, seconds, time.process_time)

    @staticmethod
    def _resumed(pupil: learning.Pupil, before: Mapping[str, Any]) -> learning.Pupil:
        """Restore a new pupil from the saved progress of its seed, if there is any."""
        for kept in before.get("pupils", ()):
            if kept["seed"] == pupil.seed:
                pupil.arrays = {name: learned.unpacked(kept[name]) for name in pupil.arrays}
                for name in pupil.facts():
                    setattr(pupil, name, kept[name])
        return pupil

    def _train(self, lessons: learning.Lessons, pupils: Sequence[learning.Pupil], plan: "Evaluation") -> None:
        school, rounds = self.school, plan.rounds
        saved = begun = time.monotonic()
        done = before = sum(pupil.rounds for pupil in pupils)
        total = rounds * len(pupils)
        with self.effort.watch.progress(school.game.name, total) as draw:
            for number, pupil in enumerate(pupils, 1):
                while pupil.rounds < rounds:
                    lessons.round(pupil, rounds)
                    done += 1
                    each = (time.monotonic() - begun) / (done - before)
                    after = plan.seconds(lessons.pace / self.effort.threads, each)
                    is_looked = pupil.looks and (pupil.mean_score is not None or not school.is_for_score)
                    draw(
                        Progress(
                            f"training {number} of {len(pupils)}, against {school.judge}",
                            games_done=done,
                            games_total=total,
                            seconds_left=each * (total - done) + after,
                            wins=pupil.looks[-1][1] if is_looked else 0,
                            games_of_cell=learning.LOOK_GAMES if is_looked else 0,
                            mean_score=pupil.mean_score,
                            unit="rounds",
                            is_latest=True,
                        )
                    )
                    if time.monotonic() - saved > SAVED_AFTER:
                        kept = [
                            one.facts() | learned.packed_arrays(one.arrays) for one in pupils if one.rounds
                        ]
                        self.write({**self.identity, "progress": {"rounds": rounds, "pupils": kept}})
                        saved = time.monotonic()

    def _response(self, probed: learning.Probed, plan: "Evaluation", source: Source) -> dict[str, Any]:
        """Train a best response to the learned policy. Return the comparison as fields of the document."""
        others = {"the learned policy": self.best}
        against = replace(self.school, others=others, with_judge=learning.RESPONDING, is_mixed=False)
        lessons = learning.Lessons(against, probed)
        pupil = lessons.pupil(0)
        while pupil.rounds < plan.responding:
            lessons.round(pupil, plan.responding)
        source.expect(2 * plan.answering)
        responder, _ = player_of(lessons, pupil)
        seed = self.question.seed + 5 * FRESH
        beside = learning.judged(against, responder, against.judge, plan.answering, seed, source)
        return {"response": beside, "response_games": pupil.games}

    def _next(self) -> str:
        """Return the command that simulates games with the learned policy in the first seat."""
        game, text = self.school.game, f"{learned.NAME}@{self.out}"
        policy = "+".join([text] + [self.school.judge] * (self.school.seats - 1)) if game.alike else text
        following = replace(self.request, policy=(policy,)).words()
        return shlex.join(["bartizan", "run", name_in_commands(game), *following])

    def write(self, content: Mapping[str, Any]) -> None:
        with writing(f"-o {self.out}"):
            write_atomic(self.out, f"{json.dumps(content, indent=1)}\n".encode())


class Evaluation:
    """Numbers of games and rounds after the training: to choose a policy, judge it, and train a response."""

    def __init__(self, fresh: int, school: learning.School, players: int, responds: bool, rounds: int):
        self.fresh, self.players, self.rounds = fresh, players, rounds
        self.responds = responds and school.seats == 2
        self.choosing, self.answering = (max(fresh // part, LEAST) for part in (CHOOSING, ANSWERING))
        self.judging = {name: max(fresh // SLOW, LEAST) for name in school.others} | {school.judge: fresh}
        self.responding = max(rounds // 2, 1)

    def seconds(self, pace: float, each: float = 0.0) -> float:
        """Return the estimated duration in seconds. pace: seconds per game; each: seconds per round."""
        games = self.players * self.choosing + sum(self.judging.values())
        if self.responds:  # twice, with learned policies on both sides
            return self.responding * each + (games + 4 * self.answering) * pace
        return games * pace

    def announcement(self, seconds: float) -> str:
        """Return a line about the games after the training. seconds: their expected duration."""
        first, *others = (f"{words.count(n)} against {name}" for name, n in self.judging.items())
        fewer = int(float(f"{self.fresh * ANNOUNCED / seconds:.1g}"))
        return (
            f"after the training: {words.count(self.players * self.choosing)} games choose the best of "
            f"{self.players} players, and it plays {words.listing([first, *others])}: about "
            f"{duration(seconds)} here; fewer games, with wider intervals: --fresh {max(LEAST, fewer)}"
        )
