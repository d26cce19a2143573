"""Every command's help shows an example, whose words the command takes."""

import re
import shlex

import pytest
import typer

from bartizan import cli
from tests.cli.run_cli import bartizan

EXAMPLES = {question.command: question.example for question in cli.every_question().values()}
GROUP = typer.main.get_command(cli.app)


def command_of(name: str):
    """The command with this name, and what its words follow."""
    command = GROUP
    for word in name.split():
        command = command.commands[word]
    return command


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_a_command_is_one_that_it_takes(name):
    words = shlex.split(EXAMPLES[name])
    head = ["bartizan", *name.split()]
    assert words[: len(head)] == head
    command_of(name).make_context(name, words[len(head) :])


@pytest.mark.parametrize("name", ["", "playtest", "odds", *EXAMPLES])
def test_help_names_values_by_their_meaning_and_is_not_cut(name):
    page = command_of(name).make_context(name or "bartizan", [], resilient_parsing=True).get_help()
    assert not re.search(r"<\w+|\w\.\.\.$", page, re.M), page


def test_every_command_has_one_and_shows_it():
    assert "Example: bartizan tune itter --knob" in bartizan("tune", "--help").out
    assert "Example: bartizan odds appel" in bartizan("odds", "appel", "--help").out
    groups = {name: command for name, command in GROUP.commands.items() if hasattr(command, "commands")}
    single = set(GROUP.commands) - set(groups)
    assert set(EXAMPLES) == single | {
        f"{group} {name}" for group, command in groups.items() for name in command.commands
    }
