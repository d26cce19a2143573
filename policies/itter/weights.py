"""What `garrison` believes: its weights, and their places in the array that its functions get."""

# Found by a seeded search on pilot games (docs/garrison.md); the order is that of the indices below.
WEIGHTS = {
    # danger
    "patience": 0.887,  # how much one more free circle on a track calms
    "alert": 0.0,  # how far the Tactics cards that may come are minded
    "breach": 6.74,  # danger of a track that is full, against one with a single free circle
    # tokens
    "stock_turns": 4.0,  # turns ahead for which tokens are laid up
    "tokens_each": 2.82,  # tokens wanted for each counter expected
    "token_now": 0.81,  # a token against a shot of the same chance: it waits, but it waits where it is needed
    # shots
    "gun": 0.08,  # worth of silencing a Machine Gunner or Mortar
    "point": 0.017,  # worth of one point of score, growing towards the end
    # recovering
    "recover": 0.516,  # a Recover is worth this share of what the defender could do
    "steady": 0.019,  # removing a Disrupt token: another would kill
    "command": 0.838,  # a commander's three Recovers against three of their own
    # people
    "french_out": 0.063,  # bringing a French defender out of the Cellar, growing towards the end
    "french_turn": 12.8,  # from this turn on
    "onward": 0.029,  # Borotra on his way to a position from which he may escape
    "run_turn": 99.0,  # from this turn on he goes there
    "coast": 0.0,  # the last counter that stands in his way
    "few": 0.5,  # each of several, against one fewer
    # deployment: what a post is worth by where it is
    "crew_first": 10.0,  # the tank crew goes before others
    "crowd": 1.0,  # for each defender who stands in the location already
    "hall": 0.0,  # in the hall the French pass through
    # spending: the chance of letting a counter through that is accepted, by free circles on its track
    "miss_0": 0.005,
    "miss_1": 0.212,
    "miss_2": 0.449,
    "miss_3": 0.755,
    "miss_4": 0.511,
}
(
    PATIENCE,
    ALERT,
    BREACH,
    STOCK_TURNS,
    TOKENS_EACH,
    TOKEN_NOW,
    GUN,
    POINT,
    RECOVER,
    STEADY,
    COMMAND,
    FRENCH_OUT,
    FRENCH_TURN,
    ONWARD,
    RUN_TURN,
    COAST,
    FEW,
    CREW_FIRST,
    CROWD,
    HALL,
    MISS,
) = range(21)
