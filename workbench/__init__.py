"""The workbench: a page on this machine where a number is moved and the win rate answers.

`setting` says what the page may ask for and reads what it asks, `live` plays it and decides what is played
next, `playing` tells the page and hands it over, `numbers` says what came out, `questions` starts the longer
commands. `command` opens the page, `server` answers it, `guard` keeps others out.
"""
