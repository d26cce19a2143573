"""Functions that parse option values, identically for Python and the command line."""

from collections.abc import Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from bartizan.simcore.errors import UsageError, as_spelled, did_you_mean
from bartizan.simcore.numerals import numeral

Names = str | Sequence[str] | None  # one name, several, or none
Value = str | int | float | bool | Path | Sequence[Any] | Mapping[str, Any]  # types of TOML values
Sets = Mapping[str, Value] | None  # path -> value
File = str | Path
USUAL_GAMES = 10_000
MOST_FOR_A_WIDTH = 10_000_000


def listed(names: Names | int | Sequence[int]) -> tuple[str, ...]:
    return () if names is None else (str(names),) if isinstance(names, (str, int)) else tuple(map(str, names))


def path_of(file: File | None) -> Path | None:
    return Path(file) if file else None


def paths_of(files: File | Sequence[File] | None) -> tuple[Path, ...]:
    if files is None:
        return ()
    return (Path(files),) if isinstance(files, (str, Path)) else tuple(map(Path, files))


def trusted_of(files: File | Sequence[File] | None) -> tuple[Path, ...]:
    """Return the paths of the files that may be run. Raises UsageError for a missing file."""
    paths = paths_of(files)
    for path in paths:
        if not path.is_file():
            raise UsageError(
                f"--trust {path}: no such file; give the path of the .py file of the policy or game"
            )
    return paths


def unused(name: str) -> str:
    """Return the first unused file name in the current folder: `form.csv`, `form-2.csv`, ..."""
    path = Path(name)
    names = chain([path], (path.with_stem(f"{path.stem}-{number}") for number in count(2)))
    return str(next(one for one in names if not one.exists()))


def texts(values: Sets) -> dict[str, str]:
    """Map each path to its value as text, in the form that `--set` accepts."""
    from bartizan.simcore.scenario.parameters import as_text

    return {path: as_text(value) for path, value in (values or {}).items()}


def varied(values: Mapping[str, Any] | None) -> dict[str, str]:
    """Map each path to its values, written as `a,b,c`. A list stands for several values."""
    from bartizan.simcore.scenario.parameters import as_text

    return {
        path: ",".join(map(as_text, value)) if isinstance(value, (list, tuple)) else as_text(value)
        for path, value in (values or {}).items()
    }


def half_width(width: str | float, option: str = "--precision") -> float:
    """Parse a half-width: `0.5pp` or `0.005` -> 0.005. Raises UsageError unless it is between 0 and 0.5."""
    value = _number(width, "pp")
    if not 0 < value < 0.5:
        raise UsageError(f"{option} {width}: give a half-width such as 0.5pp (percentage points)")
    return value


def share_of(share: str | float) -> float:
    """Parse a share: `25%` or `0.25` -> 0.25. Raises UsageError unless it is above 0 and at most 1."""
    value = _number(share, "%")
    if not 0 < value <= 1:
        raise UsageError(f"--range {share}: give a share of each number, such as 25%")
    return value


def _number(text: str | float, hundredths: str) -> float:
    """Parse a number; with the suffix `hundredths`, divide it by 100. Returns 0 for other text."""
    digits = str(text)
    try:
        return float(numeral(digits.removesuffix(hundredths))) / (100 if digits.endswith(hundredths) else 1)
    except ValueError:
        return 0.0


def pair_of(pair: str | tuple[float, float] | None, between: str, option: str) -> tuple[float, float] | None:
    """Parse two shares: `0.4..0.6` -> (0.4, 0.6). Returns None for None.

    between: the separator. Raises UsageError for shares that are not between 0 and 1, and for a range (`..`)
    whose second share is not greater.
    """
    if pair is None:
        return None
    try:
        parts = pair.split(between) if isinstance(pair, str) else pair
        first, second = (float(numeral(str(part))) for part in parts)
    except ValueError:
        first = second = -1.0
    if not (0 < first < 1 and 0 < second < 1) or (between == ".." and first >= second):
        raise UsageError(f"{option} {pair}: give two shares from 0 to 1, such as 0.4{between}0.6")
    return first, second


def seat_of(seat: str | None, game: str, roles: Sequence[str]) -> int:
    """Return the number of the seat with this name (default: the first seat).

    Raises UsageError for an unknown seat.
    """
    if seat is None:
        return 0
    seat = as_spelled(seat, roles)
    if seat not in roles:
        raise UsageError(f'{game}: unknown seat "{seat}"{did_you_mean(seat, roles)}')
    return roles.index(seat)


def games_for(games: int | None, width: float | None) -> int:
    """Return the maximum number of games: `games`, the number that `width` can require, or 10,000.

    width: half-width of the interval.
    """
    if games is not None or width is None:
        return games or USUAL_GAMES
    from bartizan.analyses.statistics.stagewise import most_needed
    from bartizan.simcore.play.batch import CHUNK_GAMES

    return most_needed(width, CHUNK_GAMES, MOST_FOR_A_WIDTH)
