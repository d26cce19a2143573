"""Analyses of many games, one module per subject; each returns a frozen result.

Games are a polars LazyFrame with one row per game; a cell describes how they were simulated (see
`analyses.records.tally.CellGames`). No analysis holds the games in memory: each counts distinct values in
streaming passes and works on the counts.
"""
