"""`gate`: judge a plan's claims and the changes in win rates since a baseline, and give one verdict."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bartizan.analyses.records.comparison import Moved
from bartizan.analyses.statistics.testing import jointly
from bartizan.api.answer import Answer
from bartizan.api.answers.results import earlier
from bartizan.api.judging import judged_claims
from bartizan.api.questions.gate import GateQuestion
from bartizan.api.questions.sweep import RunQuestion
from bartizan.api.reading import path_of
from bartizan.reports.pages.parts.since import differing
from bartizan.reports.study import Study, study
from bartizan.reports.text.changes import title
from bartizan.reports.views import gate as views
from bartizan.reports.views.gate import SCHEMA, GateDocument, JudgedClaim, MovedRate, Verdict
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import check_output, write_atomic, writing
from bartizan.simcore.sweep.plan import read_claims
from bartizan.simcore.sweep.store import Sweep
from bartizan.simcore.sweep.verify import checked_sweep

VERDICTS: dict[str, Verdict] = {"PASS": "pass", "FAIL": "fail"}  # otherwise open
METHOD = (
    "A win rate fails if the 95 % interval of its change, simultaneous over all rates, is outside the "
    "tolerance. Games are compared in pairs on common random numbers if both runs used the same seed, "
    "otherwise as independent samples (Newcombe 1998). An inconclusive claim does not fail."
)


def answer_gate(question: GateQuestion) -> Answer:
    """Simulate the plan or read the results, then judge them.

    The exit code is 1 if anything fails, otherwise 0.
    """
    now, baseline, outputs = Path(question.now), path_of(question.baseline), _outputs(question)
    if baseline is None and question.claims is None and not question.is_plan:
        raise UsageError("gate: nothing to check; add --baseline DIR or --claims PLAN.toml")
    if question.keep and not question.is_plan:
        raise UsageError(
            f"--keep {question.keep}: applies only to a plan; the games of {now} are already saved, "
            "so remove --keep"
        )
    with ExitStack() as stack:
        folder = now
        if question.is_plan:
            folder = path_of(question.keep) or Path(
                stack.enter_context(TemporaryDirectory(prefix="bartizan-gate-"))
            )
            played = RunQuestion(str(now), out=folder, jobs=question.jobs, cluster=question.cluster)
            played.watch = question.watch
            played.ask()
        opened = checked_sweep(folder)
        if question.claims is not None:
            listed = list(read_claims(Path(question.claims)))
            opened = replace(opened, manifest={**opened.manifest, "claims": listed})
        document = _document(opened, str(now), baseline, question.allow)
    for path, text in outputs:
        with writing(str(path)):
            write_atomic(path, text(document))
    return Answer(document.plain(), lambda: views.lines(document), exit_code=int(document.verdict == "fail"))


def _outputs(question: GateQuestion) -> list[tuple[Path, Callable[[GateDocument], bytes]]]:
    """Return (path, function that makes the content) for each output file.

    Raises UsageError, before the simulation, for another suffix or a path that cannot be written.
    """
    kinds: dict[str, tuple[str, Callable[[GateDocument], bytes]]] = {
        "out": (".md", lambda document: views.markdown(document).encode()),
        "junit": (".xml", views.junit),
        "badge": (".svg", views.badge),
    }
    outputs = []
    for name, (suffix, text) in kinds.items():
        if (path := path_of(getattr(question, name))) is not None:
            flag = "-o" if name == "out" else f"--{name}"
            if path.suffix != suffix:
                raise UsageError(f"{flag} {path}: use a file name that ends in {suffix}")
            check_output(path, flag)
            outputs.append((path, text))
    return outputs


def _document(opened: Sweep, now: str, baseline: Path | None, allow: float) -> GateDocument:
    if baseline is not None:
        opened = replace(
            opened, manifest={**opened.manifest, "since": str(earlier(baseline, opened, "--baseline"))}
        )
    judged, _ = judged_claims(opened)
    read = study(opened)
    rows = read.since.moved if read.since else ()
    moved = [_moved(read, row, allow, len(rows)) for row in rows]
    claims = [
        JudgedClaim(
            title=row["title"],
            names=row["names"],
            finding=row["finding"],
            verdict=VERDICTS.get(row["verdict"], "open"),
        )
        for row in judged
    ]
    if not moved and not claims:
        nothing = (
            "no setting of these games is in the baseline; choose a baseline with the same levels and "
            "policies"
            if baseline
            else "the plan contains no claims; write a [[claim]] table"
        )
        raise UsageError(f"gate {now}: nothing to check, because {nothing}")
    verdicts = [*(row.verdict for row in moved), *(row.verdict for row in claims)]
    return GateDocument(
        schema=SCHEMA,
        game=opened.manifest["game"],
        title=title(opened.manifest["title"], read.changes),
        verdict="fail" if "fail" in verdicts else "pass",
        sentence=views.sentence(moved, claims, allow),
        allow=allow,
        baseline=str(baseline) if baseline else None,
        now=now,
        moved=moved,
        claims=claims,
        notes=differing(read),
        method=METHOD,
    )


def _moved(read: Study, move: Moved, allow: float, of: int) -> MovedRate:
    quoted = jointly(move.at, of)  # a gate compares only these rates: a page has other families besides
    beyond = quoted.low > allow or quoted.high < -allow
    return MovedRate(
        name=read.names[move.after.id],
        cell=move.after.id,
        then=move.shares[0],
        now=move.shares[1],
        difference=quoted,
        games_then=move.games[0],
        games_now=move.games[1],
        every_game_the_same=move.is_same,
        verdict="fail" if beyond and not move.is_same else "pass",
    )
