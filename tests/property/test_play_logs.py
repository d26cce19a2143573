"""Logs of plays with pieces cut out, doubled, swapped and spoiled: read with counts that add up, or refused in one line."""

import random
import zlib

import pytest

from bartizan import api
from bartizan.simcore.errors import UsageError
from tests.play_logs import LOGS
from tests.unit.test_play_logs import adds_up, brought_in

EACH, SEED = 8, 19
ODD = [b"", b",", b";", b'"', b"\n", b"\r", b"\t", b"\x00", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", "é−½٣".encode(), b"0", b"-1", b"1e999", b"9" * 400, b"[", b"{", b"}", b"null", b"NaN", b"true", b"<", b">", b"&x;", b"</plays>", b"<!DOCTYPE x>", b"win", b"x" * 200_000, b"[" * 3000]  # fmt: skip


def spoiled(data: bytes, luck: random.Random) -> bytes:
    for _ in range(luck.choice([1, 1, 2, 4])):
        at, to = sorted(luck.randrange(len(data) + 1) for _ in range(2))
        how = luck.randrange(5)
        if how == 0:
            data = data[:at] + luck.choice(ODD) + data[at + luck.randrange(4) :]
        elif how == 1:
            data = data[:at]
        elif how == 2:
            data = data[:to] + data[at:to] + data[to:]
        elif how == 3:
            data = data[:at] + data[to:]
        else:
            lines = data.split(b"\n")
            luck.shuffle(lines)
            data = b"\n".join(lines)
    return data


@pytest.mark.rotating
@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_a_spoiled_log_adds_up_or_is_refused_in_one_line(log, tmp_path):
    for number in range(EACH):
        luck = random.Random(zlib.crc32(f"{log.name} {SEED} {number}".encode()))
        data = spoiled(log.content(), luck)
        here = tmp_path / str(number)
        here.mkdir()
        log.content, before = (lambda data=data: data), log.content
        try:
            answer = brought_in(log, here)
        except UsageError as refused:
            assert "\n" not in str(refused) and len(str(refused)) < 600
            assert not (here / "plays").exists()
            continue
        finally:
            log.content = before
        frame = api.playtest_log(here / "plays")
        adds_up(answer, frame)
        assert answer.text()
        again = brought_in_again(log, here)
        assert again["plays"]["new"] == again["plays"]["replaced"] == 0


def brought_in_again(log, folder):
    mapping = folder / "mapping.toml" if log.mapping else None
    return api.playtest_import(folder / log.file, out=folder / "plays", game=log.game, mapping=mapping)["files"][0]
