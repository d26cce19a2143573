"""The README's commands run as printed, with fewer games, and so do its lines of Python."""

import contextlib
import io
import re

import openpyxl

from tests.cli.run_cli import bartizan
from tests.house.test_documents import README, commands_of

FEW = {command: ["--games", 300] for command in ("run", "compare", "cards")}


def test_what_the_readme_shows_runs(kept_path, monkeypatch):
    monkeypatch.chdir(kept_path)
    python = re.findall(r"```python\n(.*?)```", README, re.S)
    game = next(block for block in python if "bartizan.short" in block)
    (kept_path / "pig.py").write_text(game, encoding="utf-8")
    book = openpyxl.Workbook()
    for row in [("Name", "Qty", "Points"), ("Guard", 5, 1), ("Knight", 3, 4)]:
        book.active.append(row)
    book.save("cards.xlsx")
    ran = []
    for words in commands_of(re.sub(r"`[^`\n]+`", "", README)):
        result = bartizan(*words[1:], *FEW.get(words[1], []))
        assert result.code == 0, result.err
        ran.append(words[1])
    assert ran == ["run", "report", "run", "compare", "new", "run", "cards", "cards"]
    findings = openpyxl.load_workbook("findings.xlsx").active
    headings = [cell.value for cell in findings[1]]
    assert headings[:3] == ["Name", "Qty", "Points"] and "Worth, pp (Bartizan)" in headings
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(next(block for block in python if "import bartizan" in block).replace("20_000", "300"), {})
    assert "Castle Itter (published), elite" in printed.getvalue()
