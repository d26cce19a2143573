"""The workbench: a page on this machine where a number is moved and the win rate answers.

`offer` says what the page may ask for, `wish` reads what it asks, `kept` plays it, `live` decides what is played
next, `numbers` and `pictures` say what came out, `take_along` hands it over, `server` is the door, `guard` its
lock.
"""
