"""Plays some games and says the digest of their rows and what it was compiled for; run in a process of its own.

    python -m tests.other_cpu --both GAME POLICIES GAMES [LEVEL]

--both: as this CPU does, and as the oldest of the kind; exit code 1 where they play otherwise. POLICIES: "" the defaults.
"""

import hashlib
import json
import os
import subprocess
import sys

OLD_CPU = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-AVX,-FMA,-FMA4",  # exp, log and pow by other code
    "NPY_DISABLE_CPU_FEATURES": "X86_V3,X86_V4",
    "OPENBLAS_CORETYPE": "Prescott",  # sums in another order
}


def played(*words: object, old: bool, **environment: str) -> dict:
    """What a process of its own says that plays as `main` is told."""
    there = {name: value for name, value in os.environ.items() if name not in OLD_CPU}
    chosen = {**there, "OPENBLAS_NUM_THREADS": "1", **(OLD_CPU if old else {}), **environment}
    child = subprocess.run(
        [sys.executable, "-m", "tests.other_cpu", *map(str, words)],
        env=chosen,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(child.stdout)


def main(game: str, policies: str, games: str, level: str = "") -> None:
    """policies: with + between seats."""
    from bartizan.simcore.compile import cache

    cache.configure()
    from numba.core.registry import cpu_target

    from bartizan.policies.registry import find_player, line_ups
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.batch import Batch
    from bartizan.simcore.sweep.manifest import make_ready
    from bartizan.simcore.sweep.plan import CellPlan, Plan

    named = load_game(game)
    (line_up,) = line_ups(named, [policies] if policies else [])
    plan = Plan(game, None, (CellPlan(level or None, line_up, (), ()),), int(games), 1)
    (cell,) = make_ready(plan, named, find_player)
    batch = Batch(cell.match)
    rows = batch.play(range(int(games)))
    learnt = hashlib.sha256(b"".join(one.tobytes() for one in cell.match.learnt)).hexdigest()[:16]
    _, cpu, features = cpu_target.target_context.codegen().magic_tuple()
    print(
        json.dumps(
            {
                "digest": hashlib.sha256(rows.tobytes()).hexdigest()[:16],
                "learnt": learnt,
                "cpu": cpu,
                "fma": "+fma" in features,
            }
        )
    )


def both(*words: str) -> int:
    here, there = (played(*words, old=old) for old in (False, True))
    print(json.dumps({"asked": words, "here": here, "old": there}))
    return int(here["digest"] != there["digest"])


if __name__ == "__main__":
    if sys.argv[1] == "--both":
        sys.exit(both(*sys.argv[2:]))
    main(*sys.argv[1:])
