#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Delayed channels of a matrix array in one column of an image, and what NumPy makes of its middle row.

Echoes of a point and noise; 5 lines of 7 elements, some of which are not heard. Needs numpy. Writes combine_grid.txt."""
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

LINES, PER_LINE, ROWS = 5, 7, 5
MIDDLE = ROWS // 2
random = np.random.default_rng(53)


def complex_noise(*shape):
    return random.normal(size=shape) + 1j * random.normal(size=shape)


def parts(values):
    values = np.ravel(values)
    return np.stack([values.real, values.imag], axis=-1)


def generalized(box, bins, shape):
    """`box` stands in an array of `shape`, with zeros around."""
    energy = np.abs(np.fft.fft2(box, shape)) ** 2
    low = [np.abs(np.fft.fftfreq(n) * n) <= bins + 1e-6 for n in shape]
    return energy[np.ix_(*low)].sum() / energy.sum()


def short_lags(rows, lags):
    """`rows`: real [row][line][element]. The mean over all lags, each with its opposite, of the mean over pairs."""
    means = []
    for down in range(-LINES + 1, LINES):
        for along in range(-PER_LINE + 1, PER_LINE):
            if not 0 < down**2 + along**2 <= lags**2:
                continue
            pairs = []
            for line in range(LINES):
                for element in range(PER_LINE):
                    if not (0 <= line + down < LINES and 0 <= element + along < PER_LINE):
                        continue
                    a, b = rows[:, line, element], rows[:, line + down, element + along]
                    if a.any() and b.any():
                        pairs.append(a @ b / np.sqrt((a @ a) * (b @ b)))
            means.append(np.mean(pairs) if pairs else 0.0)
    return np.mean(means)


def minimum_variance(rows, middle, size, loading=0.01, backwards=False, threshold=0.0):
    """`rows`: [row][line][element] of the aperture; `size`: lines and elements of a subarray."""
    windows = np.lib.stride_tricks.sliding_window_view(rows, size, axis=(1, 2))
    subarrays = windows.reshape(-1, size[0] * size[1])
    covariance = subarrays.T @ subarrays.conj()
    if backwards:
        covariance = (covariance + covariance[::-1, ::-1].conj()) / 2
    count = len(covariance)
    loaded = covariance + loading * np.trace(covariance).real / count * np.eye(count)
    weights = np.linalg.solve(loaded, np.ones(count))
    weights /= weights.sum()
    values, vectors = np.linalg.eigh(covariance)
    kept = vectors[:, values >= threshold * values[-1]]
    weights = kept @ (kept.conj().T @ weights)
    own = np.lib.stride_tricks.sliding_window_view(middle, size).reshape(-1, count)
    return middle.size * np.mean(own @ weights.conj())


rows = complex_noise(ROWS, LINES, PER_LINE) + 2.0
rows[:, 0, :] = rows[:, :, 6] = 0  # outside the aperture
rows[:, 1, 0] = rows[:, 4, 5] = 0  # corners of its box
box = rows[:, 1:5, 0:6]

vectors = {"channels": parts(rows)}  # [row][line][element]
for bins in (1, 2):
    vectors[f"generalized_{bins}"] = [generalized(box[MIDDLE], bins, box[MIDDLE].shape)]
    vectors[f"generalized_array_{bins}"] = [generalized(box[MIDDLE], bins, (LINES, PER_LINE))]
for lags in (1, 2, 4):
    vectors[f"short_lag_{lags}"] = [short_lags(rows.real, lags)]
for name, settings in {"plain": {}, "backwards": {"backwards": True}, "eigenspace": {"threshold": 0.3}}.items():
    vectors[f"minimum_variance_{name}"] = parts(minimum_variance(box, box[MIDDLE], (2, 3), **settings))
write(HERE / "combine_grid.txt", "make_combine_grid.py, NumPy", vectors)
