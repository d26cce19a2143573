# %% [markdown] # A designer's afternoon: is Elite too hard?
#
# Open this file as a notebook (VS Code, or Jupyter with jupytext), or run it as a script. The results
# describe the policies, not people.

# %%
import bartizan as bz

itter = bz.game("itter")
GAMES = 2000  # enough for this page; use 20,000 for a page to share

# %% [markdown] What is the win rate of `garrison` at Elite?

# %%
elite = itter.run(difficulty="elite", policy="garrison", games=GAMES)
print(elite)
print(f"{elite.win_rate.estimate:.1%} ({elite.win_rate.low:.1%} to {elite.win_rate.high:.1%})")

# %% [markdown] What is the effect of one more defender action per turn? Both versions use the same
# game numbers on common random numbers.

# %%
more = itter.compare(difficulty="elite", policy="garrison", change={"turn.defender_actions": 6}, games=GAMES)
print(more.sentence)

# %% [markdown] Which Defence of the Assault counter brings the win rate near 20 %?

# %%
tuned = itter.tune(
    difficulty="elite",
    policy="garrison",
    knob="ss_counter.sturm.defence=3:5",
    target="win_rate=0.15..0.25",
    games=GAMES,
    fresh=GAMES,
)
print(tuned.sentence)

# %% [markdown] The table has one row per game, so you can compute other results: how long are lost games?

# %%
import polars as pl

games = elite.rows().group_by(pl.col("winner") == 0).agg(pl.len(), pl.col("turn").mean())
print(games.collect())
