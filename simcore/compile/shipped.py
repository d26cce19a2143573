"""Compiled code that comes with an installation, in the wheel `bartizan-compiled` (`make compiled`).

A first start spends a minute compiling code that is the same on every machine of a kind. The wheel contains
numba's cache on disk for one version of Python, numba and llvmlite, on one system and architecture, compiled
for its generic CPU, which is equally fast (docs/adr/0001-compiled-code.md). Code for another version, system
or architecture, and changed sources, are compiled on this machine as usual.

A cache consists of pickles, and a pickle can run code: only an archive that is listed in RECORD of the
installed wheel is opened, after a check of its SHA-256, and only this module opens one.
"""

import base64
import hashlib
import io
import json
import os
import platform
import shutil
import sys
import tarfile
import tempfile
from importlib import metadata
from pathlib import Path

from bartizan.simcore.compile.cache import PIECES
from bartizan.simcore.compile.trees import house_hash

DISTRIBUTION, PACKAGE = "bartizan-compiled", "bartizan_compiled"
ARCHIVE, ABOUT = "code.tar.xz", "about.json"
MARK = "shipped.json"  # marks a folder of compiled code that came with the installation
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


def kind(folder: str) -> dict[str, str]:
    """Return the properties on which compiled code depends besides its sources.

    folder: name from `cache.folder_name`.
    """
    return {
        "folder": folder,
        "python": ".".join(platform.python_version_tuple()[:2]),
        "implementation": sys.implementation.name,
        "system": platform.system(),
        "machine": platform.machine(),
        **{name: metadata.version(name) for name in ("numba", "llvmlite")},
    }


def unpack(folder: Path) -> tuple[Path, str]:
    """Return the folder for compiled code, and a warning.

    The warning states that an installed wheel does not match or is damaged; otherwise, it is "".

    If an installed wheel matches, the returned folder is next to `folder` and is filled completely from the
    wheel. Otherwise, it is `folder` itself.
    """
    try:
        files = {path.name: path for path in metadata.files(DISTRIBUTION) or ()}
    except metadata.PackageNotFoundError:
        return folder, ""
    try:
        about = json.loads(_vouched_for(files[ABOUT]))
        here = kind(folder.name)
        if unlike := [name for name in here if about.get(name) != here[name]]:
            name = unlike[0]
            why = (
                f"{DISTRIBUTION} is for {name} {about.get(name, 'unknown')}, but this is {name} {here[name]}"
            )
            return folder, why
        filled = folder.with_name(f"{folder.name}-{about['sources']}")
        if not filled.is_dir():
            _unpack(_vouched_for(files[ARCHIVE]), filled, about)
    except (OSError, KeyError, ValueError, tarfile.TarError, EOFError) as error:
        return folder, f"{DISTRIBUTION} is damaged ({error}); reinstall it"
    return filled, ""


def changed(folder: Path) -> str:
    """Return a warning if a folder was filled from a wheel that was built from other sources; otherwise "".

    Call it after numba's cache folder is set: the hashes of the sources are kept there, and without them each
    start would parse all sources.
    """
    mark = folder / MARK
    if not mark.is_file() or json.loads(mark.read_bytes())["sources"] == house_hash():
        return ""
    return f"{DISTRIBUTION} was built from other sources: changed functions are compiled on this machine"


def _vouched_for(path: metadata.PackagePath) -> bytes:
    """Return the content of an installed file. Raises ValueError if it does not match RECORD."""
    content = Path(path.locate()).read_bytes()
    if path.hash is None or (path.hash.mode, path.hash.value) != ("sha256", record_digest(content)):
        raise ValueError(f"{path.name} does not match RECORD")
    return content


def record_digest(content: bytes) -> str:
    """Return the SHA-256 of some bytes in the notation of RECORD: URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _unpack(content: bytes, folder: Path, about: dict[str, str]) -> None:
    """Unpack an archive into a temporary folder, then rename that to `folder`.

    Raises ValueError for a member that is not compiled code.
    """
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:xz") as archive:
            for member in archive:
                room, _, name = member.name.rpartition("/")
                is_room = room.replace(".", "").isidentifier()  # a dotted name: neither ".." nor a path
                if not member.isfile() or Path(name).suffix not in (".nbi", ".nbc") or not is_room:
                    raise ValueError(f"{ARCHIVE}: {member.name} is not compiled code")
                (part / room).mkdir(exist_ok=True)
                (part / room / name).write_bytes(archive.extractfile(member).read())
        (part / MARK).write_text(json.dumps(about), encoding="utf-8")
        os.chmod(part, 0o755)
        os.rename(part, folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        if not folder.is_dir():  # otherwise another process was faster
            raise


def pack(folder: Path) -> bytes:
    """Pack a folder of compiled code as the archive of a wheel; byte-identical for the same files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz", preset=6) as archive:
        for path in sorted(folder.glob("*/*.nb[ic]")):
            if path.parent.name == PIECES:  # only compilation reads these
                continue
            member = tarfile.TarInfo(path.relative_to(folder).as_posix())
            member.size = path.stat().st_size
            with path.open("rb") as file:
                archive.addfile(member, file)
    return buffer.getvalue()
