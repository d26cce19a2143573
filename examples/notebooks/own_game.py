# %% [markdown] # A game of your own
#
# Pig is defined in one file, `examples/pig/pig.py`. All questions about Castle Itter also work for Pig.

# %%
from pathlib import Path

import bartizan as bz

here = Path(__file__).parent if "__file__" in globals() else Path("examples/notebooks")
pig = bz.game(here.parent / "pig" / "pig.py")
print(pig.describe())

# %% [markdown] Does it satisfy the engine contract? Each line is a check that passed.

# %%
for line in pig.check():
    print(line)

# %% [markdown] Is going first an advantage if both players hold at 20?

# %%
answer = pig.run(policy="hold", games=20_000)
first, second = answer.seats
print(f"first {first.win_rate.estimate:.1%}, second {second.win_rate.estimate:.1%}")

# %% [markdown] At which sum should a player hold? The ladder compares policies that hold at different sums.

# %%
print(pig.ladder(policy=["hold:at=15", "hold:at=20", "hold:at=25"], noise=None, games=2000))

# %% [markdown] Write a page to share.

# %%
from tempfile import TemporaryDirectory

with TemporaryDirectory() as folder:
    pig.run(set={"goal.points": [50, 100]}, games=5000, out=f"{folder}/games")
    print(bz.open(f"{folder}/games").report(f"{folder}/pig.html"))
