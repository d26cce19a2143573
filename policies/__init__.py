"""Heuristic players: a policy is a pure function from what its seat may see to one legal action."""
