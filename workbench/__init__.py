"""The workbench: a page on this machine where a number is moved and the win rate answers.

`offer` says what the page may ask for, `setting` reads what it asks, `kept` plays it, `live` decides what is
played next, `playing` tells the page, `numbers` and `pictures` say what came out, `take_along` hands it over.
`door` opens the page, `server` answers it, `guard` keeps others out.
"""
