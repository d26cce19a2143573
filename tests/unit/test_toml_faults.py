"""Syntax errors of TOML files: what is wrong, where, and what to write instead."""

import pytest

from bartizan.simcore import toml
from bartizan.simcore.errors import UsageError


def test_a_mark_at_the_beginning_of_a_file_is_ignored(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbfa = 1\r\n")
    assert toml.read(tmp_path / "a.toml", "missing") == {"a": 1}


@pytest.mark.parametrize(
    ("text", "why", "correction"),
    [
        ("a 5", "line 1, column 3", "write KEY = VALUE"),
        ("a = hello", "line 1, column 5", 'text as "text"'),
        ("a = 1\nb = 1.000,5", "line 2, column 10", "numbers look like 1000 or 0.5"),
        ("a = [1 2]", "line 1, column 8", "separate its values by commas"),
        ("a = {b = 1 c = 2}", "line 1, column 12", "separate its entries by commas"),
        ('a = """x', "end of document", "end the text with the quotation mark"),
        ('a = "x\nb = 1', "line 1, column 7", "end the text on its line"),
        ("a = 'x\nb = 1'", "line 1, column 7", "end the text on its line"),
        ("a = 'x\nb = 1", "end of document", "end the text with the quotation mark"),
        ('a = "x\x00"', "line 1, column 7", "remove this character"),
        (r'a = "C:\users"', "line 1, column 10", r"write \\ for each \ in a text"),
        (r'a = "\q"', "line 1, column 8", r"write \\ for each \ in a text"),
        ("a = 1\na = 2", "end of document", "give it once"),
        ("[a.b]\nx = 1\n[a.b]\n", "Cannot declare [a.b] twice (at line 3", "give it once"),
        ('[a."b) twice"]\n[a."b) twice"]', "Cannot declare [a.b) twice] twice", "give it once"),
        ("a = {b = 1, b = 2}", "line 1, column 18", "give it once"),
        ("[a\nx = 1", "line 1, column 3", "write [NAME], or [[NAME]]"),
        ("!x = 1", "line 1, column 1", "# before a remark"),
        ("a = " + "[" * 3000, "nested too deeply", "on fewer levels"),
    ],
)
def test_a_syntax_error_names_its_place_and_a_correction(tmp_path, text, why, correction):
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(UsageError) as error:
        toml.read(tmp_path / "a.toml", "missing")
    shown = str(error.value)
    assert shown.startswith(f"{tmp_path / 'a.toml'}: cannot be read as TOML: ")
    assert why in shown and correction in shown and "\n" not in shown


def test_a_file_that_is_no_text_is_told_how_to_be_saved(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"a = \xff")
    with pytest.raises(UsageError, match="not text in UTF-8; save it as UTF-8"):
        toml.read(tmp_path / "a.toml", "missing")
