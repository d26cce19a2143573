"""Cells of hand-made tables: what is read, what is unknown, what is left out because it could mean two things."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.analyses.people import cells
from bartizan.analyses.people.cells import UnreadCell


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("7", "", 7),
        ("7,5", "", 7.5),
        ("7.5", "", 7.5),
        ("1.234,5", "", 1234.5),
        ("1,234.5", "", 1234.5),
        ("1.234", ",", 1234),
        ("1.234", ".", 1.234),
        ("1,5", "", 1.5),
        ("1,234,567", ".", 1234567),
        ("1'234", "", 1234),
        ("1\u202f234", "", 1234),
        ("−5", "", -5),
        ("+5", "", 5),
        ("12*", "", 12),
        ("~90", "", 90),
        ("ca. 8", "", 8),
        ("12 Punkte", "", 12),
        ("0.125", "", 0.125),
        ("", "", None),
        ("k.A.", "", None),
        ("?", "", None),
    ],
)
def test_numbers(text, decimal, value):
    assert cells.number(text, decimal) == value


@pytest.mark.parametrize(
    "text",
    [
        "1.234",
        "1,234",
        "1,234,567",
        "100,120,130",
        "1.2.3",
        "1,23,4",
        "12, 8",
        "12 8",
        "100 120",
        "3:1",
        "3-1",
        "90-100",
        "Decisive",
        "1e400",
        "9" * 30,
        "12 34",
        "٣x",
    ],
)
def test_what_could_be_two_numbers_is_none(text):
    with pytest.raises(UnreadCell):
        cells.number(text)


@pytest.mark.parametrize(
    ("text", "value"), [("31+3+1", 35), ("-5", -5), ("12,5+1", 13.5), ("0", 0), ("10 + 2", 12), ("", None)]
)
def test_sums_are_worked_out(text, value):
    assert cells.score(text) == value


def test_a_minus_between_numbers_is_worked_out_only_where_the_mapping_says_so():
    assert cells.score("66-5-0-11-17", minus="subtract") == 33
    for text in ("66-5-0-11-17", "12-8", "12 - 8", "12–8"):
        with pytest.raises(UnreadCell, match="range"):
            cells.score(text)


@pytest.mark.parametrize(("text", "decimal"), [("12.5", ","), ("12,5", "."), ("12,34", "."), ("1,2345", ".")])
def test_a_mark_that_the_file_does_not_use_for_decimals_is_not_read_as_one(text, decimal):
    with pytest.raises(UnreadCell):
        cells.number(text, decimal)


@pytest.mark.parametrize("text", ["5--3", "3*4", "__import__('os')", "5+", "1,234", "1+" * 500 + "1", "Decisive"])
def test_only_plus_and_minus(text):
    with pytest.raises(UnreadCell):
        cells.score(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("90", 90),
        ("~90 min", 90),
        ("1h30", 90),
        ("1:30", 90),
        ("1:30:00", 90),
        ("1,5 h", 90),
        ("1½ h", 90),
        ("½ h", 30),
        ("ca. ¾ h", 45),
        ("2 Std. 15 min", 135),
        ("90'", 90),
        ("0", None),
        ("0:00", None),
        ("-", None),
    ],
)
def test_durations(text, value):
    assert cells.minutes(text) == value


def test_a_fraction_has_the_decimal_mark_of_its_file():
    assert cells.minutes("1½ Std", ",") == cells.minutes("1 ½ h", ".") == 90
    assert cells.score("3½", ",") == 3.5 and cells.score("½") == 0.5


@pytest.mark.parametrize("text", ["90-100", "long", "99999", "1:75", "-5", "45:00"])
def test_durations_that_are_none(text):
    with pytest.raises(UnreadCell):
        cells.minutes(text)


@pytest.mark.parametrize(
    ("text", "order", "value"),
    [
        ("2026-11-23", "", (2026, 11, 23)),
        ("2026-11-23T20:15:00Z", "", (2026, 11, 23)),
        ("2026/11/23 8:15", "", (2026, 11, 23)),
        ("23.11.2026", "", (2026, 11, 23)),
        ("23. 11. 26", "", (2026, 11, 23)),
        ("11/23/2026", "", (2026, 11, 23)),
        ("23/11/2026", "", (2026, 11, 23)),
        ("3/4/2026", "month/day/year", (2026, 3, 4)),
        ("3/4/2026", "day.month.year", (2026, 4, 3)),
        ("5/5/2026", "", (2026, 5, 5)),
        ("Nov 23, 2026", "", (2026, 11, 23)),
        ("23. Nov. 2026", "", (2026, 11, 23)),
        ("23-Nov-26", "", (2026, 11, 23)),
        ("1. März 2026", "", (2026, 3, 1)),
    ],
)
def test_dates(text, order, value):
    assert cells.day(text, order) == date(*value)


@pytest.mark.parametrize(
    "text", ["3/4/2026", "0000-00-00", "1111-01-01", "31.2.2026", "45987", "soon", "13/13/2026", "2026"]
)
def test_dates_that_are_none_or_two(text):
    with pytest.raises(UnreadCell):
        cells.day(text)


@pytest.mark.parametrize("text", ["4", " 4 ", "4/5", "4 - good", "4,0", "4 (gut)", "4*"])
def test_marks(text):
    assert cells.rating(text) == 4


@pytest.mark.parametrize("text", ["0", "6", "45", "4.5", "good", "-4", "4/10"])
def test_marks_that_are_none(text):
    with pytest.raises(UnreadCell):
        cells.rating(text)


@pytest.mark.parametrize("text", ["0", "0.0", "", "?"])
def test_a_count_of_zero_is_unknown(text):
    assert cells.whole(text) is None


READERS = [cells.number, cells.whole, cells.score, cells.minutes, cells.day, cells.rating, cells.yes_or_no]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
@given(text=st.text(max_size=40) | st.text("0123456789.,:-+/' hHminStd~*½°²٣", max_size=20))
def test_any_text_is_read_or_left_out(reader, text):
    try:
        reader(text)
    except UnreadCell as why:
        assert str(why)
