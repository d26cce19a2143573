"""The policies of a live engine (docs/engines.md): its own policies, and lookahead based on one of them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from bartizan.policies.protocol import Policy
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.live.playing import LiveEngine
from bartizan.simcore.live.steps import PLAYS as PLAYS
from bartizan.simcore.live.steps import LivePlayer


@dataclass(frozen=True, eq=False)
class LivePolicy(Policy):
    """A policy that the live engine implements, selected by name."""

    live: LiveEngine = field(kw_only=True)
    player: LivePlayer = field(kw_only=True)

    @property
    def source(self) -> Any:
        return self.live.file.path

    def decided_by(self) -> tuple[Callable[..., Any], ...]:
        return ()

    def compiled_for(self, engine: Any) -> Any:
        """Return the engine's own player. Nothing is compiled."""
        return self.player


def live_policies(live: LiveEngine) -> list[LivePolicy]:
    def choose(*_: Any) -> None:
        live.refuse_steps()

    return [
        LivePolicy(
            one.name,
            choose,
            one.about,
            dict(one.weights),
            tuple(one.seats),
            live=live,
            player=LivePlayer(one.name),
        )
        for one in live.declared.policies
    ]


def ahead_of(base: Policy, name: str, plays: int) -> Policy:
    """Return the policy that tries each action in `plays` futures, in which `base` plays all seats.

    Raises PolicyError if the engine plays whole games only.
    """
    assert isinstance(base, LivePolicy)
    if not base.live.declared.steps:
        raise PolicyError(
            f"policy {name}: {base.live.file.path.name} plays whole games only; lookahead needs an "
            f'engine that declares "steps": true (see {page("engines")})'
        )
    about = f"tries each action in {plays} simulated futures, played by {base.name}"
    weights = {**base.weights, PLAYS: float(plays)}
    player = replace(base.player, looks_ahead=True)
    return replace(base, name=name, about=about, weights=weights, player=player)
