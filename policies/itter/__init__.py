"""Players of Castle Itter, weakest first; then the reference policies of docs/reference-policies.md."""

POLICIES = []
