"""Policies. A policy is a function from the information that its seat may see to one legal action."""
