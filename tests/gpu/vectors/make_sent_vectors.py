#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Waves that fixed firing times send in a medium of another speed of sound, fitted by SciPy's trust-region solver, written
to sent.txt beside it. The cases are repeated in tests/gpu/beamform_sent_test.cpp."""

import pathlib
import sys

import numpy as np
from scipy.optimize import least_squares

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

SET = 1540.0  # m/s, for which the device set its delays


def linear(n, pitch):
    return np.stack([(np.arange(n) - (n - 1) / 2) * pitch, np.zeros(n), np.zeros(n)], -1)


def curved(n, pitch, radius):
    angle = (np.arange(n) - (n - 1) / 2) * pitch / radius
    return np.stack([radius * np.sin(angle), 0 * angle, radius * (np.cos(angle) - 1)], -1)


def matrix(n, pitch):
    x = (np.arange(n) - (n - 1) / 2) * pitch
    return np.stack([np.tile(x, n), np.repeat(x, n), np.zeros(n * n)], -1)


def path(kind, source, elements):
    away = np.linalg.norm(elements - source, axis=1)
    return away if kind == "diverging" else -away


# name, elements, kind of wave, source, speed of sound of the medium
CASES = [
    ("focused", linear(64, 0.3e-3), "focused", (4e-3, 0, 30e-3), 1600.0),
    ("focused_slow", linear(64, 0.3e-3), "focused", (-12e-3, 0, 25e-3), 1450.0),
    ("diverging", linear(64, 0.2e-3), "diverging", (3e-3, 0, -8e-3), 1620.0),
    ("curved", curved(48, 0.5e-3, 40e-3), "focused", (10e-3, 0, 45e-3), 1580.0),
    ("matrix", matrix(12, 0.3e-3), "diverging", (0.7e-3, -0.4e-3, -6e-3), 1480.0),
]
out = {}
for name, elements, kind, source, speed in CASES:
    source = np.array(source)
    times = path(kind, source, elements) / SET
    flat = [i for i in range(3) if np.ptp(elements[:, i]) > 0 or i == 2]

    def residual(p):
        s = np.zeros(3)
        s[flat] = p * 1e-3
        r = (speed * times - path(kind, s, elements)) * 1e6
        return r - r.mean()

    fit = least_squares(residual, source[flat] * 1e3, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    fitted = np.zeros(3)
    fitted[flat] = fit.x * 1e-3
    # Times count from the passage of the origin, before and after.
    sign = 1 if kind == "diverging" else -1
    before = (path(kind, source, elements) - sign * np.linalg.norm(source)) / SET
    now = (path(kind, fitted, elements) - sign * np.linalg.norm(fitted)) / speed
    out[f"{name}.source_mm"] = fitted * 1e3
    out[f"{name}.later_ns"] = [(now - before).mean() * 1e9]
    print(name, fitted * 1e3, (now - before).mean() * 1e9, np.abs(fit.fun).max(), "um")
vectors.write(HERE / "sent.txt", "make_sent_vectors.py", out)
