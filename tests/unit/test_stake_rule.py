"""Stake or wait: the rule in words that a table of verdicts says, and the chart of them."""

import pytest

from bartizan.analyses.games.colditz import INCONCLUSIVE, STAKE, WAIT, Moments
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import files
from bartizan.reports.views.odds import StakeDocument, chart, rule_of
from bartizan.simcore.errors import UsageError

LEFT = ((0, 0), (1, 2), (3, 5), (6, 400))


def rows(*verdicts):
    return [
        Moments.model_construct(
            rounds_left=left, steps=(0, 40), verdict=verdict, difference=Interval(0.1, 0, 0.2, 0.95, "Wilson")
        )
        for left, verdict in zip(LEFT, verdicts, strict=True)
    ]


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [
        ((STAKE, STAKE, WAIT, WAIT), "stake with 2 rounds left or fewer, wait with 3 rounds left or more"),
        (
            (STAKE, INCONCLUSIVE, INCONCLUSIVE, WAIT),
            "stake in the last round, wait with 6 rounds left or more; otherwise inconclusive",
        ),
        ((INCONCLUSIVE, INCONCLUSIVE, WAIT, WAIT), "wait with 3 rounds left or more; otherwise inconclusive"),
        ((INCONCLUSIVE, STAKE, INCONCLUSIVE, INCONCLUSIVE), "no simple rule: see the table"),
        ((WAIT, INCONCLUSIVE, WAIT, WAIT), "no simple rule: see the table"),
        ((STAKE, STAKE, INCONCLUSIVE, INCONCLUSIVE), "stake with 2 rounds left or fewer; otherwise inconclusive"),
        ((STAKE, STAKE, STAKE, STAKE), "stake at any time"),
        ((WAIT, WAIT, WAIT, WAIT), "wait"),
        ((INCONCLUSIVE, INCONCLUSIVE, INCONCLUSIVE, INCONCLUSIVE), "inconclusive"),
        ((WAIT, STAKE, INCONCLUSIVE, INCONCLUSIVE), "no simple rule: see the table"),
    ],
)
def test_a_rule_in_words(verdicts, text):
    rule = rule_of(rows(*verdicts))
    assert rule.text == text and rule.steps == (0, 40)
    if text.startswith("no simple"):
        assert rule.stake_up_to is rule.wait_from is None


def test_a_chart_is_drawn_into_a_file_the_same_each_time(tmp_path):
    document = StakeDocument.model_construct(
        rows=rows(STAKE, INCONCLUSIVE, WAIT, WAIT),
        seats=1,
        games=1500,
        title="Escape from Colditz",
        policies=["a", "b"],
    )
    written = [
        files.write(lambda: chart(document), tmp_path / name, "--chart").read_text() for name in ("one.svg", "two.svg")
    ]
    assert written[0] == written[1] and written[0].count(">wait<") == 2 and "1 Allied player" in written[0]


def test_a_name_without_a_format_is_refused_before_anything_is_drawn(tmp_path):
    with pytest.raises(UsageError, match="the name must end in"):
        files.check_name(tmp_path / "chart.gif", "--chart")
    with pytest.raises(UsageError, match="does not exist"):
        files.check_name(tmp_path / "nowhere" / "chart.svg", "--chart")
