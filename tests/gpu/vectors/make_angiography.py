# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes angiography.txt: OCT angiography and phase-resolved Doppler by their definitions.
Usage: python tests/gpu/vectors/make_angiography.py (needs numpy)"""
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

FRAMES, LINES, DEPTHS = 5, 6, 11
rng = np.random.default_rng(7)


def interleaved(values):
    return np.stack([values.real, values.imag], axis=-1)


def box(values, lateral, depth):
    out = np.empty_like(values)
    for x in range(LINES):
        for z in range(DEPTHS):
            part = values[max(0, x - lateral // 2):x + lateral // 2 + 1,
                          max(0, z - depth // 2):z + depth // 2 + 1]
            out[x, z] = part.mean()
    return out


def normal(*shape):
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


# Tissue that fades with depth, blood in the middle, bulk motion line by line, noise.
still = 20.0 * normal(LINES, DEPTHS) * np.exp(-0.4 * np.arange(DEPTHS))
blood = 3.0 * normal(FRAMES, LINES, DEPTHS)
blood[1:] = 0.8 * np.exp(0.9j) * blood[:-1] + 0.6 * blood[1:]
blood *= (np.abs(np.arange(DEPTHS) - 4) < 2)
bulk = np.exp(2j * np.pi * rng.uniform(size=(FRAMES, LINES, 1)))
scans = ((still + blood) * bulk + 0.3 * normal(FRAMES, LINES, DEPTHS)).astype(np.complex64).astype(np.complex128)

amplitude = np.abs(scans)
power = np.mean(amplitude ** 2, axis=0)
products = np.conj(scans[:-1]) * scans[1:]
phase = np.angle(products.sum(axis=2, keepdims=True))
for _ in range(3):
    weight = np.maximum(np.cos(np.angle(products) - phase), 0.0) ** 8
    phase = np.angle((weight * products).sum(axis=2, keepdims=True))
difference = np.mean(np.abs(scans[1:] * np.exp(-1j * phase) - scans[:-1]), axis=0)
moved = np.mean(np.abs(scans[1:] - scans[:-1]), axis=0)
variance = np.var(amplitude, axis=0)


def decorrelation(lateral, depth, noise=0.0):
    pairs = []
    for a, b in zip(amplitude[:-1], amplitude[1:]):
        together = box(a * b, lateral, depth) + noise / 2
        whole = box((a ** 2 + b ** 2) / 2, lateral, depth)
        pairs.append(np.clip((whole - together) / (whole - noise), -1.0, 1.0))
    return np.maximum(np.mean(pairs, axis=0), 0.0)


quiet = np.sort(power.mean(axis=0))[DEPTHS // 5]
shown = box(power, 3, 3) >= 10 ** 0.3 * quiet
assert 0 < shown.sum() < shown.size
mean_power = box(power, 3, 3)
less = np.sqrt(np.maximum(box(difference, 3, 3) ** 2 - np.pi / 2 * quiet, 0))
doppler = box(np.sum(products * np.exp(-1j * phase), axis=0), 5, 3)

# Three frames in two bands, [frame][band][line][depth], each band with its own bulk motion.
BANDS = 2
banded = (normal(1, BANDS, LINES, DEPTHS) + 0.7 * normal(3, BANDS, LINES, DEPTHS)) * np.exp(
    2j * np.pi * rng.uniform(size=(3, BANDS, LINES, 1)))
banded = banded.astype(np.complex64).astype(np.complex128)
banded_products = np.conj(banded[:-1]) * banded[1:]
banded_phase = np.angle(banded_products.sum(axis=3, keepdims=True))
for _ in range(3):
    weight = np.maximum(np.cos(np.angle(banded_products) - banded_phase), 0.0) ** 8
    banded_phase = np.angle((weight * banded_products).sum(axis=3, keepdims=True))
a, b = np.abs(banded[:-1]), np.abs(banded[1:])

write(HERE / "angiography.txt", "make_angiography.py", {
    "scans": interleaved(scans),
    "variance": variance,
    "variance_normalised": box(variance, 5, 3) / box(power, 5, 3),
    "decorrelation": decorrelation(1, 1),
    "decorrelation_box": decorrelation(5, 3),
    "difference": difference,
    "difference_normalised": box(difference, 5, 3) / np.sqrt(box(power, 5, 3)),
    "difference_with_bulk": moved,
    "shown": shown,
    "decorrelation_masked": np.where(shown, decorrelation(3, 3, quiet), 0.0),
    "variance_masked": np.where(shown, np.maximum(box(variance, 3, 3) - (1 - 1 / FRAMES) * quiet / 2, 0) / (mean_power - quiet), 0.0),
    "difference_masked": np.where(shown, less / np.sqrt(np.maximum(mean_power - quiet, 1e-9)), 0.0),
    "phase": np.angle(doppler),
    "banded": interleaved(banded),
    "banded_variance": np.mean(np.var(np.abs(banded), axis=0), axis=0),
    "banded_decorrelation": np.mean(1 - 2 * a * b / (a ** 2 + b ** 2), axis=(0, 1)),
    "banded_difference": np.mean(np.abs(banded[1:] * np.exp(-1j * banded_phase) - banded[:-1]), axis=(0, 1)),
    "banded_phase": np.angle(np.sum(banded_products * np.exp(-1j * banded_phase), axis=(0, 1))),
    "phase_with_bulk": np.angle(products.sum(axis=0)),
})
