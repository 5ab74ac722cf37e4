# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes singular_cuts.txt: some values of long ensembles that numpy.linalg.svd cut between nearly equal singular values.
The ensembles themselves are numbers without a pattern, exact in single precision, which the test makes, too.
Usage: python tests/gpu/vectors/make_singular_cuts.py (needs numpy)"""
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

PIXELS, TISSUES, PROBES, STEP = 400, 6, 96, 1009


def scattered(first, shape):
    """Complex numbers of at most 17 bits a part, from the number `first` of the series on."""
    x = (np.arange(first, first + 2 * np.prod(shape), dtype=np.uint64) * 2654435761 + 12345) & 0xFFFFFFFF
    x = ((x ^ (x >> np.uint64(16))) * 0x85EBCA6B) & 0xFFFFFFFF
    x = x ^ (x >> np.uint64(13))
    parts = ((x & 0xFFFF).astype(float) / 32768.0 - 1.0).reshape(*shape, 2)
    return parts[..., 0] + 1j * parts[..., 1]


def ensemble(frames):
    """Tissue, each part half as strong as the one before, and noise whose singular values differ by a per cent."""
    noise = scattered(0, (frames, PIXELS))
    over_frames = scattered(10_000_000, (TISSUES, frames))
    over_pixels = scattered(20_000_000, (TISSUES, PIXELS))
    levels = 64.0 * 0.5 ** np.arange(TISSUES)
    return (noise + np.einsum("k,kf,kp->fp", levels, over_frames, over_pixels)).astype(np.complex64)


out = {}
for frames in (160, 300):
    u, s, vh = np.linalg.svd(ensemble(frames).astype(complex).T, full_matrices=False)
    for first, last in ((21, 40),):
        print(frames, first, last, "ratios at the cuts", s[first - 1] / s[first - 2], s[min(last, frames - 1)] / s[last - 1])
        kept = ((u[:, first - 1:last] * s[first - 1:last]) @ vh[first - 1:last]).T.ravel()
        probes = kept[np.arange(PROBES) * STEP % kept.size]
        out[f"frames_{frames}_from_{first}"] = np.stack([probes.real, probes.imag], axis=-1)
write(HERE / "singular_cuts.txt", "make_singular_cuts.py", out)
