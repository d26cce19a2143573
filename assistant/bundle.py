"""The bundle for one-click installation in a desktop client (`make bundle`).

It is an MCPB archive, version 0.4, that contains the wheel of this version. The client asks for the folder,
and uv installs Python and the packages.
"""

import json
import sys
from importlib.metadata import metadata
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from bartizan.assistant.guides import PROMPTS
from bartizan.assistant.server import OF_JOBS, WRITING
from bartizan.assistant.tools import TOOLS

EPOCH = (1980, 1, 1, 0, 0, 0)  # date of every file, so that equal contents give an equal bundle
ENTRY = "server.py"
SERVER = '''"""Start the server, as `bartizan mcp` does."""

from bartizan.cli import main

if __name__ == "__main__":
    main()
'''


def manifest() -> dict[str, Any]:
    """Return the manifest for the client: metadata, tools, prompts, and the start command of the server."""
    package = metadata("bartizan")
    tools = {tool.name: tool.help for tool in TOOLS} | {
        name: how[1] for name, how in (OF_JOBS | WRITING).items()
    }
    return {
        "manifest_version": "0.4",
        "name": "bartizan",
        "display_name": "Bartizan",
        "version": package["Version"],
        "description": "Balance of board games by simulation: win rates, cards, difficulty, with intervals.",
        "long_description": (
            "Answers questions with Bartizan in plain words. No language model plays, guesses or computes "
            "a number: every number comes from simulated games, with n, interval and method."
        ),
        "author": {"name": "The Bartizan authors"},
        "license": package["License-Expression"],
        "keywords": ["board games", "game balance", "simulation"],
        "server": {
            "type": "uv",
            "entry_point": ENTRY,
            "mcp_config": {
                "command": "uv",
                "args": [
                    "run",
                    "--directory",
                    "${__dirname}",
                    ENTRY,
                    "mcp",
                    "--folder",
                    "${user_config.folder}",
                ],
            },
        },
        "tools": [{"name": name, "description": help} for name, help in tools.items()],
        "prompts": [
            {
                "name": prompt.name,
                "description": prompt.help,
                "arguments": list(prompt.arguments),
                "text": prompt.bundled,
            }
            for prompt in PROMPTS.values()
        ],
        "user_config": {
            "folder": {
                "type": "directory",
                "title": "Folder of your games",
                "description": (
                    "The only folder whose games may run, and in which games, sheets and reports may be "
                    "written. Game files are Python code, so choose a folder whose games you trust."
                ),
                "required": True,
            }
        },
        "compatibility": {"platforms": ["darwin", "win32", "linux"]},
    }


def project(wheel: str) -> str:
    """Return the pyproject.toml that uv installs.

    Its only dependency is the wheel in the same folder, with the extra `mcp`.
    """
    version, python = metadata("bartizan")["Version"], metadata("bartizan")["Requires-Python"]
    return (
        f'[project]\nname = "bartizan-bundle"\nversion = "{version}"\nrequires-python = "{python}"\n'
        f'dependencies = ["bartizan[mcp]"]\n\n[tool.uv]\npackage = false\n\n[tool.uv.sources]\n'
        f'bartizan = {{ path = "{wheel}" }}\n'
    )


def write(wheel: Path, out: Path) -> None:
    """Write the bundle to `out`. The file is byte-identical for the same wheel."""
    files = {
        "manifest.json": (json.dumps(manifest(), indent=2) + "\n").encode(),
        "pyproject.toml": project(wheel.name).encode(),
        ENTRY: SERVER.encode(),
        wheel.name: wheel.read_bytes(),
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name, EPOCH), content, ZIP_DEFLATED)


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
