"""Write the golden traces anew: python -m tests.golden.renew. Read the difference before committing it.

Eight traces stand here as text, of the others a digest. `python -m tests.golden.renew NAME` prints one of either, to be
laid beside the same of another commit.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
DIGESTS = HERE / "digests.txt"
SEED, NUMBER = 2016, 7
POLICIES = {
    "itter": ["fight", "garrison"],
    "colditz": ["greedy", "escape_officer"],
    "castle": ["plain", "steward"],
    "rampage": ["greedy", "tactician"],
}  # besides random, which every game has
VARIANTS = {  # further traces of a game: name -> what is set, each by its strongest policy
    "castle": {
        "three": {"players.count": 3},
        "four": {"players.count": 4},
        "joker": {"advanced.jokers": 1},
        "jokers": {"advanced.jokers": 2, "players.count": 3},
        "berserker": {"advanced.berserker": True},
        "same_number_attack": {"advanced.same_number_attack": True},
        "same_number_defence": {"advanced.same_number_defence": True},
        "same_suit": {"advanced.same_suit": True},
        "saboteur": {"advanced.saboteur": True},
        "barricade": {"advanced.barricade": True},
    },
    "rampage": {
        "choices": {
            "rulings.effect_or_attack": "choice",
            "rulings.attack_compulsory": "optional",
            "rulings.boost_times": "any_number",
            "rulings.repelled_veteran": "in_front",
            "rulings.discard_choice": "look_and_choose",
            "rulings.hand_limit": "limited",
            "turn.hand_limit": 4,
        },
        "late": {
            "rulings.text_timing": "after_attack",
            "rulings.several_symbols": "yes",
            "rulings.repelled_veteran": "under_a_stack",
            "rulings.discard_choice": "opponent_chooses",
            "rulings.midturn_reshuffle": "left_out",
            "rulings.strengthen_timing": "before_plays",
        },
    },
}


READABLE = {  # a trace of each game and edition that somebody may want to read without asking for it
    "itter.published.elite.garrison",
    "itter.published.novice.random",
    "itter.playtest-v0.2.elite.random",
    "itter.competitive.competitive.random",
    "colditz.summary.standard.escape_officer",
    "castle.published.standard.plain",
    "castle.published.standard.steward",
    "rampage.assumed-v1.standard.tactician",
}


@dataclass(frozen=True)
class Name:
    """A trace that must exist."""

    game: str
    scenario: str
    difficulty: str
    policy: str
    variant: str = ""
    sets: dict = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return ".".join(filter(None, (self.game, self.scenario, self.difficulty, self.policy, self.variant)))

    @property
    def path(self) -> Path:
        return HERE / f"{self}.txt"


def names() -> Iterator[Name]:
    from bartizan.simcore.conformance import each_scenario
    from bartizan.simcore.game import game_names, load_game

    for game in game_names():
        policies = ["random", *POLICIES.get(game, [])]
        for scenario in each_scenario(load_game(game)):
            for policy in policies:
                yield Name(game, scenario.name, scenario.difficulty, policy)
            for variant, sets in VARIANTS.get(game, {}).items():
                yield Name(game, scenario.name, scenario.difficulty, policies[-1], variant, sets)


def match_of(name: Name, sets: dict | None = None):
    """What is played, with further values set."""
    from bartizan.policies.registry import find_player, line_ups
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.match import Match
    from bartizan.simcore.scenario.loading import load_scenario

    it = load_game(name.game)
    scenario = load_scenario(it, name.scenario, name.difficulty, {**(sets or {}), **name.sets})
    (line_up,) = line_ups(it, [name.policy])  # an officer of one side meets the default player of the other
    return Match(it, scenario, tuple(find_player(it, text) for text in it.seated(scenario, line_up)), SEED)


def trace(name: Name) -> str:
    """The game as text: every decision, everything that followed, and the record."""
    from bartizan.simcore.play.replay import record_of, replay

    match = match_of(name)
    variant = f" {name.variant}" if name.variant else ""
    lines = [
        f"{name.game} {name.scenario} {name.difficulty} {name.policy}{variant}, behaviour {match.game.behaviour}, seed {SEED}, game {NUMBER}"
    ]
    for ply in replay(match, NUMBER):
        lines.append(f"{ply.number}: {ply.text}")
        lines += [f"    {event}" for event in ply.events]
    lines.append(", ".join(f"{key} {value}" for key, value in record_of(match, NUMBER).items()))
    return "\n".join(lines) + "\n"


def digest(text: str) -> str:
    """16 hex digits of its sha256."""
    return sha256(text.encode()).hexdigest()[:16]


def digests() -> dict[str, str]:
    """Name -> digest, of every trace that is no text."""
    return dict(line.split() for line in DIGESTS.read_text(encoding="utf-8").splitlines())


def renew() -> None:
    lines = []
    for name in names():
        text = trace(name)
        if str(name) in READABLE:
            name.path.write_text(text, encoding="utf-8")
        else:
            lines.append(f"{name} {digest(text)}\n")
    DIGESTS.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    from bartizan.simcore.compile import cache

    cache.configure()
    if wanted := sys.argv[1:]:
        print("\n".join(trace(name) for name in names() if str(name) in wanted), end="")
    else:
        renew()
