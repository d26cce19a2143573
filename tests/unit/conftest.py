"""What several files of unit tests look at."""

import pytest

from bartizan.policies import archive

NOVICE = """[[best]]
scenario = "published"
difficulty = "novice"
role = "defender"
policy = "garrison@novice"
before = "garrison"
opponent = ""
found = "2026-11-26"
command = "none: made up"
method = "none: made up"
behaviour = 2
scenario_hash = "none: made up"
seed = 1
pairs = 1
"""
INTERVAL = "estimate = 0.1\nlow = 0.0\nhigh = 0.2\nlevel = 0.95\nmethod = 'none'\n"


@pytest.fixture
def by_level(monkeypatch, tmp_path):
    """An archive of Castle Itter whose best differs by level: at Novice alone somebody was admitted."""
    path, shipped = tmp_path / "itter.best.toml", archive.file_of
    path.write_text(f"{NOVICE}\n[best.win_rate]\n{INTERVAL}\n[best.margin]\n{INTERVAL}", encoding="utf-8")
    monkeypatch.setattr(archive, "file_of", lambda named: path if named == "itter" else shipped(named))
