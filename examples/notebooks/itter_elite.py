# %% [markdown] # A designer's afternoon: is Elite too hard?
#
# Open this file as a notebook (VS Code, or Jupyter with jupytext), or run it as a script. Numbers are about
# the policies that play, not about people.

# %%
import bartizan as bz

itter = bz.game("itter")
GAMES = 2000  # enough for this page; 20,000 for one you send to somebody

# %% [markdown] How often does the best policy that we have win at Elite?

# %%
elite = itter.run(difficulty="elite", policy="garrison", games=GAMES)
print(elite)
print(f"{elite.win_rate.estimate:.1%} ({elite.win_rate.low:.1%} to {elite.win_rate.high:.1%})")

# %% [markdown] What would one more defender action a turn do? Both sides play the same game numbers on common
# luck.

# %%
more = itter.compare(difficulty="elite", policy="garrison", change={"turn.defender_actions": 6}, games=GAMES)
print(more.sentence)

# %% [markdown] Which single change of the Assault counter's Defence brings the win rate near 20 %?

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

# %% [markdown] The games themselves are one row each, for any question that nobody has asked yet: how long
# are lost games?

# %%
import polars as pl

games = elite.rows().group_by(pl.col("winner") == 0).agg(pl.len(), pl.col("turn").mean())
print(games.collect())
