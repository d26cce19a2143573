"""Policies of a short game that read hidden cards, determined from their source text.

Only `check` tests whether a choice depends on such cards, because this test needs redealt positions. The text
alone shows at once that a policy reads them.
"""

import ast
from collections.abc import Iterator

from bartizan.simcore.short import components as c
from bartizan.simcore.short.reading import ShortGame, calls, name_called
from bartizan.simcore.short.telling import ME, READS, functions_from


def peeking(game: ShortGame) -> dict[str, str]:
    """Map each policy of the file that reads hidden cards to a note about the first line that does so."""
    notes = {}
    for bot in game.bots:
        for line, pile in sorted(
            one for name in functions_from(game, [bot.name]) for one in _hidden_reads(game, name)
        ):
            notes.setdefault(
                bot.name,
                f"{game.path.name}:{line}: policy {bot.name} reads cards of {pile}, which its player may not "
                f"see: bartizan check {game.path.name} tests whether its choices depend on them",
            )
    return notes


def _hidden_reads(game: ShortGame, name: str) -> Iterator[tuple[int, str]]:
    """Yield (line, source text of the pile) for each call in a function that reads hidden cards."""
    for call in calls(game.functions[name]):
        word = name_called(call)
        if word in READS and call.args and _is_hidden(game, call.args[0], word):
            yield call.lineno, ast.unparse(call.args[0])


def _is_hidden(game: ShortGame, pile: ast.expr, word: str) -> bool:
    """Return whether the function `word` certainly reads cards that the player to move does not see.

    In a pile that nobody sees, players may know the cards but not their order, so only `top` counts.
    """
    of = pile.value if isinstance(pile, ast.Subscript) else pile
    part = game.components.get(of.attr) if isinstance(of, ast.Attribute) else None
    if not isinstance(part, c.Stack) or part.known or part.fits:
        return False
    if not isinstance(pile, ast.Subscript) or part.seen in (c.Seen.OPEN, c.Seen.NOBODY):
        return part.seen == c.Seen.NOBODY and word == "top"
    owner = ast.unparse(pile.slice)
    return owner == ME if part.seen == c.Seen.OTHERS else owner != ME and ME in owner
