#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes beams.txt: beams of a small array by plain sums in double precision, for tests/lab/beam_*_test.cpp.

- heard_*, both_*: a point moves beside a pixel; its echoes are Gaussian pulses, sampled, and delayed and summed by linear
  interpolation. `both`: sent by three plane waves. `heard`: by the middle one, as one pulse that comes on time. Magnitudes.
- map_*: the field of one frequency that a focused transmit sends, [depth][lateral]. Magnitudes.
- waves_*: the field of eight elements with and without delays, [depth][lateral], real and imaginary part.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

C = 1540.0
F0 = 5e6
FS = 40e6
PITCH = 0.15e-3
K = 2 * np.pi * F0 / C


def elements(count):
    return (np.arange(count) - 0.5 * (count - 1)) * PITCH


def directivity(x, z, e, width):
    return np.sinc(width * F0 / C * (x - e) / np.hypot(x - e, z))


def measured():
    """48 elements, plane waves of -6, 0 and 6 degrees, pixel (1, 20) mm, f-number 4, bandwidth 60 %."""
    e = elements(48)
    px, pz = 1e-3, 20e-3
    sigma = np.sqrt(2 * np.log(2)) / (np.pi * 0.6 * F0)
    angles = np.radians([-6.0, 0.0, 6.0])
    weights = (np.abs(e - px) <= pz / 8).astype(float)
    across = px + np.linspace(-2e-3, 2e-3, 41)

    def pulse(t):
        return np.exp(-0.5 * (t / sigma) ** 2) * np.exp(2j * np.pi * F0 * t)

    def sent(t, angle, x, z):
        """t may have any shape."""
        way = np.hypot(x - e, z)
        wait = e * np.sin(angle)
        return sum(d * pulse(t - (w + r) / C) for d, w, r in zip(directivity(x, z, e, PITCH), wait, way))

    def path(angle):
        return pz * np.cos(angle) + px * np.sin(angle)

    def summed(x, field_of, waves):
        total = 0
        for angle in waves:
            for i in np.flatnonzero(weights):
                at = (path(angle) + np.hypot(px - e[i], pz)) / C * FS
                low = np.floor(at)
                both = np.array([low, low + 1]) / FS - np.hypot(x - e[i], pz) / C
                record = directivity(x, pz, e[i], PITCH) * field_of(both, angle, x)
                total += weights[i] * ((1 - (at - low)) * record[0] + (at - low) * record[1])
        return abs(total)

    both = [summed(x, lambda t, a, x: sent(t, a, x, pz), angles) for x in across]
    heard = [summed(x, lambda t, a, x: pulse(t - path(a) / C), [0.0]) for x in across]
    return {"across": across, "heard": heard, "both": both}


def focused_map():
    """64 elements of which the middle 8 mm send, focus 20 mm deep at x = 0."""
    e = elements(64)
    weights = (np.abs(e) <= 4e-3).astype(float)
    lateral = np.linspace(-5e-3, 5e-3, 21)
    depth = np.linspace(5e-3, 40e-3, 8)
    field = np.zeros((len(depth), len(lateral)))
    for i, z in enumerate(depth):
        for j, x in enumerate(lateral):
            way = np.hypot(x - e, z) - np.hypot(e, 20e-3)
            field[i, j] = abs(np.sum(weights * directivity(x, z, e, PITCH) * np.exp(1j * K * way)))
    return {"map_lateral": lateral, "map_depth": depth, "map": field}


def axial():
    """Levels on the axis of the same transmit; the ranges where they are 6 dB below their maximum."""
    e = elements(64)
    e = e[np.abs(e) <= 4e-3]
    depth = np.linspace(5e-3, 60e-3, 20001)
    way = np.hypot(e[None, :], depth[:, None]) - np.hypot(e, 20e-3)[None, :]
    level = np.abs(np.sum(np.exp(1j * K * way) * directivity(0.0, depth[:, None], e[None, :], PITCH), axis=1))
    top = np.argmax(level)
    half = level[top] * 10 ** (-6 / 20)
    near = depth[np.flatnonzero(level[:top] < half)[-1]]
    far = depth[top + np.flatnonzero(level[top:] < half)[0]]
    return {"axial": [near, far]}


def waves():
    """The eight middle elements of 64, with focus 6 mm deep and without delays; 13 x 13 points down to 9 mm."""
    e = elements(64)[28:36]
    lateral = np.linspace(-4.5e-3, 4.5e-3, 13)
    depth = np.linspace(0, 9e-3, 13)
    wait = np.max(np.hypot(e, 6e-3)) - np.hypot(e, 6e-3)
    result = {}
    for name, delays in (("together", 0 * wait), ("delayed", wait)):
        field = np.zeros((13, 13), complex)
        for i, z in enumerate(depth):
            for j, x in enumerate(lateral):
                if z > 0:
                    field[i, j] = np.sum(directivity(x, z, e, PITCH) * np.exp(1j * K * (np.hypot(x - e, z) + delays)))
        result[f"waves_{name}_re"] = field.real
        result[f"waves_{name}_im"] = field.imag
    return result


if __name__ == "__main__":
    vectors.write(HERE / "beams.txt", "tests/lab/vectors/make_beam_vectors.py",
                  {**measured(), **focused_map(), **axial(), **waves()})
