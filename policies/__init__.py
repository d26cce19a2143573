"""Heuristic players: a policy is a pure function from the information of its seat to one legal action."""
