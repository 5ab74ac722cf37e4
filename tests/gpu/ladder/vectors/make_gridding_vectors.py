#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reference vectors of Tschupp's gridding, window and phase by NumPy and SciPy, written to gridding.txt beside it."""

import pathlib
import sys

import numpy as np
from scipy import signal, special

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(2019)
LINES, SAMPLES = 3, 41
out = {"lines": random.normal(size=(LINES, SAMPLES))}

# Places that rise along an S, from 0 to the last grid point; weights of any size.
u = np.linspace(0.0, 1.0, SAMPLES)
shape = u + 0.08 * np.sin(2 * np.pi * u)
out["weights"] = random.uniform(0.5, 1.5, SAMPLES)
weights = out["weights"].astype(np.float32).astype(float)
lines = out["lines"].astype(np.float32).astype(float)
for name, points, width, beta in [("a", 41, 4, 5.5), ("b", 62, 4, 7.25), ("c", 82, 7, 14.0)]:
    places = (shape * (points - 1)).astype(np.float32).astype(float)
    distance = places[:, None] - np.arange(points)[None, :]
    inside = np.clip(1 - (2 * distance / width) ** 2, 0, None)
    kernel = special.i0(beta * np.sqrt(inside)) / special.i0(beta) * (np.abs(distance) <= width / 2)
    out[f"places_{name}"] = places
    out[f"gridded_{name}"] = lines @ (weights[:, None] * kernel)

terms = [37.0, -120.0, 215.0]
x = -np.arange(SAMPLES) / (2 * (SAMPLES - 1))
phi = np.polyval(terms[::-1] + [0.0, 0.0], x)
turned = lines * signal.windows.hann(SAMPLES) * np.exp(1j * phi)
out["terms"] = terms
out["windowed"] = np.stack([turned.real, turned.imag], axis=-1)

vectors.write(HERE / "gridding.txt", "make_gridding_vectors.py", out)
