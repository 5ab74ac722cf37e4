# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes strain.txt: displacements between frames pixel by pixel from their definitions, and strains by numpy.polyfit.
Usage: python tests/gpu/vectors/make_strain.py (needs numpy)"""
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

FRAMES, DEPTH, LATERAL = 3, 26, 5
SPEED, CENTRE, SPACING = 1500.0, 4e6, 4e-5
HALF_Z, HALF_X = 3, 1  # windows of 7 x 3 pixels
rng = np.random.default_rng(11)


def interleaved(values):
    return np.stack([values.real, values.imag], axis=-1)


# Echoes of points that lie deeper from frame to frame, with noise.
points = rng.uniform(-4.0, DEPTH + 4.0, size=(LATERAL, 80))
amplitudes = rng.normal(size=points.shape)
z = np.arange(DEPTH)
turn = 4 * np.pi * CENTRE * SPACING / SPEED
ensemble = np.empty((FRAMES, DEPTH, LATERAL), complex)
for frame in range(FRAMES):
    away = z[:, None, None] - (points + 1.9 * frame + 0.004 * points * frame)
    ensemble[frame] = np.sum(amplitudes * np.exp(-away ** 2 / 18 + 1.07j * turn * away), axis=2)
ensemble += 0.1 * (rng.normal(size=ensemble.shape) + 1j * rng.normal(size=ensemble.shape))
ensemble = ensemble.astype(np.complex64).astype(np.complex128)


def box(i, size, half):
    return range(max(0, i - half), min(size, i + half + 1))


def product(reference, last, z, x, lag):
    """C, and the energies of both boxes, where both frames have samples."""
    rows = [i for i in box(z, DEPTH, HALF_Z) if 0 <= i + lag < DEPTH]
    pairs = np.array([(reference[i, k], last[i + lag, k]) for i in rows for k in box(x, LATERAL, HALF_X)])
    return (np.sum(np.conj(pairs[:, 0]) * pairs[:, 1]), *np.sum(np.abs(pairs) ** 2, axis=0))


def over_depth(frame, z, x):
    rows = [i for i in box(z, DEPTH, HALF_Z) if i + 1 < DEPTH]
    return sum(np.conj(frame[i, k]) * frame[i + 1, k] for i in rows for k in box(x, LATERAL, HALF_X))


def estimate(reference, last, search):
    moved, alike = np.zeros((DEPTH, LATERAL)), np.zeros((DEPTH, LATERAL))
    for z, x in np.ndindex(DEPTH, LATERAL):
        found = {}
        for lag in range(-search, search + 1):
            if 0 <= z + lag < DEPTH:
                both, own, other = product(reference, last, z, x, lag)
                found[lag] = abs(both) / np.sqrt(own * other), np.angle(both)
        lag = max(found, key=lambda each: found[each][0])
        alike[z, x], phase = found[lag]
        angle = np.angle(over_depth(reference, z, x) + over_depth(last, z + lag, x))
        angle += 2 * np.pi * np.round((turn - angle) / (2 * np.pi))
        angle = np.clip(angle, 0.5 * turn, 2.0 * turn)
        moved[z, x] = 1e6 * SPACING * (lag - phase / angle)
    return moved, alike


by_phase, alike_by_phase = estimate(ensemble[1], ensemble[2], 0)
by_correlation, alike_by_correlation = estimate(ensemble[0], ensemble[2], 6)

WINDOW, LEAST = 9, 0.4
displacement = np.cumsum(rng.normal(size=(DEPTH, LATERAL)), axis=0).astype(np.float32)
quality = rng.uniform(size=(DEPTH, LATERAL)).astype(np.float32)
strain = np.zeros((DEPTH, LATERAL))
for i, x in np.ndindex(DEPTH, LATERAL):
    window = list(box(i, DEPTH, WINDOW // 2))
    rows = [k for k in window if quality[k, x] >= np.float32(LEAST)]
    if i in rows and len(rows) > 1 and 9 * len(rows) * np.var(rows) >= len(window) * np.var(window):
        strain[i, x] = 100.0 * np.polyfit(SPACING * np.array(rows), 1e-6 * displacement[rows, x].astype(float), 1)[0]

write(HERE / "strain.txt", "make_strain.py", {
    "ensemble": interleaved(ensemble),
    "by_phase": by_phase,
    "alike_by_phase": alike_by_phase,
    "by_correlation": by_correlation,
    "alike_by_correlation": alike_by_correlation,
    "displacement": displacement,
    "quality": quality,
    "strain": strain,
})
