"""`make fuzz`: every input and every damage of a seed; a line for each that is not well answered, exit code 1 if there is one."""

import sys
import tempfile
from pathlib import Path

from tests.fuzz.damages import damages
from tests.fuzz.inputs import COUNTS
from tests.fuzz.mutants import MUTANT_COUNTS
from tests.fuzz.trials import damaged, inputs, sweep


def main(seed: int, only: str = "") -> int:
    wrong = total = 0
    with tempfile.TemporaryDirectory() as root:
        for kind, count in {**COUNTS, **MUTANT_COUNTS}.items():
            if only not in kind:
                continue
            found = list(inputs(kind, count, seed, Path(root)))
            wrong, total = wrong + len(found), total + count
            print(f"{kind}: {count} inputs, {len(found)} not well answered", flush=True)
            for arguments, why in found:
                print(f"  {why}\n    bartizan {' '.join(arguments)[:300]}")
        if only in "damage":
            good = Path(root) / "good"
            sweep(good)
            tried = list(damages(seed))
            found = [why for damage in tried for why in damaged(damage, good, Path(root) / "out")]
            print(f"damage: {len(tried)} folders, {len(found)} findings", *found, sep="\n  ")
            wrong, total = wrong + len(found), total + len(tried)
    print(f"{total} cases, {wrong} failures, seed {seed}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1, sys.argv[2] if len(sys.argv) > 2 else ""))
