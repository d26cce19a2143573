"""`bartizan bracket` and `bartizan best`: documents, files that grow, admissions, and what is refused."""

import json
import tomllib

import pytest

from bartizan.analyses.records import brackets
from bartizan.analyses.records.rung_ends import win_rate
from bartizan.analyses.statistics.looks import level_of, plain_level_of
from bartizan.api.answers.best import hashes_of
from bartizan.api.answers.bracket import RungSeat, empty
from bartizan.policies import archive
from bartizan.simcore.game import load_game
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, ROOT, RUIN, bartizan, error_line

QUICK = (PIG, "--games", 200, "--plays", "4,8")
KEYS = {
    "rung", "policy", "plays", "playable", "games", "wins", "win_rate", "gain", "seed", "measured", "command",
    "player",
}  # fmt: skip
AHEAD = "lookahead:base=hold,plays={}"


def measure(*words, **options):
    result = bartizan("bracket", *QUICK, *words, *(word for pair in options.items() for word in pair))
    assert result.code == 0, result.err
    return result


def test_the_document_and_the_text(tmp_path):
    document = measure("--slow-games", 6, "--json").json
    (it,) = document["brackets"]
    rungs = {(row["rung"], row["plays"]): row for row in it["rungs"]}
    assert document["schema"] == "bartizan.bracket/1" and all(set(row) >= KEYS for row in it["rungs"])
    assert {("random", 0), ("heuristic", 0), ("lookahead", 4), ("lookahead", 8)} <= set(rungs)
    assert rungs["random", 0]["win_rate"]["high"] < 0.1 < rungs["heuristic", 0]["win_rate"]["low"]
    assert rungs["lookahead", 4]["gain"]["over"] == "hold" and rungs["lookahead", 8]["gain"]["over"] == AHEAD.format(4)
    assert rungs["lookahead", 8]["games"] == rungs["lookahead", 8]["gain"]["games"] == 6
    said = measure("--slow-games", 6).out
    assert document["sentences"][0] in said and "show where people rank" in said


def test_a_file_grows_and_goes_on_to_the_same(tmp_path):
    """Rung by rung, some games and then more, on other threads: the same games as in one go.

    More games are a second look, whose interval is wider.
    """
    parts, whole = tmp_path / "parts.json", tmp_path / "whole.json"
    measure("--slow-games", 2, "--rung", "random", "-o", parts)
    measure("--slow-games", 3, "--rung", "lookahead", "--jobs", 2, "-o", parts)
    measure("--slow-games", 7, "--jobs", 1, "-o", parts)
    measure("--slow-games", 7, "-o", whole)

    def rows(path):
        (it,) = json.loads(path.read_text(encoding="utf-8"))["brackets"]
        return {(row["rung"], row["plays"]): row for row in it["rungs"]}

    grown, once = rows(parts), rows(whole)
    of_look = {"command", "looks", "win_rate", "gain"}
    for place, row in grown.items():
        assert {key: row[key] for key in row.keys() - of_look} == {
            key: once[place][key] for key in row.keys() - of_look
        }
        looks = [3, 7] if place[0] == "lookahead" else [row["games"]]
        assert row["looks"] == looks and once[place]["looks"] == [row["games"]]
        assert row["win_rate"]["level"] == pytest.approx(plain_level_of(len(looks)))
        if place[0] == "lookahead":
            assert row["win_rate"] == win_rate(row["ends"], 0.0, level_of(2)).to_dict()
            assert row["gain"]["level"] > once[place]["gain"]["level"] == 0.95
    before = parts.read_bytes()
    assert "7 games" in measure("--slow-games", 5, "-o", parts).out and parts.read_bytes() == before


def test_settings_are_those_of_every_rung_that_looks_ahead():
    (it,) = measure("--slow-games", 1, "--rung", "lookahead", "--settings", "doubt=2", "--json").json["brackets"]
    assert [row["policy"] for row in it["rungs"]] == [f"{AHEAD.format(plays)},doubt=2" for plays in (4, 8)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rung", "lookahaed"), 'did you mean "lookahead"'),
        (("--plays", "8,many"), "--plays 8,many: write integers of at least 2"),
        (("--role", "first"), "--role first: all seats are identical"),
        (("-o", "there.txt"), "use a .json file"),
    ],
)
def test_what_is_refused(words, said):
    result = bartizan("bracket", *QUICK, *words)
    assert result.code == 2 and said in error_line(result)


def test_ladder_says_what_would_measure_a_bracket():
    result = bartizan("ladder", RUIN, "--policy", "random", "--policy", "random:noise=0.5", "--games", 50)
    assert "No bracket has been measured for this variant. To measure one, run `bartizan bracket" in result.out


def test_a_rung_that_no_seat_has_is_told():
    refused = bartizan("bracket", RUIN, "--rung", "trained", "--games", 20)
    assert refused.code == 2 and "--rung trained: ruin has no policy of this kind" in error_line(refused)


def test_a_rung_of_an_edited_policy_file_is_not_shown(tmp_path, monkeypatch):
    """The file is no part of the game's rules, so these have not changed."""
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "mine.py"
    own.write_text(MINE)
    (tmp_path / "pig.py").write_text((ROOT / "examples/short/pig.py").read_text(encoding="utf-8"))
    entry = {"scenario": "standard", "difficulty": "standard", "role": "", "policy": "mine.py"}
    game = load_game("pig.py")
    s = load_scenario(game)
    entry |= {"before": "steady", "opponent": "steady", "win_rate": {"estimate": 0.5, "low": 0.4, "high": 0.6}}
    entry |= {"margin": 0.1, "found": "2026-11-30", "command": "", "behaviour": 1, "scenario_hash": s.hash}
    entry |= {"seed": 1, "pairs": 100, "method": "", **hashes_of(game, "mine.py")}
    (tmp_path / "pig.best.toml").write_text("[[best]]\n" + "\n".join(_line(*one) for one in entry.items()) + "\n")
    measured = ("bracket", "pig.py", "--games", 40, "--rung", "trained", "-o", tmp_path / "pig.bracket.json")
    assert bartizan(*measured).code == 0
    (known,) = brackets.of_scenario("pig.py", s.hash, game)
    assert [row["policy"] for row in known["rungs"]] == ["mine.py"]
    own.write_text(MINE.replace("legal[0]", "legal[n_legal - 1]"))
    assert brackets.of_scenario("pig.py", s.hash, game) == []
    assert bartizan(*measured).code == 0
    (known,) = brackets.of_scenario("pig.py", s.hash, game)
    assert len(known["rungs"]) == 1


MINE = """
from bartizan import Policy


def choose(state, tables, legal, n_legal, weights):
    return legal[0]


MINE = Policy("mine", choose)
"""


def _line(key, value):
    if isinstance(value, dict):
        return f"{key} = {{ {', '.join(f'{name} = {one}' for name, one in value.items())} }}"
    return f"{key} = {json.dumps(value)}"


# ---------------------------------------------------------------- the archive


def best(archive, *words):
    return bartizan("best", PIG, "--archive", archive, *words)


def test_the_better_is_admitted_and_the_worse_changes_nothing(tmp_path):
    mine = tmp_path / "mine.toml"
    assert "default policy; no better one was admitted" in best(mine).out
    refused = best(mine, "--admit", "random")
    assert refused.code == 1 and "random is not admitted" in refused.out and not mine.exists()
    timid = tmp_path / "timid.toml"
    timid.write_text(entry(policy="hold:at=4"), encoding="utf-8")
    there = timid.read_bytes()
    admitted = best(timid, "--admit", "hold", "--json")
    assert admitted.code == 0 and admitted.json["admitted"] and admitted.json["before"] == "hold:at=4"
    assert timid.read_bytes().startswith(there)
    _, new = tomllib.loads(timid.read_text(encoding="utf-8"))["best"]
    assert new["policy"] == "hold" and new["margin"]["low"] > 0 and new["opponent"] == "hold:at=4"
    assert new["seed"] not in (7, 0)
    (row,) = best(timid, "--json").json["best"]
    assert row["policy"] == "hold"
    assert {"game", "difficulty", "role", "win_rate", "margin", "found", "command"} <= set(row)
    assert "is already the best known policy" in error_line(best(timid, "--admit", "hold"))
    again = best(timid, "--admit", "hold:at=4", "--json").json
    assert not again["admitted"] and again["seed"] != new["seed"]


def test_whose_name_has_come_to_stand_for_other_weights_may_ask_again(tmp_path):
    mine, better = tmp_path / "mine.toml", tmp_path / "better.toml"
    better.write_text('policy = "hold"\n\n[weights]\nat = 25\n', encoding="utf-8")
    mine.write_text(entry(policy="hold:at=4"), encoding="utf-8")
    assert best(mine, "--admit", f"hold@{better}").code == 0
    (row,) = best(mine, "--json").json["best"]
    assert row["is_current"]
    better.write_text('policy = "hold"\n\n[weights]\nat = 3\n', encoding="utf-8")
    (row,) = best(mine, "--json").json["best"]
    assert not row["is_current"] and "run the admission again" in best(mine).out
    again = best(mine, "--admit", f"hold@{better}", "--json").json
    assert again["before"] == "hold" and not again["admitted"]
    better.unlink()
    (row,) = best(mine, "--json").json["best"]
    assert not row["is_current"], "one whose file is gone is still listed"


def test_edited_code_of_a_user_needs_a_new_admission(tmp_path):
    """The rules and a policy, each in a file of its own; a comment changes nothing."""
    mine, rules, policy = (tmp_path / name for name in ("mine.toml", "pig.py", "pace.py"))
    rules.write_bytes((ROOT / "examples/short/pig.py").read_bytes())
    policy.write_bytes((ROOT / "examples/policies/pace.py").read_bytes())
    for game, who, edited, old, new in (
        (rules, "steady", rules, "if pips == 1:", "if pips == 2:"),
        (PIG, str(policy), policy, "ROLL, HOLD = 0, 1", "HOLD, ROLL = 0, 1"),
    ):
        mine.write_text(admitted_now(str(game), who), encoding="utf-8")
        for was, now, is_current in ((old, f"{old}  # remark", True), (old, new, False)):
            edited.write_text(edited.read_text(encoding="utf-8").replace(was, now), encoding="utf-8")
            result = bartizan("best", game, "--archive", mine, "--json")
            assert result.code == 0, result.err
            assert [row["is_current"] for row in result.json["best"]] == [is_current]


def test_a_bracket_of_edited_rules_is_not_shown(tmp_path):
    """Users edit rules without a new behaviour version; a comment changes nothing."""
    rules = tmp_path / "pig.py"
    text = (ROOT / "examples/short/pig.py").read_text(encoding="utf-8")
    rules.write_text(text, encoding="utf-8")

    def known():
        game = load_game(str(rules))
        return brackets.of_scenario(str(rules), load_scenario(game).hash, game)

    game = load_game(str(rules))
    measured = empty(RungSeat(game, load_scenario(game), "", 0))
    document = {"schema": brackets.SCHEMA, "game": game.name, "brackets": [measured]}
    (tmp_path / "pig.bracket.json").write_text(json.dumps(document), encoding="utf-8")
    assert known() == [measured]
    rules.write_text(f"{text}\n# remark\n", encoding="utf-8")
    assert known() == [measured]
    rules.write_text(text.replace("if pips == 1:", "if pips == 2:"), encoding="utf-8")
    assert known() == []


def admitted_now(name, policy):
    """An archive whose entry has the hashes of today."""
    game = load_game(name)
    hashes = hashes_of(game, policy) | {"scenario_hash": load_scenario(game).hash}
    text = entry(policy=policy).replace('scenario_hash = "x"\n', "")
    return text.replace("seed = 7", "\n".join(["seed = 7", *(f'{key} = "{value}"' for key, value in hashes.items())]))


def test_the_best_of_the_archive_is_the_trained_rung(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text(entry(policy="hold:at=25"), encoding="utf-8")
    (it,) = measure("--rung", "trained", "--archive", mine, "--json").json["brackets"]
    assert [(row["rung"], row["policy"]) for row in it["rungs"]] == [("trained", "hold:at=25")]


def test_few_games_do_not_tell(tmp_path):
    result = best(tmp_path / "mine.toml", "--admit", "hold:at=21", "--games", 20)
    assert result.code == 3 and "the games are inconclusive" in result.out and "The archive is unchanged" in result.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--admit", "nobody"), 'no policy "nobody"'),
        (("--admit", "random", "--role", "first"), "all seats are identical"),
        (("--admit", "random", "--margin", "wide"), "--margin wide"),
    ],
)
def test_what_best_refuses(tmp_path, words, said):
    result = best(tmp_path / "mine.toml", *words)
    assert result.code == 2 and said in error_line(result)


def entry(policy):
    interval = 'estimate = 0.1\nlow = 0.0\nhigh = 0.2\nlevel = 0.95\nmethod = "Wilson"'
    said = (
        f'scenario = "standard"\ndifficulty = "standard"\nrole = ""\npolicy = "{policy}"\nbefore = '
        '"hold"\nopponent = "hold"\n'
    )
    said += (
        'found = "2026-11-22"\ncommand = "x"\nbehaviour = 1\nscenario_hash = "x"\nseed = 7\npairs = 9\nmethod = "x"\n'
    )
    return f"[[best]]\n{said}\n[best.win_rate]\n{interval}\n\n[best.margin]\n{interval}\n"


def test_an_archive_that_does_not_exist_is_one_line(tmp_path):
    """It was read as an empty one, so that the default policy stood for the policy that the user had admitted."""
    for words in (("bracket", PIG, "--rung", "random"), ("describe", PIG, "--policies")):
        result = bartizan(*words, "--archive", tmp_path / "none.toml")
        assert result.code == 2 and "none.toml: no such file" in error_line(result)


def test_numbers_of_simulations_are_digits():
    result = bartizan("bracket", PIG, "--plays", "²")
    assert result.code == 2 and "write integers of at least 2" in error_line(result)


def test_only_lookahead_itself_is_slow():
    entries = [{"policy": name} for name in ("lookahead:base=hold", "lookahead_free", "lookahead.py")]
    assert archive.quick(entries) == ["lookahead_free", "lookahead.py"]
