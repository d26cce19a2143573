"""`bartizan new skill`: the texts of this version, and nothing of anybody else is written over."""

from importlib.metadata import version

import pytest

from bartizan.api.answers.skill_texts import SKILL, text_of
from bartizan.assistant.tools import TOOLS
from tests.cli.run_cli import ROOT, bartizan


def test_the_usual_folders_get_the_texts_of_this_version(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = bartizan("new", "skill")
    assert said.code == 0 and len(said.out.splitlines()) == 2
    for folder in (".claude/skills/bartizan", ".agents/skills/bartizan"):
        for file in SKILL:
            written = (tmp_path / folder / file).read_text()
            assert written.startswith(text_of(file)) and f"bartizan {version('bartizan')}, sha256" in written
    assert (tmp_path / folder / "SKILL.md").read_text().startswith("---\nname: bartizan\ndescription: ")


def test_our_own_texts_are_renewed(tmp_path):
    assert bartizan("new", "skill", tmp_path).code == 0
    assert bartizan("new", "skill", tmp_path).code == 0


@pytest.mark.parametrize("how", ["foreign", "edited", "link"])
def test_what_is_not_ours_is_not_written_over(tmp_path, how):
    place = tmp_path / "bartizan"
    if how == "edited":
        bartizan("new", "skill", tmp_path)
    place.mkdir(exist_ok=True)
    file = place / SKILL[-1]
    text = file.read_text().replace("game", "play", 1) if how == "edited" else "mine"
    (tmp_path / "elsewhere.md").write_text("mine")
    if how == "link":
        file.symlink_to(tmp_path / "elsewhere.md")
    else:
        file.write_text(text)
    said = bartizan("new", "skill", tmp_path)
    assert said.code == 2 and str(file) in said.err and len(said.err.splitlines()) == 1
    assert (tmp_path / "elsewhere.md").read_text() == "mine" and file.read_text() in (text, "mine")
    assert (place / SKILL[0]).exists() == (how == "edited")  # none of the files is written then


def test_the_skill_names_every_tool_and_commands_that_exist():
    text = text_of("SKILL.md")
    for tool in TOOLS:
        assert tool.name == "odds" or f"| {tool.name}" in text, tool.name
    from bartizan import cli

    commands = {command.name or command.callback.__name__ for command in cli.app.registered_commands} | {
        "playtest",
        "mcp",
        "skill",
    }
    import re

    assert set(re.findall(r"`bartizan (\w+)", text)) - {"COMMAND"} <= commands
    assert "docs/short-games.md" in (ROOT / "pyproject.toml").read_text()


def test_the_example_of_the_skill_is_a_short_game(tmp_path):
    from bartizan.assistant.fence import check_only_rules

    example = text_of("SKILL.md").partition("```python\n")[2].partition("```")[0]
    check_only_rules("race.py", example)
    (tmp_path / "race.py").write_text(example)
    said = bartizan("describe", tmp_path / "race.py", "--knobs").out
    assert "numbers.goal = 30" in said
