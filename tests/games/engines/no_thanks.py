"""No Thanks! for four as a live engine: what examples/short/no_thanks.py is as a short game."""

import json
import random
import sys

HELLO = {
    **{"bartizan": 1, "name": "no_thanks", "title": "No Thanks!", "players": 4, "score": "points"},
    "policies": [{"name": "thrifty"}, {"name": "random"}],
}


def points(cards, chips):
    return chips - sum(card for card in cards if card - 1 not in cards)


def play(seed, policies):
    luck = random.Random(seed)
    deck = luck.sample(range(3, 36), 24)
    taken, chips, pot, turns, me = [set() for _ in range(4)], [11] * 4, 0, 1, 0
    while deck:
        card = deck[-1]
        fits = card - 1 in taken[me] or card + 1 in taken[me]
        takes = fits or 2 * pot >= card if policies[me] == "thrifty" else luck.random() < 0.5
        if takes or not chips[me]:
            taken[me].add(deck.pop())
            chips[me], pot = chips[me] + pot, 0
        else:
            chips[me], pot, turns, me = chips[me] - 1, pot + 1, turns + 1, (me + 1) % 4
    scores = list(map(points, taken, chips))
    best = [seat + 1 for seat, score in enumerate(scores) if score == max(scores)]
    return {"winner": best[0] if len(best) == 1 else "draw", "turns": turns, "scores": scores}


for line in sys.stdin:
    message = json.loads(line)
    answers = [HELLO]
    if message["message"] == "play":
        answers = [{"seed": seed, **play(seed, message["policies"])} for seed in message["seeds"]]
        answers.append({"done": len(answers)})
    print("\n".join(map(json.dumps, answers)), flush=True)
