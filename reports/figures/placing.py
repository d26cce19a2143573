"""Where a name may stand in a picture so that it hides the least. Lengths are pixels, y downwards."""

import numpy as np

Box = tuple[float, float, float, float]  # left, top, right, bottom
REACH, GRID = 64, 4  # how far, and in what steps, a name may move to hide less


def least_hiding(
    x: float, y: float, size: tuple[float, float], taken: list[Box], within: Box
) -> tuple[float, float]:
    """The place near (x, y) and within the picture that hides little of what is taken and lies near: a pixel
    away weighs as much as a square pixel hidden.
    """
    dx, dy = (
        grid.ravel()
        for grid in np.meshgrid(np.arange(-REACH, REACH + 1, GRID), np.arange(-REACH, REACH + 1, GRID))
    )
    xs = np.clip(x + dx, within[0] + size[0] / 2, within[2] - size[0] / 2)
    ys = np.clip(y + dy, within[1] + size[1] / 2, within[3] - size[1] / 2)
    left, top, right, bottom = np.array(taken).T
    wide = np.minimum(xs[:, None] + size[0] / 2, right) - np.maximum(xs[:, None] - size[0] / 2, left)
    high = np.minimum(ys[:, None] + size[1] / 2, bottom) - np.maximum(ys[:, None] - size[1] / 2, top)
    hidden = (wide.clip(0) * high.clip(0)).sum(axis=1)  # square pixels
    best = np.argmin(hidden + np.hypot(dx, dy))
    return float(xs[best]), float(ys[best])


def box(x: float, y: float, wide: float, high: float) -> Box:
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2
