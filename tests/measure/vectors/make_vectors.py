#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of an image by NumPy in double precision, written to figures.txt beside it: speckle with a
dark disk, in dB, and a bright point. gCNR as Rodriguez-Molares et al. (2020) define it, by
numpy.histogram; CNR and contrast of amplitudes; the speckle cell by the autocovariance."""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(30)
ROWS, COLUMNS = 64, 64
STEP_X, STEP_Z = 0.1, 0.05  # mm
x = (np.arange(COLUMNS) - 32) * STEP_X
z = 10.0 + np.arange(ROWS) * STEP_Z


def smoothed(field, along, across):
    for axis, width in ((0, along), (1, across)):
        n = np.arange(field.shape[axis])
        kernel = np.exp(-0.5 * ((n[:, None] - n[None]) / width) ** 2)
        field = np.moveaxis(np.tensordot(kernel, field, axes=(1, axis)), 0, axis)
    return field


field = smoothed(random.normal(size=(ROWS, COLUMNS)) + 1j * random.normal(size=(ROWS, COLUMNS)), 1.5, 2.5)
disk = np.hypot(x[None] - 0.0, z[:, None] - 12.2) <= 0.9
amplitude = np.abs(field) * np.where(disk, 0.1, 1.0)
db = (20 * np.log10(amplitude / amplitude.max())).astype(np.float32)
level = db.astype(np.float64)
linear = 10 ** (level / 20)
out = {"image": db.ravel()}

inside = np.hypot(x[None], z[:, None] - 12.2) <= 0.75  # ellipse, half axes 0.75
block = np.ix_((z >= 10.099) & (z <= 11.001), (x >= -2.501) & (x <= 2.501))  # rectangle
a, b = linear[inside], linear[block].ravel()
out["contrast"] = [20 * np.log10(a.mean() / b.mean())]
out["cnr"] = [abs(a.mean() - b.mean()) / np.sqrt(a.var() + b.var())]
both = (min(level[inside].min(), level[block].min()), max(level[inside].max(), level[block].max()))
shares = [np.histogram(v, bins=256, range=both)[0] / v.size for v in (level[inside], level[block].ravel())]
out["gcnr"] = [1 - np.minimum(*shares).sum()]
out["mean"] = [20 * np.log10(b.mean())]
out["snr"] = [b.mean() / b.std()]
ordered = np.sort(b)
law = 1 - np.exp(-ordered**2 / np.mean(b**2))
rank = np.arange(b.size) / b.size
out["rayleigh_distance"] = [max(np.abs(law - rank).max(), np.abs(law - rank - 1 / b.size).max())]


def cell(values, step):
    centred = values - values.mean()
    full = values.var()
    course = [full] + [np.mean(centred[:, : -k] * centred[:, k:]) for k in range(1, values.shape[1])]
    k = next(k for k, c in enumerate(course) if c <= full / 2)
    return 2 * step * np.interp(-full / 2, [-course[k - 1], -course[k]], [k - 1, k])


out["cell_lateral"] = [cell(linear[block], STEP_X)]
out["cell_depth"] = [cell(linear[block].T, STEP_Z)]
out["pixels"] = [inside.sum(), b.size]

# Sharpness of the rectangle's power: p ln p, powers 3/2 and 2 of shares, and <r^2> / <r>^2 with r over a box mean of 39
# half depths, taken twice, plus 3 % of the mean power.
power = linear[block] ** 2
share = power / power.sum()
out["sharpness_entropy"] = [np.sum(share * np.log(share))]
out["sharpness_third_power"] = [np.sqrt(power.size) * np.sum(share**1.5)]
out["sharpness_fourth_power"] = [power.size * np.sum(share**2)]


def box(values, aside=19):
    return np.array([values[max(i - aside, 0) : i + aside + 1].mean(axis=0) for i in range(len(values))])


ratio = power / (box(box(power)) + 0.03 * box(box(power)).mean())
out["sharpness_contrast"] = [np.mean(ratio**2) / np.mean(ratio) ** 2]

# A point of known width on a fine grid, in dB; crossings by numpy.interp.
wide = np.exp(-0.5 * ((x - 0.53) / 0.31) ** 2)
deep = np.exp(-0.5 * ((z - 12.22) / 0.17) ** 2)
point = (20 * np.log10(deep[:, None] * wide[None])).astype(np.float32)
out["point"] = point.ravel()
row, column = np.unravel_index(point.argmax(), point.shape)


def top(line, n):
    bend = line[n - 1] - 2 * line[n] + line[n + 1]
    offset = 0.5 * (line[n - 1] - line[n + 1]) / bend
    return line[n] - 0.25 * (line[n - 1] - line[n + 1]) * offset


def width(line, n, below, step):
    line = line.astype(np.float64)
    level = top(line, n) - below
    left = np.interp(level, line[: n + 1], np.arange(n + 1))
    right = np.interp(-level, -line[n:], np.arange(n, line.size))
    return (right - left) * step


out["widths"] = [width(point[row], column, 6, STEP_X), width(point[:, column], row, 6, STEP_Z),
                 width(point[row], column, 20, STEP_X), width(point[:, column], row, 20, STEP_Z)]
vectors.write(HERE / "figures.txt", "make_vectors.py", out)
