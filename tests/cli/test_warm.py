"""`warm` compiles ahead; what cannot be compiled is one line."""

from threading import Thread

from bartizan.api.cluster.warming import compile_parts
from bartizan.policies import registry
from bartizan.simcore.files import held
from bartizan.simcore.game import load_game
from tests.cli.run_cli import PIG, RUIN, bartizan, error_line, process


def test_a_game_is_compiled_ahead(tmp_path, monkeypatch):
    monkeypatch.setenv("BARTIZAN_CACHE", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    result = bartizan("warm", RUIN)
    assert result.code == 0 and "all compiled in" in result.out, result.err
    compiled = [(row["game"], row["what"]) for row in result.json["compiled"]]
    assert compiled == [(RUIN, "play loop"), (RUIN, "policies")]
    assert "compiling ruin" in result.err
    assert list(tmp_path.rglob("*play_batch*.nbi")) and list(tmp_path.rglob("*choose*.nbi"))
    there = set(tmp_path.rglob("*.nb?"))
    child = process("run", RUIN, "--games", "10")
    _, err = child.communicate(timeout=300)
    assert child.returncode == 0 and "compiling" not in err, err
    assert set(tmp_path.rglob("*.nb?")) == there, "nothing was left to compile"


def test_a_game_that_there_is_not():
    result = bartizan("warm", "itterr", "--jobs", 1)
    assert result.code == 2 and 'did you mean "itter"?' in error_line(result)


def test_two_processes_begin_at_both_ends(tmp_path, monkeypatch):
    """Where they meet one waits, and finds done what it waited for."""
    done, game = [], load_game(PIG)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(registry, "find_player", lambda game, text: done.append(text))
    compile_parts(game, ["hold", "random"])
    compile_parts(game, ["hold", "random"], is_second=True)
    assert done == ["hold", "random", "random", "hold"]
    with held(tmp_path / "pig-0.lock"):
        second = Thread(target=compile_parts, args=(game, ["hold"]))
        second.start()
        second.join(0.2)
        assert len(done) == 4
    second.join()
    assert done[4:] == ["hold"]


def test_one_function_is_compiled_in_one_process(tmp_path, monkeypatch):
    """Other weights and noise are numbers: whoever has the function compiled has them all."""
    done, game = [], load_game(PIG)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(registry, "find_player", lambda game, text: done.append(text))
    compile_parts(game, ["hold", "hold:at=25", "hold:noise=0.1", "random"], is_second=True)
    assert done == ["random", "hold", "hold:at=25", "hold:noise=0.1"]
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["pig-0.lock", "pig-1.lock"]
