#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Delayed channels of single pixels, and what other people's beamformers made of them.

make_combine.py FOLDER: FOLDER has pw3.uff (simulated with PyMUST 0.1.9) and the results of ustb 0.2.0 and zea 0.1.8 on it.
The signals of pixels are ustb's own, with an aperture of F = 1.5. Those of all 64 elements are delayed here, as ustb and zea
do it: analytic signals over the recorded time, read linearly. Minimum variance in the eigenspace is NumPy's. Needs numpy and
h5py. Writes combine.txt."""
import sys
from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

FOLDER = Path(sys.argv[1])
PITCH, SPEED, FS, BEGIN = 0.3e-3, 1540.0, 20e6, 9e-6
ELEMENTS = (np.arange(64) - 31.5) * PITCH
ANGLES = np.radians([-8, 0, 8])


def load(name):
    return np.load(FOLDER / name)


def analytic(lines):
    spectrum = np.fft.fft(lines, axis=-1)
    size = lines.shape[-1]
    gain = np.zeros(size)
    gain[0] = gain[size // 2] = 1
    gain[1:size // 2] = 2
    return np.fft.ifft(spectrum * gain, axis=-1)


def delays_of(file):
    """When each wave crosses the array's middle, as the file has it."""
    waves = file["channel_data/sequence"]
    return [float(np.ravel(waves[name]["delay"][()])[0]) for name in sorted(waves)]


with h5py.File(FOLDER / "pw3.uff") as uff:
    samples = analytic(np.asarray(uff["channel_data/data"], float))  # [wave][element][sample]
    delays = delays_of(uff)


def channels_at(x, z):
    """Delayed signals of all elements at a pixel, summed over the waves."""
    total = np.zeros(64, complex)
    for wave, angle in enumerate(ANGLES):
        sent = (z * np.cos(angle) + x * np.sin(angle)) / SPEED - delays[wave]
        at = (sent + np.hypot(x - ELEMENTS, z) / SPEED - BEGIN) * FS
        first = np.clip(np.floor(at).astype(int), 0, samples.shape[-1] - 2)
        line = samples[wave]
        here, following = line[np.arange(64), first], line[np.arange(64), first + 1]
        inside = (at >= 0) & (at <= samples.shape[-1] - 1)
        total += np.where(inside, here + (at - first) * (following - here), 0)
    return total


def parts(values):
    values = np.ravel(values)
    return np.stack([values.real, values.imag], axis=-1)


def in_eigenspace(rows, threshold, subarray=0.5, loading=0.01):
    """Minimum variance at the middle row [row][channel], weights projected on the strongest eigenvectors."""
    middle = rows[len(rows) // 2]
    heard = np.flatnonzero(middle)
    rows, middle = rows[:, heard[0]:heard[-1] + 1], middle[heard[0]:heard[-1] + 1]
    count, size = middle.size, int(subarray * middle.size)
    parts = np.lib.stride_tricks.sliding_window_view(rows, size, axis=1).reshape(-1, size)
    covariance = parts.T @ parts.conj()
    loaded = covariance + loading * np.trace(covariance).real / size * np.eye(size)
    weights = np.linalg.solve(loaded, np.ones(size))
    weights /= weights.sum()
    values, vectors = np.linalg.eigh(covariance)
    kept = vectors[:, values >= threshold * values[-1]]
    weights = kept @ (kept.conj().T @ weights)
    return count * np.mean(np.lib.stride_tricks.sliding_window_view(middle, size) @ weights.conj())


pixels, factors, plain = load("pw3_pixels.npz"), load("pw3_factors.npz"), load("pw3_das_capon.npz")
lateral, depth = factors["x"], factors["z"]
scale = 1e-3 if depth.max() > 1 else 1.0
vectors = {}
for n, (row, column) in enumerate(pixels["pixel_iz_ix"]):
    vectors[f"aperture_{n}"] = parts(pixels["per_channel"][n])
    vectors[f"sum_{n}"] = parts(plain["das"][row, column])
    vectors[f"factors_{n}"] = [factors[key][row, column] / 65535 for key in ("cf", "gcf_M0_2", "pcf_fcc", "pcf_fca")]

short, others = load("pw3_dmas_slsc.npz"), load("pw3_zea.npz")
for n, (row, column) in enumerate([(120, 44), (239, 18)]):
    rows = [channels_at(scale * lateral[column], scale * depth[each]) for each in range(row - 6, row + 7)]
    vectors[f"lines_{n}"] = parts(np.stack(rows))  # [row][channel]
    vectors[f"short_lag_{n}"] = [short["slsc_M10"][row, column] * short["slsc_peak_before_normalisation"] / 10]
    vectors[f"products_{n}"] = parts(others["dmas_baseband"][row - int(others["rows_from"]), column])
# Rows 100 to 140 of column 44; ustb averages 19 above and 19 below row 120.
vectors["capon_lines"] = parts(pixels["lines"][1:40])
vectors["capon"] = parts(plain["capon"][120, 44])
for threshold in (0.5, 0.006, 0.003):  # one eigenvector, two, four
    vectors[f"eigenspace_{threshold}"] = parts(in_eigenspace(pixels["lines"][1:40].astype(complex), threshold))
write(HERE / "combine.txt", "make_combine.py; results are of ustb 0.2.0, those of products of zea 0.1.8, of the eigenspace of NumPy", vectors)
