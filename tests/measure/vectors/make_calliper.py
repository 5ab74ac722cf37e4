#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces in a column of noise by SciPy, written to calliper.txt beside it: the two highest peaks of the levels whose
prominence is 6 dB, found by scipy.signal.find_peaks, with the top of the parabola through three samples; the same of
the slope's levels for edges."""

import pathlib
import sys

import numpy as np
from scipy.signal import find_peaks

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(31)
ROWS, STEP = 200, 0.02
z = 4.0 + STEP * np.arange(ROWS)


def surfaces(levels):
    peaks, _ = find_peaks(levels, prominence=6.0)
    found = []
    for n in peaks[np.argsort(levels[peaks])[-2:]]:
        before, here, after = levels[n - 1 : n + 2]
        found.append(z[n] + STEP * 0.5 * (before - after) / (before - 2 * here + after))
    return sorted(found)


noise = np.abs(random.normal(size=ROWS) + 1j * random.normal(size=ROWS))
peaks = 30 * np.exp(-0.5 * ((z - 5.013) / 0.05) ** 2) + 12 * np.exp(-0.5 * ((z - 6.427) / 0.04) ** 2) + noise
layer = np.where((z > 4.9) & (z < 7.1), 40.0, 4.0) + noise
peaks, layer = peaks.astype(np.float32), layer.astype(np.float32)
slope = np.zeros(ROWS)
slope[1:-1] = np.abs(layer[2:].astype(float) - layer[:-2]) / 2
with np.errstate(divide="ignore"):
    out = {"peaks": peaks, "layer": layer, "peak_depths": surfaces(20 * np.log10(peaks.astype(float))),
           "edge_depths": surfaces(20 * np.log10(slope))}
vectors.write(HERE / "calliper.txt", "make_calliper.py", out)
