"""`compare`: compare a baseline with changes on common random numbers, all at once or step by step."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from bartizan.analyses.experiments import coverage, luck_adjustment, sequential
from bartizan.analyses.records import comparison
from bartizan.analyses.records.seating import LineUp
from bartizan.api.answer import EXIT_INCONCLUSIVE, Answer, as_json
from bartizan.api.caveats import caveat, shown
from bartizan.api.effort import Effort
from bartizan.api.keeping import Folder, folder_of, next_report, place_of
from bartizan.api.looks import KeptLooks, before, looks_said, own_code
from bartizan.api.playing import play, rows_in
from bartizan.api.questions.balance import CompareQuestion
from bartizan.api.reading import half_width, listed, path_of, texts
from bartizan.policies.registry import find_player, option_lacked, other_line_up
from bartizan.policies.request import Request, line_up_words
from bartizan.policies.restricted import insisting
from bartizan.reports.document import head, tail
from bartizan.reports.text import sentences
from bartizan.reports.views import compare as views
from bartizan.reports.views import sequential as sequential_views
from bartizan.reports.views import steps
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import quoted, write_atomic
from bartizan.simcore.game import Game
from bartizan.simcore.play.luck_adjusted import ADJUSTED
from bartizan.simcore.play.match import Match
from bartizan.simcore.reporting import CONFIDENCE
from bartizan.simcore.scenario.changes import changes_of, unit_of
from bartizan.simcore.scenario.loading import Scenario, load_scenario, paths_meant
from bartizan.simcore.scenario.parameters import called, get
from bartizan.simcore.sweep.manifest import make_ready
from bartizan.simcore.sweep.plan import Plan, plan_of
from bartizan.simcore.sweep.store import COMPARISON, Cell, has_results, open_sweep

COMPARED = "compare"  # kind of a comparison that is saved in the folder of a sweep
ONE_LOOK = (
    "These intervals are for one look. To add games until a difference shows, use --test, or save the result "
    "with -o, which counts looks."
)


def answer(question: CompareQuestion) -> Answer:
    claim = _claim(question)
    if question.steps:
        if question.change or claim or question.luck_adjusted:
            raise UsageError(
                "compare --steps: the scenario defines the changes; remove --change, --test and "
                "--luck-adjusted"
            )
        return _step_by_step(question)
    if not question.change:
        raise UsageError(
            "compare: no change given; add --change PATH=VALUE (bartizan describe GAME --knobs "
            "lists the paths; also scenario=, difficulty=, policy=)"
        )
    request, effort = question.request(), question.effort(question.games)
    changes = dict(question.change)
    policies: Any = changes.pop("policy", None)
    scenario = changes.pop("scenario", None)
    named = None if scenario is None else str(scenario)
    sides = sides_of(request, effort, texts(changes), named, listed(policies), question.command_line())
    if question.luck_adjusted and claim:
        raise UsageError(
            "compare: --test does not support --luck-adjusted, because it stops early; remove one of them"
        )
    if claim:
        return _until_answered(sides, claim, effort)
    return _played(question, sides, effort)


def _claim(question: CompareQuestion) -> sequential.Hypothesis | None:
    """Return the hypothesis of `--test` with its margin and error rates; None without `--test`.

    Raises UsageError for options that cannot be combined.
    """
    if question.test is None:
        return None
    if question.out:
        raise UsageError(
            "compare: --test does not save games; remove -o, or remove --test to simulate and save a fixed "
            "number of games"
        )
    margin = half_width("1pp" if question.margin is None else question.margin, "--margin")
    alpha, beta = (0.05 if rate is None else rate for rate in (question.alpha, question.beta))
    return sequential.read_claim(question.test, margin, alpha, beta)


@dataclass(frozen=True)
class Sides:
    """The two sides of a comparison: the plans of the baseline and of the change, and their differences."""

    game: Game
    plans: tuple[Plan, Plan]
    changed: list[dict[str, Any]]  # path, name, old value, new value

    @cached_property
    def has_levels(self) -> bool:
        """Whether sentences about this game must state the level."""
        plan = self.plans[0]
        own = load_scenario(self.game, plan.scenario, None, dict(plan.cells[0].sets))
        return len(own.model.difficulties()) > 1

    @cached_property
    def identity(self) -> list[Any]:
        """Key that identifies a comparison independently of its number of games."""
        scenarios = [
            load_scenario(self.game, plan.scenario, cell.difficulty, dict(cell.sets)).hash
            for plan in self.plans
            for cell in plan.cells
        ]
        line_ups = [list(cell.policies) for plan in self.plans for cell in plan.cells]
        named = dict.fromkeys(text for line_up in line_ups for text in line_up)
        own = own_code(self.game, [find_player(self.game, text) for text in named])
        return [self.game.name, self.game.behaviour, scenarios, line_ups, self.plans[0].seed, *own]

    def matches(self) -> list[list[Match]]:
        """Return the matches of both sides: one list per side, with one match per seating."""
        return [[cell.match for cell in make_ready(plan, self.game, find_player)] for plan in self.plans]


def sides_of(
    request: Request,
    effort: Effort,
    changes: Mapping[str, str],
    scenario: str | None = None,
    policies: Sequence[str] = (),
    command: str = "",
) -> Sides:
    """Plan both sides of the comparison.

    changes: maps paths to values. scenario, policies: the scenario and the policies of the change, if they
    differ from the baseline. Both sides have the same policies unless the change replaces them.
    """
    game = request.game
    volume, after = (effort.games, effort.seed, command), scenario or request.scenario
    changes = paths_meant(game, after, changes)
    before, changed = request.leveled, request.leveled | changes
    held = request.best() if policies else request.best(load_scenario(game, after, None, changed))
    line_up = request.line_up("compare", held)
    other = other_line_up(game, line_up, list(policies)) if policies else line_up
    plans = (
        plan_of(game, request.named, request.scenario, before, line_up, *volume),
        plan_of(game, request.named, after, changed, other, *volume),
    )
    return Sides(game, plans, _changed(game, *plans, changes))


def _changed(game: Game, base: Plan, changed: Plan, paths: Iterable[str]) -> list[dict[str, Any]]:
    """Return the differences between two plans as rows. Raises UsageError if the plans are equal."""
    before, after = (
        load_scenario(game, plan.scenario, plan.cells[0].difficulty, dict(plan.cells[0].sets))
        for plan in (base, changed)
    )
    seats, others = (plan.cells[0].policies for plan in (base, changed))
    rows = []
    if base.scenario != changed.scenario:
        row = {"path": "scenario", "what": "scenario", "from": before.name, "to": after.name}
        rows.append({**row, "changes": changes_of(game, after)})
    rows += [_changed_value(game, before, after, path) for path in paths]
    if (was := line_up_words(game, seats)) != (now := line_up_words(game, others)):
        lacks = option_lacked(game, seats, others)
        row = {"path": "policy", "what": "policy", "from": was, "to": now}
        rows.append({**row, **({"lacks": lacks} if lacks else {})})
    if before.hash == after.hash and seats == others:
        already = [f"{row['path']} is already {row['to']}" for row in rows]
        raise UsageError(
            f"compare: the change has no effect: {', '.join(already) or 'the same policies play'}; "
            "choose another value"
        )
    return rows


def _changed_value(game: Game, before: Scenario, after: Scenario, path: str) -> dict[str, Any]:
    here, _, last = path.rpartition(".")
    was = get(before.data, path) if last in (get(before.data, here) if here else before.data) else None
    what = called(path, after.data)
    return {"path": path, "what": what, "from": was, "to": get(after.data, path), **unit_of(game, path)}


# ---------------------------------------------------------------- a fixed number of games


def _played(question: CompareQuestion, sides: Sides, effort: Effort) -> Answer:
    """Simulate both sides, and return the comparison of paired games.

    With -o, a separate folder contains the comparison with the games of both sides. The folder of a sweep
    contains only the comparison, which the report of the sweep shows as a section.
    """
    out = path_of(question.out)
    is_section = out is not None and has_results(out)
    keep = folder_of(question, out, sides.game, COMPARED) if out and is_section else None
    folder = Folder(None if is_section else out)
    if question.luck_adjusted:
        seated = [cell.policies for cell in sides.plans[0].cells]
        effort.holds(2 * len(seated) * luck_adjustment.bytes_of(len(seated[0])))  # of both sides
    looks = before(out, COMPARED, *sides.identity)
    document = _compared(sides, folder, effort, looks=looks)
    if question.luck_adjusted:  # simulate the games again to estimate the luck in each
        effort.compiles(sides.game, ADJUSTED)
        (base, changed), games = sides.matches(), sides.plans[0].games
        level = looks.plain_level(games)
        result = luck_adjustment.luck_difference(
            base, changed, document.by_player, games, jobs=effort.workers, confidence=level
        )
        document = document.model_copy(update={"luck_adjusted": result})
    if out and keep:
        question.watch.kept(keep(document.plain()), next_report(out))
    elif out:
        write_atomic(out / COMPARISON, as_json(document.plain()).encode() + b"\n")
    return shown(
        sides.game,
        document,
        partial(views.view, document),
        document.assumptions,
        document.sides,
        hints=[
            *looks_said(document),
            *([f"Next: bartizan report {quoted(out)} -o report.html"] if out else []),
        ],
        rows=rows_in(folder / "a", folder / "b", sides=("a", "b")),
    )


def _compared(
    sides: Sides, folder: Folder, effort: Effort, of: int = 1, looks: KeptLooks | None = None
) -> views.ComparisonDocument:
    """Simulate both sides, save them in folder/a and folder/b, and return the document of `compare --json`.

    of: number of comparisons that share the error rate. looks: earlier looks at a saved comparison.
    """
    game, folders = sides.game, ((folder / "a").path, (folder / "b").path)
    documents = [play(one, plan, game, effort) for one, plan in zip(folders, sides.plans, strict=True)]
    use = None
    # if the change forbids an option: how often it was used, and how often it is still forced
    if len(sides.changed) == 1 and (kinds := sides.changed[0].get("lacks")):
        free, restricted = (seatings[0] for seatings in sides.matches())
        use = coverage.option_use(free, restricted, insisting(restricted), kinds)
    cells = [tuple(open_sweep(one).cells) for one in folders]
    looks = looks or KeptLooks()
    seen = looks.fields(effort.games) if of == 1 else {}
    level = (looks.level(effort.games), looks.plain_level(effort.games))
    return of_cells(game, cells, documents, sides.changed, sides.has_levels, level, use, of, seen)


def of_cells(
    game: Game,
    cells: Sequence[Sequence[Cell]],
    documents: Sequence[list[dict[str, Any]]],
    changed: list[dict[str, Any]],
    has_levels: bool,
    level: tuple[float, float] = (CONFIDENCE, CONFIDENCE),
    use: coverage.OptionUse | None = None,
    of: int = 1,
    seen: Mapping[str, Any] | None = None,
) -> views.ComparisonDocument:
    """Compare two simulated sides.

    cells, documents: the cells and documents of each side, one per seating. changed: the differences between
    the sides. level: the confidence levels of the verdict at this look and of the intervals without
    adjustment.
    """
    players = tuple(dict.fromkeys(player for side in cells for player in LineUp(tuple(side)).players))
    base, other = (LineUp(tuple(side), players) for side in cells)
    result = comparison.of_line_ups(base, other, *level)
    a, b = ({**one, **({"rotations": rest} if rest else {})} for one, *rest in documents)
    return views.document(result, (a, b), changed, game.alike, has_levels, use, of, level[0], seen or {})


# ---------------------------------------------------------------- until a claim is answered


def _until_answered(sides: Sides, claim: sequential.Hypothesis, effort: Effort) -> Answer:
    """Simulate pairs of games until the hypothesis is decided.

    `effort.games` is the maximum number of pairs.
    """
    game = sides.game
    base, other = sides.matches()
    with effort.source(game, effort.games) as source:
        result = sequential.analyze(claim, base, other, effort.games, source)
    documents = [
        {
            **head(seatings[0], seatings[0].scenario),
            "seatings": len(seatings),
            **tail(seatings[0].scenario),
            **caveat(game, seatings[0].scenario),
        }
        for seatings in (base, other)
    ]
    names = result.names if result.by_player else ()
    subject = sentences.headline(game.alike, game.roles_in(base[0].scenario), *names)
    document = sequential_views.document(result, documents, sides.changed, subject, sides.has_levels)
    code = {"yes": 0, "no": 1}.get(document.answer, EXIT_INCONCLUSIVE)
    view = partial(sequential_views.view, document)
    return shown(game, document, view, document.assumptions, document.sides, exit_code=code)


# ---------------------------------------------------------------- step by step


def _step_by_step(question: CompareQuestion) -> Answer:
    """Simulate each step that the scenario lists by itself, and then all steps together."""
    request, effort = question.request(), question.effort(question.games)
    game, volume = request.game, (effort.games, effort.seed, question.command_line())
    keep = place_of(question, game)
    model = load_scenario(game, request.scenario).model
    if not model.step:
        raise UsageError(
            f"compare --steps: scenario {model.name} lists no steps; add tables [step.NAME] with title "
            "and set"
        )
    line_up = request.line_up("compare --steps")
    together = {path: value for step in model.step.values() for path, value in step.set.items()}
    wanted = {step.title: step.set for step in model.step.values()} | {"All of these together": together}
    compared, kept = [], []
    for title, changes in wanted.items():
        base, changed = (
            plan_of(game, request.named, request.scenario, request.leveled | more, line_up, *volume)
            for more in ({}, changes)
        )
        sides = Sides(game, (base, changed), _changed(game, base, changed, changes))
        kept.append(sides.identity)
        compared.append((title, changes, sides))
    looks = before(path_of(question.out), question.kept_as, *kept)
    level, seen = looks.level(effort.games), looks.fields(effort.games)
    found = [
        (title, changes, _compared(sides, Folder(None), effort, len(wanted), looks))
        for title, changes, sides in compared
    ]
    document = steps.document(found, level, seen)
    keep(document.plain())
    hints = looks_said(document)
    view = partial(steps.view, document)
    return shown(game, document, view, document.a["assumptions"], [document.a], hints=hints)
