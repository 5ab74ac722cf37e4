# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes flow.txt: clutter filters by numpy.linalg.svd and numpy.polynomial, flow by the definitions.
Usage: python tests/gpu/vectors/make_flow.py (needs numpy)"""
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

FRAMES, DEPTH, LATERAL = 9, 7, 6
rng = np.random.default_rng(5)


def interleaved(values):
    return np.stack([values.real, values.imag], axis=-1)


def box(values, height, width):
    out = np.empty_like(values)
    for z in range(DEPTH):
        for x in range(LATERAL):
            part = values[max(0, z - height // 2):z + height // 2 + 1,
                          max(0, x - width // 2):x + width // 2 + 1]
            out[z, x] = part.mean()
    return out


shape = (FRAMES, DEPTH, LATERAL)
tissue = 30.0 * rng.normal(size=(DEPTH, LATERAL)) * np.exp(1j * 0.02 * np.arange(FRAMES) ** 2)[:, None, None]
blood = rng.normal(size=shape) + 1j * rng.normal(size=shape)
blood[1:] = 0.7 * np.exp(0.8j) * blood[:-1] + 0.5 * blood[1:]
ensemble = (tissue + blood).astype(np.complex64).astype(np.complex128)

casorati = ensemble.reshape(FRAMES, -1).T  # [pixel][frame]
u, s, vh = np.linalg.svd(casorati, full_matrices=False)
kept = (u[:, 1:5] * s[1:5]) @ vh[1:5]

t = np.linspace(-1.0, 1.0, FRAMES)
fitted = np.empty_like(casorati)
for pixel in range(casorati.shape[0]):
    for part, unit in ((casorati[pixel].real, 1.0), (casorati[pixel].imag, 1j)):
        fit = np.polynomial.Polynomial.fit(t, part, 2)(t)
        fitted[pixel] = unit * fit + (0 if unit == 1.0 else fitted[pixel])

power = box(np.mean(np.abs(ensemble) ** 2, axis=0), 3, 5)
lag = box(np.mean(np.conj(ensemble[:-1]) * ensemble[1:], axis=0), 3, 5)
SPEED, CENTRE, INTERVAL = 1500.0, 4e6, 1 / 3000
velocity = 100.0 * SPEED / (4 * np.pi * CENTRE * INTERVAL) * np.angle(lag)

write(HERE / "flow.txt", "make_flow.py", {
    "ensemble": interleaved(ensemble),
    "svd_2_to_5": interleaved(kept.T.reshape(shape)),
    "without_order_2": interleaved((casorati - fitted).T.reshape(shape)),
    "velocity": velocity,
    "amplitude": np.sqrt(power),
    "spread": 1.0 - np.abs(lag) / power,
})
