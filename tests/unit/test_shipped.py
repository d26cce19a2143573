"""Compiled code that comes with an installation: what fits is taken, anything else is refused in a line and compiled."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import typer

from bartizan import cli
from bartizan.simcore.compile import cache, shipped, wheel
from bartizan.simcore.compile.trees import KEPT, house_hash

WORK = """
from bartizan.simcore.compile import cache
print(cache.configure())
import numpy as np
from bartizan.simcore.rng import mix
print(int(mix(np.uint64(7))), len(mix.stats.cache_hits), len(mix.stats.cache_misses))
print(cache.not_shipped)
"""


@pytest.mark.parametrize("line", wheel.COMMANDS)
def test_the_commands_that_fill_the_wheel_are_valid(line):
    """A command with an invalid value would compile nothing, and the wheel would lack its code."""
    words = line.replace("GAME", "castle").split()
    command, questions = typer.main.get_command(cli.app), cli.every_question()
    name = " ".join(words[:2]) if " ".join(words[:2]) in questions else words[0]
    for word in name.split():
        command = command.commands[word]
    given = command.make_context(name, words[len(name.split()) :]).params
    question = questions[name]
    assert not question.instead
    question(**{option.name: cli.read(option, given[option.name]) for option in question.options})


def work(compiled: Path, *installed: Path, **settings: str) -> tuple[Path, str, int, int, str]:
    """A function of the house, in a process of its own: (folder of compiled code, result, hits, misses, why nothing was taken)."""
    environment = {
        **os.environ,
        "BARTIZAN_CACHE": str(compiled),
        "PYTHONPATH": os.pathsep.join(map(str, installed)),
        **settings,
    }
    run = subprocess.run([sys.executable, "-c", WORK], env=environment, capture_output=True, text=True, check=True)
    folder, numbers, *why = run.stdout.splitlines()
    value, hits, misses = numbers.split()
    return Path(folder), value, int(hits), int(misses), "".join(why)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(what is computed, the wheel, the folder of compiled code): one function, compiled for the generic CPU."""
    place = tmp_path_factory.mktemp("made")
    folder, value, hits, misses, _ = work(place / "compiled", **shipped.GENERIC)
    assert (hits, misses) == (0, 1)
    files = {
        shipped.ABOUT: json.dumps(shipped.kind(folder.name) | {"sources": house_hash()}).encode(),
        shipped.ARCHIVE: shipped.pack(folder),
    }
    return value, wheel.write_wheel(place, files), place / "compiled"


def install(built: Path, place: Path) -> Path:
    with zipfile.ZipFile(built) as archive:
        archive.extractall(place)
    return place


def hash_of(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]


def test_what_is_installed_is_not_compiled_again(made, tmp_path):
    value, built, _ = made
    site = install(built, tmp_path / "site")
    folder, same, hits, misses, why = work(tmp_path / "compiled", site)
    assert (same, hits, misses, why) == (value, 1, 0, "")
    about = json.loads((folder / shipped.MARK).read_text())
    assert folder.name == f"{about['folder']}-{about['sources']}"
    assert set(map(hash_of, (cache.__file__, shipped.__file__))) <= set(json.loads((folder / KEPT).read_text()))
    assert work(tmp_path / "compiled", site)[2:4] == (
        1,
        0,
    )  # it stays, and whoever starts next is told which CPU it is for


def test_a_wheel_of_other_sources_serves_for_what_is_the_same(made, tmp_path):
    value, built, _ = made
    site = install(other_about(built, tmp_path / "other", sources="0123456789abcdef"), tmp_path / "site")
    _, same, hits, misses, why = work(tmp_path / "compiled", site)
    assert (same, hits, misses) == (value, 1, 0)
    assert why == f"{shipped.DISTRIBUTION} was built from other sources: changed functions are compiled on this machine"


def damaged(site: Path) -> None:
    path = site / shipped.PACKAGE / shipped.ARCHIVE
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def swapped(site: Path) -> None:
    """Another archive, as good as the first, that RECORD does not know."""
    (site / shipped.PACKAGE / shipped.ARCHIVE).write_bytes(shipped.pack(site))


def unlisted(site: Path) -> None:
    (record,) = site.glob("*.dist-info/RECORD")
    record.write_text("".join(f"{line.split(',')[0]},,\n" for line in record.read_text().splitlines()))


def other_about(built: Path, place: Path, **changes: str) -> Path:
    """A sound wheel for another machine."""
    with zipfile.ZipFile(built) as archive:
        about, code = (archive.read(f"{shipped.PACKAGE}/{name}") for name in (shipped.ABOUT, shipped.ARCHIVE))
    place.mkdir()
    return wheel.write_wheel(
        place, {shipped.ABOUT: json.dumps(json.loads(about) | changes).encode(), shipped.ARCHIVE: code}
    )


def refused(site: Path, place: Path, monkeypatch) -> str:
    """Why an installed wheel is not taken; nothing of it is left."""
    folder = place / cache.folder_name()
    folder.parent.mkdir()
    monkeypatch.syspath_prepend(site)
    taken, why = shipped.unpack(folder)
    assert taken == folder and list(place.iterdir()) == []
    return why


@pytest.mark.parametrize("spoil", [damaged, swapped, unlisted])
def test_what_record_does_not_vouch_for_is_refused(made, tmp_path, spoil, monkeypatch):
    value, built, _ = made
    site = install(built, tmp_path / "site")
    spoil(site)
    file = shipped.ABOUT if spoil is unlisted else shipped.ARCHIVE
    said = f"{shipped.DISTRIBUTION} is damaged ({file} does not match RECORD); reinstall it"
    assert refused(site, tmp_path / "here", monkeypatch) == said
    if spoil is damaged:  # what is refused is compiled
        assert work(tmp_path / "compiled", site)[1:] == (value, 0, 1, said)


@pytest.mark.parametrize("changes", [{"numba": "0.1"}, {"folder": "py27"}])
def test_code_for_another_machine_is_left_alone(made, tmp_path, changes, monkeypatch):
    site = install(other_about(made[1], tmp_path / "other", **changes), tmp_path / "site")
    ((name, version),) = changes.items()
    assert f"is for {name} {version}, but this is {name} " in refused(site, tmp_path / "here", monkeypatch)


@pytest.mark.parametrize("name", ["../outside.nbc", "../x/outside.nbc", "outside.nbc", "simcore/../../outside.nbc"])
def test_an_archive_may_not_reach_out_of_its_folder(name, tmp_path):
    outside = tmp_path / "outside.nbc"
    outside.write_bytes(b"")
    with pytest.raises(ValueError, match="is not compiled code"):
        shipped._unpack(_archive_of(name, outside), tmp_path / "folder", {})
    assert not list(tmp_path.glob(".*")) and not (tmp_path / "folder").exists()


def _archive_of(name: str, path: Path) -> bytes:
    import io
    import tarfile

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz") as archive:
        archive.add(path, name)
    return buffer.getvalue()


@pytest.mark.parametrize(("kind", "kept"), [("*.nbc", 100), ("*.nbi", -9)])
def test_damaged_code_on_the_disk_is_compiled_anew(made, tmp_path, kind, kept):
    value, _, compiled = made
    shutil.copytree(compiled, tmp_path / "compiled")
    (path,) = (tmp_path / "compiled").rglob(kind)
    path.write_bytes(path.read_bytes()[:kept])
    assert work(tmp_path / "compiled", **shipped.GENERIC)[1:4] == (value, 0, 1)
