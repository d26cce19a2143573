"""Where answers are written: a folder of games, a .json file."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bartizan.api.answer import as_json
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import write_atomic

_READ: list["Folder"] = []  # folders that lazy frames read from, until Python ends


class Folder:
    """The folder of a sweep: where the user said, or a temporary one that lives as long as this object."""

    def __init__(self, out: Path | None):
        self.temporary: tempfile.TemporaryDirectory | None = None
        if out is None:
            self.temporary = tempfile.TemporaryDirectory(prefix="bartizan-")
            out = Path(self.temporary.name)
        self.path = Path(out)

    def keep(self) -> None:
        """Let it live until Python ends: somebody reads from it."""
        if self.temporary:
            _READ.append(self)

    def __truediv__(self, name: str) -> "Folder":
        """A folder within, which keeps this one alive."""
        inside = Folder(self.path / name)
        inside.temporary = self.temporary
        return inside


def json_file(out: Path) -> Callable[[Mapping], Path]:
    """What writes a document to a .json file; refused before anything is played."""
    if out.suffix != ".json":
        raise UsageError(f"-o {out}: name a .json file")
    if not out.parent.is_dir():
        raise UsageError(f"-o {out}: there is no folder {out.parent}")

    def write(document: Mapping) -> Path:
        with writing(f"-o {out}"):
            write_atomic(out, as_json(document).encode() + b"\n")
        return out

    return write


@contextmanager
def writing(where: str) -> Iterator[None]:
    """A file that cannot be written is the user's to mend."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{where}: cannot be written: {error.strerror or error}") from error
