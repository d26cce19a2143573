"""`playtest deal`: a deal for a table to stack, how the policies do on it, and what that is worth."""

from bartizan.analyses.experiments.deals import dealt
from bartizan.policies.request import Request
from bartizan.reports.answers.answer import Answer, Effort, shown
from bartizan.reports.views import deal as views
from bartizan.simcore.errors import UsageError, did_you_mean
from bartizan.simcore.play.rollouts import DEALS, deal_of


def ask(
    request: Request, effort: Effort, number: int = 0, deals: int = 200, seat: str | None = None
) -> Answer:
    """`effort.games`: plays of each deal; number: which deal of the seed; deals: how many measure what a deal
    is worth.
    """
    game, roles = request.game, request.game.roles_in(request.loaded)
    scene = game.compiled.scene
    if scene is None or scene.deal is None:
        raise UsageError(f"playtest deal: {game.name} has no deck to stack: its luck is the table's own")
    if seat is not None and seat not in roles:
        raise UsageError(f'no seat "{seat}"{did_you_mean(seat, roles)}: {game.name} has {", ".join(roles)}')
    match = request.match(effort.seed, "playtest deal: name one policy for each seat")
    effort.compiles(game, DEALS)
    result = dealt(match, number, deals, effort.games, roles.index(seat) if seat else 0, effort.threads)
    document = views.document(match, number, deal_of(match, number), result)
    return shown(game, document, views.view(document))
