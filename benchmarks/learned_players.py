"""Compare learned policies, trained with `train --learn`, with the policies of the gallery.

    python benchmarks/learned_players.py -o learned [GAME ...] [-- --minutes 3 --fresh 5000]

The script trains a player for each short game of `examples/short` that has a policy of its own, and prints
the table of docs/learned-players.md. A game whose player is in the folder is not trained again.
"""

import argparse
import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

GAMES = Path(__file__).parents[1] / "examples" / "short"


def trained(game: Path, folder: Path, options: list[str]) -> dict[str, Any]:
    """Return the result of `train --learn`, which is stored beside the player."""
    kept = folder / f"{game.stem}.json"
    if not kept.exists():
        out = folder / f"{game.stem}.learned"
        words = ["train", str(game), "--learn", "-o", str(out), "--json", *options]
        program = str(Path(sys.executable).with_name("bartizan"))
        ran = subprocess.run([program, *words], capture_output=True, text=True)
        if ran.returncode not in (0, 1):
            raise SystemExit(f"{game.stem}: {ran.stderr.strip().splitlines()[-1]}")
        kept.write_text(ran.stdout, encoding="utf-8")
    answer: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return answer


def row(answer: dict[str, Any]) -> str:
    """Return a row of the table. The player is compared with the policy by which it was evaluated."""
    judged = answer["against"][0]
    before, after, gain = (judged["value"][key] for key in ("before", "after", "difference"))
    scale, unit, digits = (100, " %", 1) if judged["by"] == "wins" else (1, "", 2)
    cells = (
        f"{answer['title']}, {answer['seats']}",
        f"`{judged['policy']}`",
        f"{after['estimate'] * scale:.{digits}f}{unit}",
        f"{before['estimate'] * scale:.{digits}f}{unit}",
        " (".join(
            (
                f"{gain['estimate'] * scale:+.{digits}f}",
                f"{gain['low'] * scale:+.{digits}f} to {gain['high'] * scale:+.{digits}f})",
            )
        ),
        f"{judged['games']:,}",
        judged["verdict"],
    )
    return f"| {' | '.join(cells)} |"


def has_policy(game: Path) -> bool:
    """Return whether the file defines a policy: a function of `s` and `n` that has a docstring."""
    tree = ast.parse(game.read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return any(
        [argument.arg for argument in one.args.args][:2] == ["s", "n"] and ast.get_docstring(one)
        for one in functions
    )


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("games", nargs="*", metavar="GAME", help="names of files; all unless given")
    reader.add_argument("-o", "--out", type=Path, required=True)
    given, _, options = (" ".join(sys.argv[1:]) + " ").partition("-- ")
    asked = reader.parse_args(given.split())
    asked.out.mkdir(parents=True, exist_ok=True)
    games = [GAMES / f"{name}.py" for name in asked.games] or sorted(GAMES.glob("*.py"))
    print("| game, players | policy | learned policy | policy | difference | fresh games | verdict |")
    print("|---|---|---|---|---|---|---|")
    for game in filter(has_policy, games):
        print(row(trained(game, asked.out, options.split())), flush=True)


if __name__ == "__main__":
    main()
