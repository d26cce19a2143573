"""`rare`: an event that most games never see, by multilevel splitting."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bartizan.api.answer import Answer
from bartizan.api.options import Jobs, Level, Players, Policies, ScenarioName, Seed, Values
from bartizan.api.question import GameQuestion, opt
from bartizan.simcore.errors import UsageError
from bartizan.simcore.limits import MOST_GAMES

if TYPE_CHECKING:
    from bartizan.policies.request import Request


class RareQuestion(GameQuestion):
    """How rare is an event that most games never see? Multilevel splitting, with plain counting beside it."""

    command = "rare"
    example = "bartizan rare itter --event no-casualty --difficulty veteran --policy garrison"

    event: str | None = opt("which event; without it they are listed", default=None, metavar="NAME")
    scenario: ScenarioName = None
    difficulty: Level = None
    policy: Policies = None
    players: Players = None
    set: Values = None
    trajectories: int = opt(
        "games, or parts of games, played in each stage", default=500, min=10, max=100_000
    )
    replicates: int = opt(
        "independent runs through all stages; they make the interval", default=30, min=5, max=10_000
    )
    every_level: bool = opt("a stage for each value of progress; without it a pilot chooses", default=False)
    games: int | None = opt(
        "games of plain counting beside it; as many decisions as the splitting makes unless given",
        default=None,
        min=1,
        max=MOST_GAMES,
    )
    seed: Seed = 1
    jobs: Jobs = None

    def answer(self) -> Answer:
        from bartizan.analyses.experiments.rare import analyze
        from bartizan.api.caveats import shown
        from bartizan.reports.views import rare as views
        from bartizan.simcore.play.splitting import splitting_of

        request = self.request()
        game = request.game
        if self.event is None:
            return self._events(request)
        effort = self.effort(0)
        splitting = splitting_of(
            request.match(effort.seed, "rare: name one policy for each seat"), self.event
        )
        effort.compiles(game, splitting.loop)
        pilot, volume = not self.every_level, (self.trajectories, self.replicates, self.games)
        result = analyze(splitting, *volume, pilot, effort.threads)
        document = views.document(splitting.match, result)
        return shown(game, document, views.view(document))

    def _events(self, request: "Request") -> Answer:
        """The rare events that the game declares."""
        from bartizan.policies.request import default_policy_words, name_in_commands

        game, s = request.game, request.loaded
        events = [
            {"event": name, "title": event.title, "top": int(event.top(s))}
            for name, event in game.compiled.rare.items()
        ]
        document = {
            "schema": "bartizan.rare-events/1",
            "game": game.name,
            "scenario": s.name,
            "events": events,
        }

        def lines() -> Iterator[str]:
            if not events:
                raise UsageError(
                    f"{game.name}: declares no rare events (docs/adding-a-game.md says how a game does)"
                )
            yield from (f"{row['event']:<20} {row['title']}" for row in events)
            players = default_policy_words(game, s)
            yield f"\nNext: bartizan rare {name_in_commands(game)} --event {events[0]['event']} {players}"

        return Answer(document, lines)
