"""Answers, one command a file: `ask` plays and computes, `document` is the JSON, `lines` the text."""
