"""Build the wheel `bartizan-compiled` for machines of this kind (`make compiled`, `simcore.compile.shipped`).

The wheel contains the code that commands compile in a few games of each kind of simulation, for the generic
CPU.
"""

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from itertools import repeat
from pathlib import Path

from bartizan.simcore.compile import cache, shipped, trees

GAMES = ("itter", "colditz", "castle", "rampage")
FEW = "--games 2"
COMMANDS = (  # for each game; a command that a game does not support reports it and compiles nothing
    f"run GAME {FEW}",
    f"run GAME {FEW} --luck-adjusted --samples 2",
    "trace GAME",
    f"losses GAME {FEW} --pilot 1 --rollouts 200",
    f"coverage GAME {FEW} --no-changes",
    f"cards GAME --value {FEW}",
    f"cards GAME --usage {FEW}",
    "playtest deal GAME --deals 2 --plays 2",
    f"bracket GAME {FEW} --slow-games 1 --plays 2",
)
CHILD = """
import sys
from bartizan.cli import main
for line in sys.argv[1:]:
    sys.argv = ["bartizan", *line.split()]
    try:
        main()
    except SystemExit as ended:
        if ended.code:
            sys.stderr.write(f"did not run: {line}\\n")
"""


def main(out: Path) -> Path:
    """Compile, pack, and write the wheel into a folder; return its path. Takes minutes."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bartizan-") as place:
        settings = {**shipped.GENERIC, "BARTIZAN_CACHE": place, "BARTIZAN_BOUNDSCHECK": ""}
        _bartizan(("doctor --warm",), settings)
        with ThreadPoolExecutor(os.cpu_count()) as pool:  # one process per game, which compiles the rest
            commands = [[line.replace("GAME", game) for line in COMMANDS] for game in GAMES]
            list(pool.map(_bartizan, commands, repeat(settings)))
        folder = Path(place) / cache.OWN / cache.folder_name()
        about = shipped.kind(folder.name) | {"sources": trees.house_hash()}
        files = {shipped.ABOUT: json.dumps(about, indent=1).encode(), shipped.ARCHIVE: shipped.pack(folder)}
    return write_wheel(out, files)


def _bartizan(lines: Sequence[str], settings: dict[str, str]) -> None:
    """Run command lines in sequence in a separate process, and copy its error output to stderr."""
    words = [sys.executable, "-c", CHILD, *lines]
    run = subprocess.run(words, env=os.environ | settings, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    sys.stderr.write(run.stderr.decode())


def write_wheel(out: Path, files: dict[str, bytes]) -> Path:
    """Write a wheel (PyPA's binary distribution format) that contains `files` in one package.

    RECORD contains the sha256 of each file.
    """
    version = metadata.version("bartizan")
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    tags = f"{tag}-{tag}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    named = f"{shipped.PACKAGE}-{version}"
    needs = "".join(f"Requires-Dist: {name}=={metadata.version(name)}\n" for name in ("numba", "llvmlite"))
    about = f"Metadata-Version: 2.1\nName: {shipped.DISTRIBUTION}\nVersion: {version}\n{needs}"
    wheel = f"Wheel-Version: 1.0\nGenerator: bartizan\nRoot-Is-Purelib: false\nTag: {tags}\n"
    content = {f"{shipped.PACKAGE}/{name}": data for name, data in files.items()} | {
        f"{named}.dist-info/METADATA": about.encode(),
        f"{named}.dist-info/WHEEL": wheel.encode(),
    }
    record = f"{named}.dist-info/RECORD"
    lines = [f"{name},sha256={shipped.record_digest(data)},{len(data)}\n" for name, data in content.items()]
    path = out / f"{named}-{tags}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (content | {record: "".join([*lines, f"{record},,\n"]).encode()}).items():
            archive.writestr(name, data)
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{main(Path(sys.argv[1] if len(sys.argv) > 1 else 'dist'))}\n")
