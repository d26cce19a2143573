"""Write rows and pictures of docs/gallery.md: `python benchmarks/gallery.py [GAME ...]` (default: all games).

A row contains the lines of code without blank lines and imports, the random games per second of processor
time on one thread (the best run), and the decisions per random game. A picture shows the distribution of the
length of games with the game's own policy, in turns.
"""

import sys
from pathlib import Path
from time import process_time

import numpy as np

import bartizan as bz
from bartizan.policies.request import Request
from bartizan.simcore.play.batch import Batch

SHORT = Path(__file__).resolve().parent.parent / "examples/short"
PICTURES = SHORT.parent.parent / "docs/gallery"
GAMES, BARS, WIDTH, HEIGHT = 2000, 24, 260, 60


def lines_of(path: Path) -> int:
    """Return the number of lines that are neither blank nor imports."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return len([line for line in lines if line.strip() and not line.startswith("from ")])


def speed(path: Path) -> tuple[float, float]:
    """Return (random games per second of processor time, decisions per game)."""
    match = Request(str(path), policy=("random",)).match(1, "one policy")
    batch, games, best = Batch(match), 100, 0.0
    for _ in range(12):
        since = process_time()
        rows = batch.play(range(games))
        seconds = process_time() - since
        best = max(best, games / seconds) if seconds > 0.1 else best
        games *= 1 if seconds > 0.1 else 5
    return best, rows["plies"].mean()


def picture(path: Path) -> str:
    """Return a histogram of the number of turns, as SVG."""
    turns = bz.game(str(path)).run(games=GAMES).rows().collect()["turn"].to_numpy()
    counts, edges = np.histogram(turns, bins=min(BARS, int(np.ptp(turns)) + 1))
    wide = WIDTH / len(counts)
    bars = "".join(
        f'<rect x="{i * wide:.1f}" y="{HEIGHT - HEIGHT * n / max(counts):.1f}" width="{wide - 1:.1f}" '
        f'height="{HEIGHT * n / max(counts):.1f}" fill="#4477aa"/>'
        for i, n in enumerate(counts)
    )
    words = f'<text y="{HEIGHT + 14}" font-size="11" font-family="sans-serif" fill="#777"'
    ends = f'{words}>{edges[0]:.0f}</text>{words} x="{WIDTH}" text-anchor="end">{edges[-1]:.0f} turns</text>'
    box = f'viewBox="0 0 {WIDTH} {HEIGHT + 18}" width="{WIDTH}" height="{HEIGHT + 18}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{bars}{ends}</svg>\n'


def main() -> None:
    for path in sorted(SHORT.glob("*.py")):
        if path.stem in sys.argv[1:] or not sys.argv[1:]:
            PICTURES.mkdir(exist_ok=True)
            (PICTURES / f"{path.stem}.svg").write_text(picture(path), encoding="utf-8")
            rate, decisions = speed(path)
            print(f"| {path.stem} | {lines_of(path)} | {rate:,.0f} | {decisions:.0f} |", flush=True)


if __name__ == "__main__":
    main()
