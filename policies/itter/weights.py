"""What `garrison` believes: its weights, and their places in the array that its functions get."""

from bartizan.policies.protocol import indices

# found by training (docs/garrison.md says how)
WEIGHTS = {
    # danger
    "patience": 0.9491,  # how much one more free circle on a track calms
    "alert": 0.3693,  # how far the Tactics cards that may come are minded
    "breach": 29.72,  # danger of a track that is full, against one with a single free circle
    # tokens
    "stock_turns": 12.59,  # turns ahead for which tokens are laid up
    "tokens_each": 0.9258,  # tokens wanted for each counter expected
    "token_now": 0.4807,  # a token against a shot of the same chance: it waits, but where it is needed
    # shots
    "gun": 0.08944,  # worth of silencing a Machine Gunner or Mortar
    "point": 0.01038,  # worth of one point of score, growing towards the end
    # recovering
    "recover": 0.7463,  # a Recover is worth this share of what the defender could do
    "steady": 0.02659,  # removing a Disrupt token: another would kill
    "command": 0.2914,  # a commander's three Recovers against three of their own
    # people
    "french_out": 0.1501,  # bringing a French defender out of the Cellar, growing towards the end
    "french_turn": 2.965,  # from this turn on
    "onward": 0.2754,  # Borotra on his way to a position from which he may escape: 2.8
    "run_turn": 1.42,  # from this turn on he goes there
    "coast": 0.621,  # the last counter that stands in his way
    "few": 0.7215,  # each of several, against one fewer
    # deployment: what a post is worth by where it is
    "crew_first": 0.008142,  # the tank crew goes before others
    "crowd": 0.1618,  # for each defender who stands in the location already
    "hall": 0.1344,  # in the hall the French pass through
    # spending: the chance of letting a counter through that is accepted, by free circles on its track
    "miss_0": 0.009698,
    "miss_1": 0.4757,
    "miss_2": 0.8938,
    "miss_3": 0.8118,
    "miss_4": 0.9311,
}
AT = indices(WEIGHTS)
