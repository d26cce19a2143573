"""What every picture of a report keeps: numbers that are written are written whole."""

from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.figures import dots, files


def test_a_small_number_is_written_as_it_is():
    none = Interval(0.0, 0.0, 4e-8, 0.95, "Clopper-Pearson")
    row = dots.Row("random", "below 0.000004 %", (dots.Point(none, "#1f77b4"),))
    picture = files.inline(dots.draw([row], axis_label="games won"), "wins", "random wins nothing")
    assert ">below 0.000004 %<" in picture
    assert not [tag for tag in files.TAG.findall(picture) if files.NUMBER.search(tag)]
