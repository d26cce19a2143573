"""Does each registered method keep its promise? Trials on made-up data whose truth is known."""
