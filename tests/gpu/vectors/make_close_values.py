# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes close_values.txt: parts of ensembles by numpy.linalg.svd in double precision, where the singular values on both
sides of the cut are nearly equal and 60 dB below the largest.
Usage: python tests/gpu/vectors/make_close_values.py (needs numpy)"""
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

FRAMES, DEPTH, LATERAL = 16, 9, 8
rng = np.random.default_rng(49)
VALUES = np.concatenate([[1000.0, 400.0, 90.0, 30.0, 1.003, 1.002, 1.001, 1.0], np.linspace(0.9, 0.2, FRAMES - 8)])


def orthonormal(rows, columns):
    return np.linalg.qr(rng.normal(size=(rows, columns)) + 1j * rng.normal(size=(rows, columns)))[0]


def ensemble(values):
    """With these singular values, as single precision holds it: [frame][depth][lateral]."""
    pixels = DEPTH * LATERAL
    casorati = (orthonormal(pixels, FRAMES) * values) @ orthonormal(FRAMES, FRAMES).conj().T
    return casorati.T.reshape(FRAMES, DEPTH, LATERAL).astype(np.complex64).astype(np.complex128)


def part(frames, begin, end):
    u, s, vh = np.linalg.svd(frames.reshape(FRAMES, -1).T, full_matrices=False)
    return ((u[:, begin:end] * s[begin:end]) @ vh[begin:end]).T.reshape(frames.shape)


def split(frames):
    return np.stack([frames.real, frames.imag], axis=-1)


left, right = ensemble(VALUES), ensemble(VALUES[::-1] + np.where(np.arange(FRAMES) < 6, 50.0, 0.0))
print(np.linalg.svd(left.reshape(FRAMES, -1), compute_uv=False), np.linalg.svd(right.reshape(FRAMES, -1), compute_uv=False))
write(HERE / "close_values.txt", "make_close_values.py", {
    "ensemble": split(left),
    "values": np.linalg.svd(left.reshape(FRAMES, -1), compute_uv=False),
    "without_5": split(part(left, 5, FRAMES)),
    "without_6": split(part(left, 6, FRAMES)),
    "from_6_to_7": split(part(left, 5, 7)),
    "two": split(np.concatenate([left, right], axis=2)),
    "two_without_6": split(np.concatenate([part(left, 6, FRAMES), part(right, 6, FRAMES)], axis=2)),
})
