"""Questions about many games, one subject a file; each gives a frozen result.

Games are a polars LazyFrame with one row a game; a cell says how they were played (see
`analyses.records.tally.CellGames`). No question holds the games in memory: each counts distinct values in one
streaming pass and works on the counts.
"""
