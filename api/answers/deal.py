"""`playtest deal`: a deal for a table to stack, how the policies do on it, and what that is worth."""

from bartizan.analyses.experiments.luck_adjustment import dealt
from bartizan.api.answer import Answer
from bartizan.api.caveats import shown
from bartizan.api.questions.playtest import DealQuestion
from bartizan.api.reading import seat_of
from bartizan.reports.views import deal as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.play.deals import DEALS, deal_of


def answer(question: DealQuestion) -> Answer:
    request, effort = question.request(), question.effort(question.plays)
    game, roles = request.game, request.game.roles_in(request.loaded)
    scene = game.compiled.scene
    if scene is None or scene.deal is None:
        raise UsageError(f"playtest deal: {game.name} has no deck to stack: its luck is the table's own")
    seat, number = seat_of(question.seat, game.name, roles), question.game
    match = request.match(effort.seed, "playtest deal: name one policy for each seat")
    effort.compiles(game, DEALS)
    result = dealt(match, number, question.deals, effort.games, seat, effort.threads)
    document = views.document(match, number, deal_of(match, number), result)
    return shown(game, document, views.view(document))
