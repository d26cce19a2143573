"""The workbench: a local page on which you change a number and see its effect on the win rate.

`setting` defines and parses the requests that the page may send. `live` simulates games and decides which
games to simulate next. `playing` sends events to the page and exports its state. `numbers` computes the
results, and `questions` runs the longer commands. `command` opens the page, `server` answers its requests,
and `guard` rejects all other requests.
"""
