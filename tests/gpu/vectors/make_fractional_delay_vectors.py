#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reference vectors of fractional-delay filters and of upsample by NumPy and SciPy, written to fractional_delay.txt beside it.
Lagrange: SciPy's barycentric form. Least squares: a dense grid of frequencies,
each an equation weighted by the root of the spectrum, solved by lstsq; no closed form of the correlation is used."""

import pathlib
import sys

import numpy as np
from scipy import interpolate

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(16)
WHITE = 1e-6
out = {}


def sinc(taps, u, band):
    return np.sinc(u - np.arange(taps))


def lagrange(taps, u, band):
    nodes = np.arange(float(taps))
    return np.array([interpolate.BarycentricInterpolator(nodes, unit)(u) for unit in np.eye(taps)])


def least_squares(taps, u, band):
    centre, width = band
    sides, weights = [], []
    step = 1e-3
    f = np.arange(-4.0, 4.0, step) + step / 2
    power = 0.0
    for side in (centre, -centre):  # a real signal has both
        amplitude = 0.5 ** ((2 * (f - side) / width) ** 2)
        power = power + amplitude**2 / 2
    sides.append(f)
    weights.append(power / (power.sum()))
    white = np.arange(-0.5, 0.5, step) + step / 2
    sides.append(white)
    weights.append(np.full(white.size, WHITE * step))
    f, weight = np.concatenate(sides), np.sqrt(np.concatenate(weights))
    matrix = np.exp(-2j * np.pi * np.outer(f, np.arange(taps))) * weight[:, None]
    wanted = np.exp(-2j * np.pi * f * u) * weight
    real = np.concatenate([matrix.real, matrix.imag])
    return np.linalg.lstsq(real, np.concatenate([wanted.real, wanted.imag]), rcond=None)[0]


DESIGNS = {"sinc": sinc, "lagrange": lagrange, "least_squares": least_squares}
BANDS = {"rf": (0.25, 0.15), "iq": (0.0, 0.3), "wide": (0.4, 0.5)}

for name, design in DESIGNS.items():
    for taps in (2, 4, 7, 11, 16):
        middle = (taps - 1) // 2
        places = [middle, middle + 0.25, middle + 0.5] + ([middle - 0.3] if taps % 2 else [middle + 0.8])
        bands = BANDS if design is least_squares else {"rf": BANDS["rf"]}
        for band_name, band in bands.items():
            suffix = f"_{band_name}" if design is least_squares else ""
            out[f"{name}_{taps}{suffix}"] = [design(taps, u, band) for u in places]


def first_of(at, taps):
    return int(np.floor(at if taps % 2 == 0 else at + 0.5)) - (taps - 1) // 2


def upsampled(line, factor, taps, design, band):
    """Computes each output separately from the samples that its filter covers; missing samples are zeros."""
    made = np.zeros(line.size * factor, dtype=line.dtype)
    filters = [design(taps, p / factor - first_of(p / factor, taps), band) for p in range(factor)]
    for i in range(made.size):
        n, p = divmod(i, factor)
        first = n + first_of(p / factor, taps)
        covered = sum(c * line[first + j] for j, c in enumerate(filters[p]) if 0 <= first + j < line.size)
        made[i] = covered if p else line[n]
    return made


rf = random.normal(size=(2, 3, 41)).astype(np.float32)
iq = (random.normal(size=(2, 1, 29)) + 1j * random.normal(size=(2, 1, 29))).astype(np.complex64)
out["rf"] = rf
out["iq"] = np.stack([iq.real, iq.imag], axis=-1)
FS, FC, BANDWIDTH = 20e6, 5e6, 0.6
for factor, taps, name in ((2, 11, "sinc"), (3, 11, "sinc"), (4, 11, "sinc"), (4, 6, "sinc"), (3, 4, "lagrange"),
                           (4, 31, "lagrange"), (4, 11, "least_squares"), (2, 8, "least_squares")):
    band = (FC / FS, BANDWIDTH * FC / FS)
    out[f"rf_{name}_{taps}_x{factor}"] = np.apply_along_axis(
        lambda line: upsampled(line.astype(np.float64), factor, taps, DESIGNS[name], band), -1, rf)
band = (0.0, BANDWIDTH * FC / FS)  # mixed down from FC
made = np.stack([[upsampled(iq[t, 0].astype(np.complex128), 4, 11, least_squares, band)] for t in range(2)])
out["iq_least_squares_11_x4"] = np.stack([made.real, made.imag], axis=-1)

vectors.write(HERE / "fractional_delay.txt", pathlib.Path(__file__).name, out)
