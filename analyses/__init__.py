"""Questions about many games, one a file: `analyze(frame, cell, ...)` -> a frozen result with `.to_frame()`.

`frame` is a polars LazyFrame with one row a game; `cell` says how it was played (see
`analyses.records.tally.CellGames`). No question ever holds the games in memory: each counts distinct values
in one streaming pass and works on the counts.
"""
