"""Compiled code that comes with an installation, in a wheel of its own: `bartizan-compiled`, made by `make
compiled`.

A first start compiles for a minute what is the same on every machine of a kind. The wheel holds numba's
cache on disk for one version of Python, numba and llvmlite, of one system and architecture,
compiled for its generic CPU, which plays as fast (docs/adr/0001-compiled-code.md). Whatever
does not fit is compiled here as ever, and so is what has changed since in the sources.

A cache is made of pickles, and who writes a pickle runs code: only the archive that the installed wheel's
RECORD vouches for is opened, after its SHA-256 has been held against it, and only this module opens one.
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
MARK = "shipped.json"  # in a folder of compiled code: it came with the installation
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


def kind(folder: str) -> dict[str, str]:
    """What compiled code hangs on beside its sources. folder: `cache.folder_name`."""
    return {
        "folder": folder,
        "python": ".".join(platform.python_version_tuple()[:2]),
        "implementation": sys.implementation.name,
        "system": platform.system(),
        "machine": platform.machine(),
        **{name: metadata.version(name) for name in ("numba", "llvmlite")},
    }


def unpack(folder: Path) -> tuple[Path, str]:
    """The folder for compiled code: one beside `folder` that was filled from the installed wheel, whole or
    not at all; `folder` where none is installed or fits, and why it does not.
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
            why = f"{DISTRIBUTION} is for {name} {about.get(name, 'unknown')}, this is {name} {here[name]}"
            return folder, why
        filled = folder.with_name(f"{folder.name}-{about['sources']}")
        if not filled.is_dir():
            _unpack(_vouched_for(files[ARCHIVE]), filled, about)
    except (OSError, KeyError, ValueError, tarfile.TarError, EOFError) as error:
        return folder, f"{DISTRIBUTION} is damaged ({error}); install it again"
    if about["sources"] != house_hash():
        return filled, f"{DISTRIBUTION} is of other sources: what differs is compiled here"
    return filled, ""


def _vouched_for(path: metadata.PackagePath) -> bytes:
    """The content of an installed file. Raises ValueError where it is not what RECORD says."""
    content = Path(path.locate()).read_bytes()
    if path.hash is None or (path.hash.mode, path.hash.value) != ("sha256", record_digest(content)):
        raise ValueError(f"{path.name} is not what RECORD says")
    return content


def record_digest(content: bytes) -> str:
    """A SHA-256 as RECORD writes it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _unpack(content: bytes, folder: Path, about: dict[str, str]) -> None:
    """Beside its place, then there by one rename."""
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:xz") as archive:
            for member in archive:
                room, _, name = member.name.rpartition("/")
                is_room = room.replace(".", "").isidentifier()  # a dotted name: neither ".." nor a path
                if not member.isfile() or Path(name).suffix not in (".nbi", ".nbc") or not is_room:
                    raise ValueError(f"{ARCHIVE}: {member.name} is no compiled code")
                (part / room).mkdir(exist_ok=True)
                (part / room / name).write_bytes(archive.extractfile(member).read())
        (part / MARK).write_text(json.dumps(about), encoding="utf-8")
        os.chmod(part, 0o755)
        os.rename(part, folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        if not folder.is_dir():  # else another process was quicker
            raise


def pack(folder: Path) -> bytes:
    """A folder of compiled code as the archive of a wheel: the same bytes for the same files."""
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
