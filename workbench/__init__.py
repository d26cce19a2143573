"""The workbench: a local page on which you change a number and see its effect on the win rate.

`setting` defines and reads what the page may request, `live` plays it and decides what is played next,
`playing` reports to the page and exports its state, `numbers` computes the results, and `questions` starts
the longer commands. `command` opens the page, `server` answers it, and `guard` keeps others out.
"""
