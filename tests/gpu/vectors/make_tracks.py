# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tracks.txt: assignments that scipy finds, and a Kalman filter in numpy with whole matrices. Usage:
python tests/gpu/vectors/make_tracks.py (needs numpy, scipy)"""
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

rng = np.random.default_rng(28)
FORBIDDEN = 1e6  # scipy takes no infinite costs where all rows must have a column


def assigned(cost, none):
    """The column of each row, or -1. Each row has a column of its own that stands for none."""
    own = np.full((len(none), len(none)), FORBIDDEN)
    np.fill_diagonal(own, none)
    rows, columns = linear_sum_assignment(np.hstack([np.where(np.isinf(cost), FORBIDDEN, cost), own]))
    assert (rows == np.arange(len(none))).all()
    return np.where(columns < cost.shape[1], columns, -1)


def random_costs(rows, columns, gate):
    """Single-precision costs, and those above the gate forbidden."""
    cost = rng.uniform(0.0, 1.0, (rows, columns)).astype(np.float32).astype(np.float64)
    return np.where(cost <= gate, cost, np.inf)


def clustered_costs(rows, columns):
    """Squared distances of places that crowd, so that most rows choose the same few columns."""
    a = rng.normal(size=(rows, 2))
    b = np.concatenate([0.05 * rng.normal(size=(columns // 2, 2)), 3.0 * rng.normal(size=(columns - columns // 2, 2))])
    return ((a[:, None] - b[None]) ** 2).sum(axis=2).astype(np.float32).astype(np.float64)


# name: costs, what a row without a column costs
PROBLEMS = {
    "square": (random_costs(40, 40, 1.0), 2.0),
    "wide": (random_costs(23, 61, 1.0), 2.0),
    "tall": (random_costs(61, 23, 1.0), 2.0),
    "sparse": (random_costs(50, 50, 0.05), 0.05),
    "cheap_none": (random_costs(50, 50, 1.0), 0.02),
    "crowd": (clustered_costs(70, 70), 40.0),
    "crowd_gate": (clustered_costs(70, 50), 0.5),
    "row": (random_costs(1, 9, 1.0), 2.0),
    "column": (random_costs(9, 1, 1.0), 2.0),
}
vectors = {"problems": [len(PROBLEMS)]}
for number, (name, (cost, none)) in enumerate(PROBLEMS.items()):
    none = np.full(cost.shape[0], np.float32(none), dtype=np.float64)
    columns = assigned(cost, none)
    total = sum(none[r] if c < 0 else cost[r, c] for r, c in enumerate(columns))
    print(f"{name}: {cost.shape[0]} rows, {cost.shape[1]} columns, {(columns >= 0).sum()} assigned, sum {total:.4f}")
    vectors |= {f"shape_{number}": cost.shape, f"cost_{number}": cost, f"none_{number}": none,
                f"columns_{number}": columns}


def filtered(places, seen, time, noise, acceleration, fastest):
    """Rows of depth, lateral position, both speeds, and the covariance's three numbers, behind each frame."""
    step = np.array([[1.0, time], [0.0, 1.0]])
    gain = np.array([[0.5 * time ** 2], [time]])
    drift = acceleration ** 2 * gain @ gain.T
    measure = np.array([[1.0, 0.0]])
    state = np.array([places[0], [0.0, 0.0]])  # place and speed, of both coordinates
    covariance = np.diag([noise ** 2, (0.5 * fastest) ** 2])
    rows = []
    for place, isSeen in zip(places[1:], seen[1:]):
        state = step @ state
        covariance = step @ covariance @ step.T + drift
        if isSeen:
            kalman = covariance @ measure.T @ np.linalg.inv(measure @ covariance @ measure.T + noise ** 2)
            state = state + kalman @ (place[None] - measure @ state)
            covariance = (np.eye(2) - kalman @ measure) @ covariance
        rows.append([*state[0], *state[1], covariance[0, 0], covariance[0, 1], covariance[1, 1]])
    return np.array(rows)


# A bubble on a bend, in metres, at 300 frames per second.
rules = {"time": 1 / 300, "noise": 20e-6, "acceleration": 2.0, "fastest": 0.06}
angle = np.arange(40) * rules["time"] * 8.0
places = 5e-3 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + rng.normal(scale=rules["noise"], size=(40, 2))
places = places.astype(np.float32).astype(np.float64)
seen = rng.uniform(size=40) > 0.2
seen[:2] = True
vectors |= {"rules": list(rules.values()), "bend": places, "seen": seen,
            "filtered": filtered(places, seen, **rules)}
write(HERE / "tracks.txt", "make_tracks.py", vectors)
