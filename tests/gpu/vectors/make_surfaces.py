# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes surfaces.txt: two surfaces of small B-scans by Dijkstra's algorithm.
Usage: python tests/gpu/vectors/make_surfaces.py (needs numpy and scipy)"""
import sys
from pathlib import Path

import numpy as np
from scipy.ndimage import correlate
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

LINES, DEPTHS = 23, 61
W_MIN = 1e-5
rng = np.random.default_rng(11)


def layers():
    """Two bright layers with curved borders, in dB with the speckle of one look."""
    x = np.arange(LINES)[:, None]
    z = np.arange(DEPTHS)[None, :]
    top = 14 + 5 * np.sin(x / 5.0)
    levels = np.where(z < top, 0.0, np.where(z < top + 12, 25.0, np.where(z < 44 + x / 8, 15.0, 3.0)))
    speckle = 10 * np.log10(rng.exponential(size=(LINES, DEPTHS)))
    return (levels + speckle).astype(np.float32)


def normalised_edges(image, depths, lines):
    kernel = np.ones((lines, 2 * depths))
    kernel[:, :depths] = -1.0
    # The middle of an even kernel is the element behind the half: the first pixel below the edge.
    edges = correlate(image.astype(np.float64), kernel, mode="nearest")
    return (edges - edges.min()) / (edges.max() - edges.min())


def cheapest(g, allowed, step, smoothness):
    """Depths of the path whose weights 2 - (g_a + g_b) + w_min and moves add up to the least, and that sum. Nodes before the
    first and behind the last line let it begin and end anywhere."""
    number = np.arange(g.size).reshape(g.shape)
    start, end = g.size, g.size + 1
    rows, columns, weights = [], [], []

    def link(a, b, weight):
        rows.append(a)
        columns.append(b)
        weights.append(weight)

    for x in range(LINES):
        for a in np.flatnonzero(allowed[x]):
            if x == 0:
                link(start, number[x, a], W_MIN)
            if x == LINES - 1:
                link(number[x, a], end, W_MIN)
                continue
            for b in range(max(0, a - step), min(DEPTHS, a + step + 1)):
                if allowed[x + 1, b]:
                    link(number[x, a], number[x + 1, b],
                         2.0 - (g[x, a] + g[x + 1, b]) + W_MIN + smoothness * (b - a) ** 2)
    graph = csr_matrix((weights, (rows, columns)), shape=(g.size + 2, g.size + 2))
    length, before = dijkstra(graph, indices=start, return_predecessors=True)
    path = []
    at = before[end]
    while at != start:
        path.append(at % DEPTHS)
        at = before[at]
    return np.array(path[::-1]), length[end] - (LINES + 1) * W_MIN


def surfaces(image, depths, lines, step, smoothness, first, last, least, most, rises=(True, False)):
    g = normalised_edges(image, depths, lines)
    if first > 0 or last < DEPTHS - 1: # the range of the searched depths counts
        part = g[:, first:last + 1]
        g = (g - part.min()) / (part.max() - part.min())
    z = np.arange(DEPTHS)[None, :]
    inside = np.repeat((z >= first) & (z <= last), LINES, axis=0)
    upper, upper_cost = cheapest(g if rises[0] else 1.0 - g, inside, step, smoothness)
    below = (z >= np.minimum(upper[:, None] + least, last)) & (z <= np.minimum(upper[:, None] + most, last))
    lower, lower_cost = cheapest(g if rises[1] else 1.0 - g, below, step, smoothness)
    return {"edges": g, "upper": upper, "lower": lower, "costs": [upper_cost, lower_cost]}


image = layers()
vectors = {"image": image}
cases = {"plain": (4, 3, 2, 0.02, 0, DEPTHS - 1, 10, 40),
         "steep": (1, 1, 7, 0.0, 0, DEPTHS - 1, 5, 30),
         "calm": (8, 5, 1, 0.1, 0, DEPTHS - 1, 3, 50),
         "part": (3, 3, 2, 0.02, 16, 40, 4, 12),
         "turned": (4, 3, 3, 0.02, 0, DEPTHS - 1, 0, 30, (False, True))}
for name, case in cases.items():
    for key, values in surfaces(image, *case).items():
        vectors[f"{name}_{key}"] = values
write(HERE / "surfaces.txt", "make_surfaces.py", vectors)
