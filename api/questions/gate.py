"""`gate`: check whether a commit changed the balance."""

from pathlib import Path

from bartizan.api import answers, options
from bartizan.api.answer import Answer
from bartizan.api.question import HelpSection, Question, opt, out_opt
from bartizan.api.reading import File


class GateQuestion(Question[Answer]):
    """Check the balance in continuous integration.

    Exit codes: 0, no failure; 1, a claim fails, or a win rate has changed since the baseline.
    """

    command = "gate"
    section = HelpSection.JUDGE
    example = "bartizan gate plan.toml --baseline results -o summary.md"

    now: File = opt(
        "a plan to simulate, or a folder of results (from run -o or import)",
        metavar="PLAN.toml|DIR",
        is_argument=True,
        kw_only=False,
    )
    baseline: File | None = opt("folder of earlier results to compare with", default=None, metavar="DIR")
    claims: File | None = opt(
        "test the [[claim]] tables of this file instead of those of the plan",
        default=None,
        metavar="PLAN.toml",
    )
    allow: float = opt(
        "largest allowed change in a win rate, as a share: 0.02 is 2 percentage points",
        default=0.0,
        min=0.0,
        max=0.5,
    )
    out: File | None = out_opt("FILE.md", "write a summary for a pull request", default=None)
    junit: File | None = opt(
        "write a JUnit report for test tools", default=None, metavar="FILE.xml", is_kept=False
    )
    badge: File | None = opt(
        "write a badge that shows the verdict", default=None, metavar="FILE.svg", is_kept=False
    )
    keep: File | None = opt(
        "save the games of a plan in this folder, as the next baseline",
        default=None,
        metavar="DIR",
        is_kept=False,
    )
    jobs: options.Jobs = None
    cluster: options.Cluster = None

    def answer(self) -> Answer:
        return answers.gate.answer_gate(self)

    @property
    def is_plan(self) -> bool:
        return Path(self.now).suffix == ".toml"
