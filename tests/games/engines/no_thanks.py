"""No Thanks! for four as a live engine: what examples/short/no_thanks.py is as a short game.

With the word `steps` on the command line, it also takes single decisions.
"""

import json
import random
import sys

HELLO = {
    **{"bartizan": 1, "name": "no_thanks", "title": "No Thanks!", "players": 4, "score": "points"},
    **{"policies": [{"name": "thrifty"}, {"name": "random"}], "steps": "steps" in sys.argv},
    "settings": [{"name": "removed", "default": 9, "min": 0, "max": 32}],
}


def dealt(luck, settings):
    deck = luck.sample(range(3, 36), 33)
    box = [deck.pop() for _ in range(settings["removed"])]
    return {"deck": deck, "box": box, "taken": [[] for _ in range(4)], "chips": [11] * 4, "pot": 0, "turns": 1, "me": 0}


def redealt(state, luck):
    """The deck below the card on the table and the cards of the box, which nobody has seen."""
    *deck, card = state["deck"]
    unseen = luck.sample(deck + state["box"], len(deck) + len(state["box"]))
    taken, chips = [*map(list, state["taken"])], [*state["chips"]]
    new = {"deck": [*unseen[: len(deck)], card], "box": unseen[len(deck) :], "taken": taken, "chips": chips}
    return {**state, **new}


def points(cards, chips):
    return chips - sum(card for card in cards if card - 1 not in cards)


def choose(state, policy, luck):
    card, mine, me = state["deck"][-1], state["taken"][state["me"]], state["me"]
    fits = card - 1 in mine or card + 1 in mine
    takes = fits or 2 * state["pot"] >= card if policy == "thrifty" else luck.random() < 0.5
    return "take" if takes or not state["chips"][me] else "refuse"


def applied(state, action):
    me = state["me"]
    if action == "take":
        state["taken"][me].append(state["deck"].pop())
        state["chips"][me] += state["pot"]
        state["pot"] = 0
    else:
        state["chips"][me] -= 1
        state["pot"] += 1
        state["turns"] += 1
        state["me"] = (me + 1) % 4
    return state


def position(state):
    if state["deck"]:
        legal = ["take", "refuse"] if state["chips"][state["me"]] else ["take"]
        return {"state": state, "seat": state["me"] + 1, "turn": state["turns"], "legal": legal}
    scores = list(map(points, state["taken"], state["chips"]))
    best = [seat + 1 for seat, score in enumerate(scores) if score == max(scores)]
    return {"result": {"winner": best[0] if len(best) == 1 else "draw", "turns": state["turns"], "scores": scores}}


def played(state, policies, luck):
    while state["deck"]:
        state = applied(state, choose(state, policies[state["me"]], luck))
    return position(state)["result"]


def answers_to(message):
    kind, state, luck = message["message"], message.get("state"), random.Random(message.get("seed"))
    if kind == "hello":
        return [HELLO]
    if kind in ("begin", "apply"):
        now = dealt(luck, message["settings"]) if kind == "begin" else applied(state, message["action"])
        return [position(now)]
    if kind == "choose":
        return [{"action": choose(state, message["policy"], luck)}]
    results = []
    for seed in message["seeds"]:
        luck = random.Random(seed)
        now = redealt(state, luck) if state else dealt(luck, message["settings"])
        now = applied(now, message["action"]) if "action" in message else now
        results.append({"seed": seed, **played(now, message["policies"], luck)})
    return [*results, {"done": len(results)}]


for line in sys.stdin:
    print("\n".join(map(json.dumps, answers_to(json.loads(line)))), flush=True)
