"""A net under a policy: what it means to do may be illegal under a reading it was not written for."""

from bartizan.simcore.compile.jit import inline


@inline
def legal_or_first(action, legal, n_legal):
    """The action if it is legal, else the first legal one."""
    for i in range(n_legal):
        if legal[i] == action:
            return action
    return legal[0]
