"""Compiled code reads nothing but what it owns: bounds checks do not see memory that was given back while it was still in use.

glibc fills freed memory with a pattern when MALLOC_PERTURB_ is set, so a player who looks at such memory plays differently, or breaks.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from bartizan.policies.registry import find_player, policies_of
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario

ROOT = Path(__file__).parent.parent.parent
GAMES = 3


def digests(name: str) -> str:
    """What every policy of a game plays: a line a policy and scenario that seats it everywhere it can sit."""
    from hashlib import sha256

    game = load_game(name)
    lines = []
    for scenario in (load_scenario(game), *([load_scenario(game, "competitive")] if name == "itter" else [])):
        roles = game.roles_in(scenario)
        for policy in policies_of(game).values():
            seats = tuple(
                policy.name if not policy.roles or role in policy.roles else game.default_for(role) for role in roles
            )
            rows = Batch(Match(game, scenario, tuple(find_player(game, text) for text in seats), 7)).play(range(GAMES))
            lines.append(f"{scenario.name} {policy.name} {sha256(rows.tobytes()).hexdigest()[:16]}")
    return "\n".join(lines)


@pytest.mark.rotating
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc fills freed memory on demand")
@pytest.mark.parametrize("name", game_names())
def test_players_read_only_their_own_memory(name):
    script = f"from bartizan.simcore.compile import cache; cache.configure(); from tests.property.test_memory import digests; print(digests({name!r}))"
    spoiled = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "MALLOC_PERTURB_": "165"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert spoiled.returncode == 0, spoiled.stderr
    assert spoiled.stdout.strip() == digests(name)
