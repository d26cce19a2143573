"""`make soak`: every mishap of a seed; a line for each kind, and for each case of which something wrong came; exit code 1 if there is one."""

import sys
import tempfile
from pathlib import Path

from tests.soak.mishaps import COUNTS, cases
from tests.soak.trials import Bench, tried


def main(seed: int, only: str = "") -> int:
    failed = total = 0
    with tempfile.TemporaryDirectory() as root:
        bench = Bench(Path(root))
        for kind, count in COUNTS.items():
            if only not in kind:
                continue
            found = [wrong for case in cases(kind, count, seed) if (wrong := tried(case, bench))]
            failed, total = failed + len(found), total + count
            print(
                f"{kind}: {count} cases, {len(found)} failures",
                *("  " + "\n  ".join(wrong) for wrong in found),
                sep="\n",
                flush=True,
            )
        if bench.not_permitted:
            print(f"no disk may be mounted here: {bench.not_permitted} cases had the error of a full disk instead")
    print(f"{total} cases, {failed} failures, seed {seed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1, sys.argv[2] if len(sys.argv) > 2 else ""))
