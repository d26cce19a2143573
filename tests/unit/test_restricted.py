"""Restricted play: what is omitted is never chosen, noise and a later policy do what they say, and no modifier at all changes nothing, game by game."""

import numpy as np
import pytest

from bartizan.policies.registry import at_one_table, find_player, find_policy, line_ups, option_lacked, split_changes
from bartizan.policies.restricted import allowed_first
from bartizan.simcore.conformance import check_game
from bartizan.simcore.errors import PolicyError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import replay
from bartizan.simcore.scenario.loading import load_scenario
from tests.cli.run_cli import PIG, bartizan

GAMES = [  # game, line-up, role that is restricted, and kinds of action that its default policy does choose
    (PIG, ["hold:omit=hold", "random"], 0, "hold"),
    ("itter", ["garrison:omit=attack+command"], 0, "attack+command"),
    ("colditz", ["allied=escape_officer:omit=pick+force", "german=security_officer"], 0, "pick+force"),
    ("colditz", ["allied=escape_officer", "german=security_officer:omit=arrest"], 1, "arrest"),
    ("castle", ["steward:omit=attack", "steward"], 0, "attack"),
    ("rampage", ["tactician", "tactician:omit=play"], 1, "play"),
]


def match(name: str, *texts: str, seed: int = 5) -> Match:
    it = load_game(name)
    scenario = load_scenario(it)
    (seats,) = line_ups(it, list(texts), together=True)
    return Match(it, scenario, tuple(find_player(it, text) for text in it.seated(scenario, seats)), seed)


def rows(name: str, *texts: str, games: int = 60) -> np.ndarray:
    return Batch(match(name, *texts)).play(range(games))


def same(one: np.ndarray, other: np.ndarray) -> bool:
    return bool((one == other).all())


# ---------------------------------------------------------------- what each modifier does


@pytest.mark.parametrize(
    ("name", "texts", "seat", "kinds"),
    GAMES,
    ids=lambda value: str(value).rsplit("/", 1)[-1] if isinstance(value, str) else "",
)
def test_what_is_omitted_is_never_chosen(name, texts, seat, kinds):
    it = load_game(name)
    engine = it.compiled
    omitted = {engine.acts[kind] for kind in kinds.split("+")}
    plain = [text.split(":omit")[0] for text in texts]
    chosen = (ply.action // engine.arguments for ply in replay(match(name, *plain), 0) if ply.seat == seat)
    assert not omitted.isdisjoint(chosen), "the policy would choose it"
    left = 0
    for ply in replay(match(name, *texts), 0):
        legal = set((ply.legal // engine.arguments).tolist())
        if ply.seat == seat and legal - omitted:
            left += bool(legal & omitted)
            assert ply.action // engine.arguments not in omitted, f"ply {ply.number}: {ply.text}"
    assert left, "there was something to leave alone"


@pytest.mark.parametrize(
    ("name", "plain", "restricted"),
    [
        (PIG, "hold", "hold:noise=0"),
        (PIG, "random", "hold:noise=1"),
        (PIG, "random", "hold:random-after=1"),
        (PIG, "hold:at=25", "hold:at=25,random-after=10000"),
        (PIG, "hold:at=15,noise=0.3", "restrict:hold:at=15:restrict:noise=0.3"),
        ("itter", "garrison", "garrison:noise=0"),
        ("itter", "random", "garrison:noise=1"),
        ("itter", "greedy", "garrison:greedy-after=1"),
        ("itter", "fight", "garrison:fight-after=1"),
        ("castle", "steward", "steward:noise=0"),
        ("castle", "random", "steward:noise=1"),
        ("castle", "steward", "plain:steward-after=0"),
    ],
)
def test_the_ends_of_each_modifier_are_policies_known(name, plain, restricted):
    assert same(rows(name, plain), rows(name, restricted))


def test_colditz_counts_rounds():
    assert same(
        rows("colditz", "allied=greedy", "german=greedy", games=20),
        rows("colditz", "allied=escape_officer:greedy-after=1", "german=greedy", games=20),
    )
    assert not same(
        rows("colditz", "allied=greedy", "german=greedy", games=20),
        rows("colditz", "allied=escape_officer:greedy-after=3", "german=greedy", games=20),
    )


def test_another_policy_plays_from_the_turn_named_on():
    plain, restricted = (list(replay(match(PIG, text), 3)) for text in ("hold", "hold:random-after=6"))
    turns = [1, *(turn_of(PIG, 3, "hold"))]
    before = sum(turn < 6 for turn in turns) - 1
    assert [ply.action for ply in plain][:before] == [ply.action for ply in restricted][:before] and before > 5
    assert [ply.action for ply in plain] != [ply.action for ply in restricted]


def turn_of(name: str, number: int, *texts: str) -> list[int]:
    return [int(ply.state["turn"]) for ply in replay(match(name, *texts), number)]


def test_the_later_policy_has_its_own_weights(tmp_path):
    """Its weights stand behind the kinds omitted."""
    both = "hold:at=90,noise=0,omit=roll,hold-after=1"
    policy = find_policy(load_game(PIG), both)
    assert list(policy.weights) == ["at", "noise", "after", "omitted", "omit roll", "hold at"]
    assert policy.weights["hold at"] == 20 and policy.weights["omit roll"] == load_game(PIG).compiled.acts["roll"]
    assert same(rows(PIG, "hold"), rows(PIG, "hold:at=90,hold-after=1"))


def test_noise_is_as_frequent_as_it_says():
    """Holding at 1000 never holds before it wins: every other hold is noise, which holds half of the time."""
    engine = load_game(PIG).compiled
    actions = [ply.action for number in range(60) for ply in replay(match(PIG, "hold:at=1000,noise=0.4"), number)]
    share = np.mean([action == engine.acts["hold"] for action in actions])
    assert abs(share - 0.2) < 4 * (0.2 * 0.8 / len(actions)) ** 0.5 + 0.01, "winning holds are the hundredth part"


def test_allowed_actions_come_first_in_their_order():
    legal = np.array([10, 21, 12, 33, 24, 99], np.int32)
    weights = np.array(
        [7.0, 0.0, -1.0, 2.0, 2.0, 9.0]
    )  # one weight of its own; kinds 2 and 9 are omitted, 10 arguments a kind
    assert allowed_first(legal, 5, weights, 1, 10) == 3
    assert legal.tolist() == [10, 12, 33, 21, 24, 99]
    nothing = np.array([21, 24], np.int32)
    assert allowed_first(nothing, 2, weights, 1, 10) == 2
    assert nothing.tolist() == [21, 24], "where nothing is allowed everything is"


def test_the_contract_holds():
    game = load_game(PIG)
    players = [find_player(game, "random:omit=roll,noise=0.2,hold-after=3")]
    assert list(check_game(game, players, find_player(game, "random")))


def test_threads_change_nothing():
    one, two = (
        bartizan("run", PIG, "--policy hold:noise=0.2,random-after=9 --games 5000 --jobs", jobs, "--json").json
        for jobs in (1, 2)
    )
    assert one["digest"] == two["digest"] and one["policies"] == ["hold:noise=0.2,random-after=9"] * 2
    assert one["policy_weights"][0] == {"at": 20, "noise": 0.2, "after": 9, "omitted": 0}


# ---------------------------------------------------------------- how it is written


def test_a_policy_of_a_users_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from bartizan.policies.protocol import Policy\n\ndef choose(state, tables, legal, n_legal, weights):\n    return legal[int(weights[0])]\n\nMINE = Policy('mine', choose, weights={'which': 0.0})\n"
    )
    assert same(rows(PIG, f"{path}:mine:noise=1"), rows(PIG, "random"))
    assert same(rows(PIG, f"{path}:which=1,omit=hold", games=1), rows(PIG, f"{path}:which=0", games=1))


def test_how_it_may_be_written():
    assert (
        split_changes("restrict:garrison:omit=escape")
        == split_changes("garrison:restrict:omit=escape")
        == ("garrison", [("omit", "escape")])
    )
    assert split_changes("garrison:token_now=8,noise=0.1") == ("garrison", [("token_now", "8"), ("noise", "0.1")])
    assert split_changes("mine.py:name:omit=a+b,omit=c") == ("mine.py:name", [("omit", "a+b"), ("omit", "c")])
    itter = load_game("itter")
    assert find_policy(itter, "garrison:omit=attack-weapon,omit=Escape+command").omitted == (
        "attack_weapon",
        "escape",
        "command",
    )
    assert find_policy(itter, "garrison:omit=escape").name == "garrison:omit=escape"


def test_a_plus_between_kinds_is_no_second_player():
    pig, castle = load_game(PIG), load_game("castle")
    assert at_one_table(pig, "hold:at=1e+2+random") == ("hold:at=1e+2", "random")
    assert at_one_table(castle, "steward:omit=ram+attack,noise=0.1+plain") == (
        "steward:omit=ram+attack,noise=0.1",
        "plain",
    )
    assert at_one_table(castle, "plain+steward:omit=ram+steward") == ("plain", "steward:omit=ram", "steward")
    assert line_ups(castle, ["steward:omit=ram+attack"]) == [("steward:omit=ram+attack",) * 4]


def test_the_option_that_two_line_ups_differ_in():
    pig = load_game(PIG)
    assert option_lacked(pig, ("hold", "random"), ("hold:omit=roll", "random")) == ("roll",)
    assert option_lacked(
        pig, ("hold:noise=0.1,omit=roll", "random"), ("hold:noise=0.1,omit=roll,omit=hold", "random")
    ) == ("hold",)
    for other in (
        ("hold:omit=roll", "hold"),
        ("hold:at=9,omit=roll", "random"),
        ("hold:noise=0.2", "random"),
        ("random:omit=roll", "random"),
        ("random", "random"),
    ):
        assert option_lacked(pig, ("hold", "random"), other) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("garrison:omit=escpe", 'no kind of action "escpe"; did you mean "escape"?; choose from: pass, activate'),
        ("garrison:omit=zzz", 'no kind of action "zzz"; choose from: pass'),
        ("garrison:omitt=escape", 'no weight "omitt"; did you mean "omit"?'),
        ("garrison:noise=1.2", "write a probability from 0 to 1"),
        ("garrison:noise=much", "write a probability from 0 to 1"),
        ("garrison:greedi-after=3", 'no policy "greedi" for itter; did you mean "greedy"?'),
        ("garrison:greedy-after=soon", "write the turn from which greedy plays"),
        ("garrison:commander-after=3", "commander plays only the role ss, but garrison"),
        ("garrison:greedy-after=3,fight-after=5", "two modifiers name a later policy"),
        ("garrison:noise=0.1,noise=0.2", "given twice"),
        ("garrison:patience=x,noise=0.1", "is not a number"),
        ("garrison:patience=0.9,patience=0.8", "a weight is given twice"),
    ],
)
def test_what_cannot_be_is_refused(text, said):
    with pytest.raises(PolicyError) as refused:
        find_policy(load_game("itter"), text)
    assert said in str(refused.value)


def test_a_restricted_player_answers_for_the_files_of_all_who_decide(tmp_path):
    """An edit of any of them makes another player: of a goal from outside, of who takes over."""
    goal = "from bartizan import newcomer\n\n\ndef goal(state, tables, seat):\n    return float(state.banked[seat])\n\n\nCOUNTS = newcomer(goal, 'points')\n"
    mine = tmp_path / "mine.py"
    mine.write_text(goal, encoding="utf-8")
    pig = load_game(PIG)
    plain, noisy = (find_policy(pig, f"{mine}{noise}") for noise in ("", ":noise=0.1"))
    assert noisy.decided_by() == plain.decided_by() and noisy.source == mine
    first = find_policy(pig, "newcomer")
    assert set(first.decided_by()) < set(find_policy(pig, "hold:newcomer-after=3").decided_by())


def test_the_list_of_policies_names_modifiers_and_kinds():
    result = bartizan("policies", PIG)
    for part in ("kinds of action: roll, hold", "omit=KIND", "noise=0.2", "POLICY-after=10"):
        assert part in result.out
    assert bartizan("policies", PIG, "--json").json["acts"] == {PIG: ["roll", "hold"]}


def test_an_option_is_worth_something_to_a_player():
    args = ("compare", PIG, "--policy", "hold+random", "--change", "policy=hold:omit=hold+random", "--games", 300)
    result = bartizan(*args)
    document = result.json
    assert "hold is worth 99" in document["sentence"]
    assert " to hold; without it the win rate" in document["sentence"]
    assert document["change"] == [
        {"path": "policy", "what": "policy", "from": "hold+random", "to": "hold:omit=hold+random", "lacks": ["hold"]}
    ]
    assert document["difference"]["estimate"] < -0.9
    assert document["option_use"]["free"] > 1 and document["option_use"]["forced"] == 0
    assert "used " in result.out


def test_an_option_that_has_to_be_used_all_the_same_is_told():
    """Nothing is left when every kind is omitted, so everything is allowed."""
    document = bartizan(
        "compare",
        PIG,
        "--policy hold:omit=roll+random --change policy=hold:omit=roll,omit=hold+random --games 100 --json",
    ).json
    assert document["option_use"]["forced"] > 0
    assert "it was still used when no other action was legal" in document["sentence"]


PATHS = '''"""Walk."""

from bartizan.short import *

players = 2
place = Tokens()


def step(s, n, by: range(1, 4)):
    s.place[s.me] += by
    if s.place[s.me] >= 20:
        win(s, s.me, "there")
    else:
        next_player(s)


def jump(s, n):
    step(s, n, 4)


def goer(s, n, legal, lists=0):
    """Jumps; with `lists`, the last action of its list."""
    return legal[len(legal) - 1] if lists else JUMP
'''


@pytest.mark.parametrize("lists, is_worth", [(0, False), (1, True)])
def test_an_action_that_a_random_one_replaced_has_no_worth(kept_path, lists, is_worth):
    """A policy that does not read its list plays at random without the action: that is no value of the action."""
    path = kept_path / "paths.py"
    path.write_text(PATHS)
    plain = f"goer:lists={lists}"
    change = f"policy={plain},omit=jump+{plain}"
    document = bartizan("compare", path, "--policy", plain, "--change", change, "--games", 200, "--json").json
    assert (document["option_use"]["insisted"] == 0) == is_worth
    assert ("is worth" in document["sentence"]) == is_worth
    assert ("not the worth" in document["sentence"]) != is_worth


@pytest.mark.parametrize(
    "text, name",
    [
        ("hold:at=15", "hold:at=15"),
        ("hold:omit=roll,at=15.0", "hold:at=15:omit=roll"),
        ("lookahead:base=hold,at=15,plays=16", "lookahead:base=hold,at=15,plays=16"),
    ],
)
def test_a_name_shows_weights_that_were_set(text, name):
    """A result of hold:at=15 is not one of hold, the player that readers know."""
    own = find_policy(load_game(PIG), text)
    assert own.name == name
    assert find_policy(load_game(PIG), name).weights == own.weights


def test_seats_keep_their_weights_beside_another_policy():
    seated = ["--policy", "first=hold:at=3", "--policy", "second=hold"]
    line = bartizan("trace", PIG, *seated, "--position", 2).out.strip()
    document = bartizan("chance", PIG, *seated, "--at", line, "--games", 50, "--beside second=random --json").json
    assert document["policies"] == ["hold:at=3", "hold"]
    assert [other["policies"] for other in document["other_policies"]] == [["hold:at=3", "random"]]
