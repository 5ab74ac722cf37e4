#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scan conversion by SciPy (bilinear: map_coordinates) and NumPy (bicubic: Keys 1981), written to
scan_conversion.txt beside it: of plain values, of levels by their amplitudes, of velocities on the
circle, and of lines round a full circle. The geometry is repeated in
tests/gpu/scan_conversion_test.cpp."""

import pathlib
import sys

import numpy as np
from scipy.ndimage import map_coordinates

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(5)
ROWS, FIRST, STEP = 23, 2e-3, 0.5e-3
APEX_X, APEX_Z, RADIUS, PIXEL = 0.4e-3, -9e-3, 10e-3, 0.43e-3
ANGLES = np.array([-0.5, -0.41, -0.25, -0.2, 0.0, 0.13, 0.3, 0.36, 0.6])  # uneven
image = random.integers(-60, 1, size=(ROWS, len(ANGLES))).astype(float)

near, far = RADIUS + FIRST, RADIUS + FIRST + (ROWS - 1) * STEP
left = APEX_X + far * np.sin(ANGLES[0])
right = APEX_X + far * np.sin(ANGLES[-1])
top = APEX_Z + near * np.cos(0.6)
x = left + PIXEL * np.arange(int(np.ceil((right - left) / PIXEL)) + 1)
z = top + PIXEL * np.arange(int(np.ceil((APEX_Z + far - top) / PIXEL)) + 1)
dx, dz = np.meshgrid(x - APEX_X, z - APEX_Z)
row = (np.hypot(dx, dz) - near) / STEP
angle = np.arctan2(dx, dz)
line = np.interp(angle, ANGLES, np.arange(len(ANGLES)))
inside = (row >= 0) & (row <= ROWS - 1) & (angle >= ANGLES[0]) & (angle <= ANGLES[-1])


def keys(d):
    d = abs(d)
    return 1.5 * d**3 - 2.5 * d**2 + 1 if d <= 1 else -0.5 * d**3 + 2.5 * d**2 - 4 * d + 2


def bicubic(of, r, n, circle=False):
    rows = np.arange(int(np.floor(r)) - 1, int(np.floor(r)) + 3)
    lines = np.arange(int(np.floor(n)) - 1, int(np.floor(n)) + 3)
    across = lines % of.shape[1] if circle else np.clip(lines, 0, of.shape[1] - 1)
    return sum(keys(r - i) * keys(n - j) * of[np.clip(i, 0, of.shape[0] - 1), k]
               for i in rows for j, k in zip(lines, across))


def both(of):
    """Bilinear and bicubic, 0 outside."""
    parts = [np.real(of), np.imag(of)] if np.iscomplexobj(of) else [of]
    linear = [map_coordinates(p, [row, line], order=1, mode="nearest") for p in parts]
    cubic = np.array([[bicubic(of, r, n) if ok else 0 for r, n, ok in zip(*each)] for each in zip(row, line, inside)])
    return np.where(inside, linear[0] if len(linear) == 1 else linear[0] + 1j * linear[1], 0), cubic


def levels(amplitudes):
    """Not below the lowest of the neighbours that were mixed."""
    linear, cubic = amplitudes
    at = 10 ** (image / 20)

    def lowest(first, last):
        found = np.zeros(row.shape)
        for p in np.ndindex(row.shape):
            i = np.clip(np.arange(first, last + 1) + int(np.floor(row[p])), 0, ROWS - 1)
            j = np.clip(np.arange(first, last + 1) + int(np.floor(line[p])), 0, len(ANGLES) - 1)
            found[p] = at[np.ix_(i, j)].min()
        return found

    with np.errstate(divide="ignore"):
        return 20 * np.log10(np.maximum(linear, lowest(0, 1))), 20 * np.log10(np.maximum(cubic, lowest(-1, 2)))


bilinear, cubic = both(image)
level_linear, level_cubic = levels(both(10 ** (image / 20)))

# Velocities that wrap at +-LIMIT.
LIMIT = 27.7
i, j = np.mgrid[0:ROWS, 0:len(ANGLES)]
true = 22 + 9 * np.sin(0.4 * i) + 3 * j
velocity = (true + LIMIT) % (2 * LIMIT) - LIMIT
turns = both(np.exp(1j * np.pi * velocity / LIMIT))
circle_linear, circle_cubic = (LIMIT / np.pi * np.angle(t) for t in turns)

# A ring of lines, from 0.3 rad on.
RING, RING_FIRST = 16, 0.3
ring = random.uniform(1, 9, size=(ROWS, RING))
ring_x = -11.9e-3 + 0.45e-3 * np.arange(54)
rx, rz = np.meshgrid(ring_x, ring_x)
ring_row = (np.hypot(rx, rz) - 0.9e-3) / STEP
ring_line = (np.arctan2(rx, rz) - RING_FIRST) / (2 * np.pi / RING) % RING
ring_inside = (ring_row >= 0) & (ring_row <= ROWS - 1)
ring_image = np.array([[bicubic(ring, r, n, True) if ok else 0 for r, n, ok in zip(*each)]
                       for each in zip(ring_row, ring_line, ring_inside)])
vectors.write(HERE / "scan_conversion.txt", "make_scan_conversion_vectors.py", {
    "image": image, "shape": inside.shape, "inside": inside, "bilinear": np.where(inside, bilinear, 0),
    "bicubic": np.where(inside, cubic, 0), "level_bilinear": np.where(inside, level_linear, 0),
    "level_bicubic": np.where(inside, level_cubic, 0), "velocity": velocity,
    "circle_bilinear": np.where(inside, circle_linear, 0), "circle_bicubic": np.where(inside, circle_cubic, 0),
    "ring": ring, "ring_shape": ring_inside.shape, "ring_inside": ring_inside,
    "ring_bicubic": np.where(ring_inside, ring_image, 0)})
edge = np.minimum.reduce([abs(row), abs(row - ROWS + 1), abs(angle - ANGLES[0]) * 20, abs(angle - ANGLES[-1]) * 20])
print("closest to an edge, in rows:", edge.min())
