"""`rare`: an event that most games never see, by multilevel splitting."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bartizan.analyses.experiments.rare import analyze
from bartizan.policies.request import Request, default_policy_words, name_in_commands
from bartizan.reports.answers.answer import Answer, Effort, shown
from bartizan.reports.views import rare as views
from bartizan.simcore.errors import UsageError
from bartizan.simcore.play.splitting import splitting_of


@dataclass(frozen=True)
class SplittingVolume:
    """How much a splitting plays."""

    trajectories: int = 500  # games, or parts of games, in each stage
    replicates: int = 30  # independent runs through all stages
    every_level: bool = False  # a stage for each value of progress; else a pilot chooses
    plain: int | None = None  # games of plain counting; None: as many decisions as the splitting makes


def events(request: Request) -> Answer:
    """The rare events that a game declares."""
    game, s = request.game, request.loaded
    rows = [
        {"event": name, "title": event.title, "top": int(event.top(s))}
        for name, event in game.compiled.rare.items()
    ]
    document = {"schema": "bartizan.rare-events/1", "game": game.name, "scenario": s.name, "events": rows}
    return Answer(document, lambda: _listed(request, document))


def _listed(request: Request, d: Mapping) -> Iterator[str]:
    game, rows = request.game, d["events"]
    if not rows:
        raise UsageError(f"{game.name}: declares no rare events (docs/adding-a-game.md says how a game does)")
    yield from (f"{row['event']:<20} {row['title']}" for row in rows)
    players = default_policy_words(game, request.loaded)
    yield f"\nNext: bartizan rare {name_in_commands(game)} --event {rows[0]['event']} {players}"


def ask(request: Request, effort: Effort, event: str, volume: SplittingVolume) -> Answer:
    """How rare is it? `effort.games` is not used: see `SplittingVolume`."""
    game = request.game
    match = request.match(effort.seed, "rare: name one policy for each seat")
    splitting = splitting_of(match, event)
    effort.compiles(game, splitting.loop)
    result = analyze(
        splitting,
        volume.trajectories,
        volume.replicates,
        volume.plain,
        not volume.every_level,
        effort.threads,
    )
    document = views.document(splitting.match, result)
    return shown(game, document, views.view(document))
