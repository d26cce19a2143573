"""The commands under `bartizan odds`: single throws and fights."""

import typer

from bartizan import cli_options as opt
from bartizan.cli_saying import given, playtest, say

odds = typer.Typer(
    help="Odds of single throws and fights: exact, and simulated with the engine's dice. castle: Castle; the others: Escape from Colditz.",  # noqa: E501
    no_args_is_help=True,
    rich_markup_mode=None,
)


@odds.command("do-or-die")
def odds_do_or_die(
    distance: opt.OddsDoOrDieDistance = None,
    from_: opt.From = None,
    ropes: opt.OddsDoOrDieRopes = None,
    cutters: opt.OddsDoOrDieCutters = None,
    card: opt.OddsDoOrDieCard = None,
    cap: opt.Cap = None,
    games: opt.Attempts = 200_000,
    seed: opt.Seed = 1,
    as_json: opt.AsJson = False,
) -> None:
    """A Do or Die: chance of success by card, and with a card drawn blind."""
    say(playtest("colditz").odds.do_or_die(**given(locals())), as_json)


@odds.command("staff-car")
def odds_staff_car(
    distance: opt.OddsStaffCarDistance = None,
    cap: opt.Cap = None,
    games: opt.Attempts = 200_000,
    seed: opt.Seed = 1,
    as_json: opt.AsJson = False,
) -> None:
    """The Staff Car: chance of reaching the target over the main bridge."""
    say(playtest("colditz").odds.staff_car(**given(locals())), as_json)


@odds.command("appel")
def odds_appel(
    distance: opt.Distance,
    cap: opt.Cap = None,
    games: opt.Attempts = 200_000,
    seed: opt.Seed = 1,
    as_json: opt.AsJson = False,
) -> None:
    """An Appel: chance that its range, one throw, reaches a POW so many steps away."""
    say(playtest("colditz").odds.appel(**given(locals())), as_json)


@odds.command("shoot-to-kill")
def odds_shoot_to_kill(
    distance: opt.Distance,
    talisman: opt.OddsShootToKillTalisman = False,
    cap: opt.Cap = None,
    games: opt.Attempts = 200_000,
    seed: opt.Seed = 1,
    as_json: opt.AsJson = False,
) -> None:
    """A Shoot to Kill: chance that the shot kills over so many steps."""
    say(playtest("colditz").odds.shoot_to_kill(**given(locals())), as_json)


@odds.command("castle")
def odds_castle(
    attack: opt.OddsCastleAttack = None,
    defend: opt.OddsCastleDefend = None,
    queen: opt.OddsCastleQueen = "alive",
    revealed: opt.OddsCastleRevealed = False,
    same_suit: opt.OddsCastleSameSuit = False,
    add: opt.OddsCastleAdd = 0,
    defence_add: opt.OddsCastleDefenceAdd = 0,
    set_: opt.Sets = None,
    games: opt.Attempts = 200_000,
    seed: opt.Seed = 1,
    as_json: opt.AsJson = False,
) -> None:
    """A fight in Castle: chance that the attacker wins one roll."""
    say(playtest("castle").odds.castle(**given(locals())), as_json)


@odds.command("stake-or-wait")
def odds_stake_or_wait(
    distance: opt.OddsStakeOrWaitDistance = None,
    within: opt.OddsStakeOrWaitWithin = None,
    from_: opt.From = None,
    ropes: opt.OddsStakeOrWaitRopes = None,
    cutters: opt.OddsStakeOrWaitCutters = None,
    rounds_left: opt.OddsStakeOrWaitRoundsLeft = None,
    players: opt.Players = None,
    policy: opt.Policies = None,
    set_: opt.Sets = None,
    games: opt.OddsStakeOrWaitGames = 1000,
    futures: opt.OddsStakeOrWaitFutures = 2,
    seed: opt.Seed = 1,
    jobs: opt.Jobs = None,
    chart: opt.OddsStakeOrWaitChart = None,
    as_json: opt.AsJson = False,
) -> None:
    """Stake a POW now, or not this turn? Both ways played on from the same moments, by distance and round."""
    say(playtest("colditz").odds.stake_or_wait(**given(locals())), as_json)
