"""`warm` compiles ahead; what cannot be compiled is one line."""


from tests.cli.run_cli import PIG, bartizan, error_line, process


def test_pig_is_compiled_ahead(tmp_path, monkeypatch):
    monkeypatch.setenv("BARTIZAN_CACHE", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    result = bartizan("warm", PIG, "--json")
    assert result.code == 0, result.err
    compiled = [(row["game"], row["what"]) for row in result.json["compiled"]]
    assert compiled == [(PIG, "play loop"), (PIG, "policies")]
    assert "compiling pig" in result.err
    assert list(tmp_path.rglob("*play_batch*.nbi")) and list(tmp_path.rglob("*hold*.nbi"))
    there = set(tmp_path.rglob("*.nb?"))
    for words in (["run", PIG, "--games", "10", "--policy", "random"], ["warm", PIG]):
        child = process(*words)
        out, err = child.communicate(timeout=300)
        assert child.returncode == 0 and (words[0] == "warm" or "compiling" not in err), err
    assert "all compiled in" in out
    assert set(tmp_path.rglob("*.nb?")) == there, "nothing was left to compile"


def test_a_game_that_there_is_not():
    result = bartizan("warm", "itterr")
    assert result.code == 2 and 'did you mean "itter"?' in error_line(result)
