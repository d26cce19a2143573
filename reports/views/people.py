"""What is said of every folder of plays by people."""

from bartizan.analyses.document import optional
from bartizan.reports.document import GameDocument
from bartizan.reports.text import words

MADE_UP = "These plays are made up: nobody played them, and what is said here is true of no tester."
MOST_FILES = 5  # that a line names


class PlaysDocument(GameDocument):
    folder: str
    plays: int
    games: int  # of policies, a cell
    seed: int
    sources: dict[str, int] = {}  # file -> plays of it in the folder
    made_up: bool = False  # does a play say in its edition that nobody played it?
    why: str | None = optional()  # these policies, where nobody named them
    sentence: str = ""

    @property
    def source_lines(self) -> tuple[str, ...]:
        """Which files the plays come from; and whether anybody played them."""
        files = [f"{file} {words.count(n)}" for file, n in list(self.sources.items())[:MOST_FILES]]
        more = len(self.sources) - MOST_FILES
        listed = f"plays of {', '.join(files)}{f' and {more} more files' if more > 0 else ''}"
        return (MADE_UP, listed) if self.made_up else (listed,)
