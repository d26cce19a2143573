"""The contract every game keeps, as checks that can fail: `bartizan check`, and a test for each registered
game.
"""

from collections.abc import Iterator

import numpy as np

from bartizan.simcore import rng
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.errors import EngineError
from bartizan.simcore.game import Engine, Game
from bartizan.simcore.play.batch import Batch, play_games
from bartizan.simcore.play.match import Match, Player
from bartizan.simcore.play.replay import set_up
from bartizan.simcore.play.rules import PLAYING
from bartizan.simcore.scenario.loading import load_scenario, scenario_names
from bartizan.simcore.scenario.model import data_records

GAMES = 20  # random games a check plays by hand
BATCH = 3000


def check_game(game: Game, players: list[Player], random_player: Player) -> Iterator[str]:
    """Yield one line for each thing that holds; raise EngineError at the first that does not."""
    yield from check_scenarios(game)
    check_reporting(game)
    for scenario in each_scenario(game):
        match = Match(game, scenario, (random_player,) * len(game.roles_in(scenario)), 20_16)
        label = f"{scenario.name}, {scenario.difficulty}"
        for number in range(GAMES):
            walk(match, number, players)
        yield (
            f"{label}: {GAMES} random games: legal actions never empty, none twice, each applies; policies "
            f"leave the state untouched{_also(game)}"
        )
        check_alone(match)
        yield f"{label}: a game alone is the same game in a batch, one thread the same as two"


def _also(game: Game) -> str:
    """What else was looked at."""
    engine = game.compiled
    progress = f"progress of {', '.join(engine.rare)} begins at 0 and leaves it untouched"
    said = {
        "the outlook too": engine.features,
        "dealing anew keeps the cards and what is known": engine.determinize,
        progress: engine.rare,
    }
    return "".join(f"; {words}" for words, there in said.items() if there)


def each_scenario(game: Game):
    for name in scenario_names(game.scenarios):
        base = load_scenario(game, name)
        for difficulty in base.model.difficulties():
            yield load_scenario(game, name, difficulty)


def check_reporting(game: Game) -> None:
    """What the engine wants reported is recorded."""
    engine = game.compiled
    for column in engine.reporting.columns() if engine.reporting else ():
        _hold(
            column in engine.record_dtype.names,
            f'{game.name}: `reporting` names column "{column}", which the record does not have',
        )


def check_scenarios(game: Game) -> Iterator[str]:
    """Every scenario of the game at every difficulty is valid, and every guess says why it is made."""
    for scenario in each_scenario(game):
        for path, datum in data_records(scenario.model):
            if datum.confidence in ("inferred", "assumed") and not (datum.why or datum.note):
                raise EngineError(
                    f"{scenario.path}: {path}: {datum.confidence}, but `why` does not say on what grounds"
                )
        yield (
            f"{scenario.name}, {scenario.difficulty}: valid, {sum(scenario.confidence.values())} records, "
            f"{scenario.assumed} of them assumed"
        )


def walk(match: Match, number: int, players: list[Player]) -> None:
    """One random game by hand, looking at everything on the way."""
    engine, tables = match.engine, match.tables()
    states = new_states(engine)
    state = set_up(engine, states, tables, match.seed, number)
    legal = np.full(engine.max_legal, -1, np.int32)
    choice = np.random.default_rng(number)
    game = f"{match.game.name}, {match.scenario.difficulty}, seed {match.seed}, game {number}"
    look_at_progress(match, states, tables, game, at_start=True)
    for ply in range(match.ply_cap):
        if state.end_reason != PLAYING:
            return
        where = f"{game}, ply {ply}"
        n = check_legal(match, state, tables, legal, where)
        rng.next_policy_luck(state)
        check_policies(match, states, tables, legal, n, players, where)
        if ply % 7 == 0:
            check_features(engine, tables, states, where)
            check_determinize(engine, tables, states, where)
        engine.apply(state, tables, np.int32(choice.choice(legal[:n])))
        if engine.check:
            _hold(not (fault := engine.check(state, tables)), f"{where}: {fault}")
        look_at_progress(match, states, tables, where)
    raise EngineError(
        f"{match.game.name}: game {number} of seed {match.seed} does not end within {match.ply_cap} plies"
    )


def check_legal(match: Match, state: np.record, tables: np.record, legal: np.ndarray, where: str) -> int:
    """What the legal actions promise; returns how many there are. Modifies `legal`."""
    n = match.engine.legal_actions(state, tables, legal)
    _hold(n >= 1, f"{where}: no legal action and the game is not over")
    _hold(n <= len(legal), f"{where}: {n} legal actions, more than max_legal {len(legal)}")
    _hold(len(set(legal[:n].tolist())) == n, f"{where}: a legal action is listed twice")
    _hold(0 <= state.to_move < len(match.players), f"{where}: seat {state.to_move} is to move")
    return n


def check_policies(
    match: Match,
    states: np.ndarray,
    tables: np.record,
    legal: np.ndarray,
    n: int,
    players: list[Player],
    where: str,
) -> None:
    """Every policy that may play this seat chooses a legal action, and leaves the state untouched."""
    state, before = states.view(np.recarray)[0], states.tobytes()
    for player in players:
        if player.roles and match.game.roles[state.to_move] not in player.roles:
            continue
        weights = np.array([*player.weights.values(), 0.0])
        action = player.function(state, tables, legal, n, weights)
        _hold(action in legal[:n], f"{where}: policy {player.name} chose {action}, which is not legal")
        _hold(states.tobytes() == before, f"{where}: policy {player.name} changed the state")


def look_at_progress(
    match: Match, states: np.ndarray, tables: np.record, where: str, at_start: bool = False
) -> None:
    """Rare events: progress is 0 at the start, and looking at it changes nothing."""
    state = states.view(np.recarray)[0]
    for name, event in match.game.compiled.rare.items():
        before = states.tobytes()
        now = event.progress(state, tables)
        _hold(states.tobytes() == before, f"{where}: progress of {name} changed the state")
        _hold(not at_start or now == 0, f"{where}: progress of {name} is {now} before anything has happened")


def check_features(engine: Engine, tables: np.record, states: np.ndarray, where: str) -> None:
    """What `features` promises: finite numbers, the same each time, and leaves the state as it is."""
    if not engine.features:
        return
    before = states.tobytes()
    seen = [np.full(len(engine.features.names), filler) for filler in (np.nan, 7.0)]
    for out in seen:
        engine.features.write(states.view(np.recarray)[0], tables, engine.features.record(out))
    _hold(states.tobytes() == before, f"{where}: the outlook changed the state")
    _hold(
        np.isfinite(seen[0]).all(),
        f"{where}: the outlook leaves a number unset, or writes one that is not finite",
    )
    _hold((seen[0] == seen[1]).all(), f"{where}: the outlook depends on what was in its numbers before")


def check_determinize(engine: Engine, tables: np.record, states: np.ndarray, where: str) -> None:
    """What `determinize` promises: it takes nothing into play and keeps all cards."""
    if not engine.determinize:
        return
    other = states.copy()
    state = other.view(np.recarray)[0]
    rng.fresh_luck(state, 0)
    cards = engine.determinize(state, tables)
    _hold(cards >= 0, f"{where}: dealing anew does not say how many cards it dealt")
    for field in ("end_reason", "to_move", "turn", "stage"):
        kept = field not in engine.state_dtype.names or (other[field] == states[field]).all()
        _hold(kept, f"{where}: dealing anew changed {field}")
    legal = [_legal(engine, tables, them) for them in (states, other)]
    _hold(
        legal[0] == legal[1],
        f"{where}: dealing anew changed what is legal, so it has touched what somebody knows",
    )
    if engine.check:
        _hold(not (fault := engine.check(state, tables)), f"{where}: after dealing anew: {fault}")


def _legal(engine: Engine, tables: np.record, states: np.ndarray) -> list[int]:
    legal = np.zeros(engine.max_legal, np.int32)
    return legal[: engine.legal_actions(states.copy().view(np.recarray)[0], tables, legal)].tolist()


def check_alone(match: Match) -> None:
    """Rows do not depend on how the games are cut into batches or threads."""
    one = np.concatenate(list(play_games(match, 0, BATCH, 1)))
    two = np.concatenate(list(play_games(match, 0, BATCH, 2)))
    _hold((one == two).all(), f"{match.game.name}: two threads play other games than one")
    batch = Batch(match)
    for number in (0, 1, BATCH // 2, BATCH - 1):
        _hold(
            batch.play(number, 1)[0] == one[number],
            f"{match.game.name}: game {number} alone differs from the same game in a batch",
        )


def _hold(condition: bool, otherwise: str) -> None:
    if not condition:
        raise EngineError(otherwise)
