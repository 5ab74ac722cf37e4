#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scan conversion by SciPy (bilinear: map_coordinates) and NumPy (bicubic: Keys 1981), written to
scan_conversion.txt beside it. The geometry is repeated in tests/gpu/scan_conversion_test.cpp."""

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


def bicubic(r, n):
    rows = np.arange(int(np.floor(r)) - 1, int(np.floor(r)) + 3)
    lines = np.arange(int(np.floor(n)) - 1, int(np.floor(n)) + 3)
    return sum(keys(r - i) * keys(n - j) * image[np.clip(i, 0, ROWS - 1), np.clip(j, 0, len(ANGLES) - 1)]
               for i in rows for j in lines)


bilinear = map_coordinates(image, [row, line], order=1, mode="nearest")
cubic = np.array([[bicubic(r, n) if ok else 0 for r, n, ok in zip(*each)] for each in zip(row, line, inside)])
vectors.write(HERE / "scan_conversion.txt", "make_scan_conversion_vectors.py", {
    "image": image, "shape": inside.shape, "inside": inside, "bilinear": np.where(inside, bilinear, -60),
    "bicubic": np.where(inside, cubic, -60)})
edge = np.minimum.reduce([abs(row), abs(row - ROWS + 1), abs(angle - ANGLES[0]) * 20, abs(angle - ANGLES[-1]) * 20])
print("closest to an edge, in rows:", edge.min())
