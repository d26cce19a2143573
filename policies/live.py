"""The policies that a live engine declares (docs/engines.md): it asks them itself."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bartizan.policies.protocol import Policy
from bartizan.simcore.live.playing import LiveEngine


@dataclass(frozen=True, eq=False)
class LivePolicy(Policy):
    """A policy by its name; the engine knows what it does."""

    file: Path = field(kw_only=True)

    @property
    def source(self) -> Path:
        return self.file

    def decided_by(self) -> tuple[Callable[..., Any], ...]:
        return ()

    def compiled_for(self, engine: Any) -> Any:
        """Nothing is compiled."""
        return self.choose


def live_policies(live: LiveEngine) -> list[LivePolicy]:
    def choose(*_: Any) -> None:
        live.refuse_steps()

    return [
        LivePolicy(one.name, choose, one.about, dict(one.weights), tuple(one.seats), file=live.file.path)
        for one in live.declared.policies
    ]
