# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes singular.txt: thresholds of singular values by numpy.linalg.svd and numpy.corrcoef, as Baranger et al. choose
them (IEEE Trans. Med. Imaging 37, 2018). Usage: python tests/gpu/vectors/make_singular.py (needs numpy)"""
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

FRAMES, DEPTH, LATERAL = 21, 18, 15
rng = np.random.default_rng(7)
shape = (FRAMES, DEPTH, LATERAL)
t = np.arange(FRAMES)


def gaussian(size):
    return rng.normal(size=size) + 1j * rng.normal(size=size)


# Tissue: speckle whose phase and brightness change slowly, 20 dB apart, with the same bright layers in all parts.
layers = np.abs(gaussian((DEPTH, LATERAL)))
tissue = sum(level * layers * np.exp(2j * np.pi * rng.random((DEPTH, LATERAL))) * change[:, None, None]
             for level, change in ((40.0, np.exp(0.02j * t)), (16.0, np.exp(0.02j * t) * (t - 10.0) / 10.0),
                                   (7.0, np.exp(0.03j * t) * np.cos(0.25 * t))))
# Blood: new speckle in each frame, turned by 0.9 rad per frame, in a vessel that covers a part of the image.
vessel = np.exp(-0.5 * ((np.arange(DEPTH) - 11.0) / 3.0) ** 2)[None, :, None]
blood = np.zeros(shape, complex)
blood[0] = gaussian(shape[1:])
for f in range(1, FRAMES):
    blood[f] = np.exp(0.9j) * (0.97 * blood[f - 1] + 0.24 * gaussian(shape[1:]))
noise = 0.2 * gaussian(shape)
ensemble = (tissue + 2.0 * vessel * blood + noise).astype(np.complex64).astype(np.complex128)

casorati = ensemble.reshape(FRAMES, -1).T  # [pixel][frame]
u, s, vh = np.linalg.svd(casorati, full_matrices=False)
similarity = np.corrcoef(np.abs(u).T)


def two_squares(first, end):
    squares = np.zeros((FRAMES, FRAMES))
    squares[:first, :first] = 1.0
    squares[first:end, first:end] = 1.0
    return squares


fits = {(first, end): np.corrcoef(similarity.ravel(), two_squares(first, end).ravel())[0, 1]
        for first in range(1, FRAMES) for end in range(first + 1, FRAMES + 1)}
ranked = sorted(fits, key=fits.get, reverse=True)
first, end = ranked[0]
print("kept from", first + 1, "to", end, "fit", fits[ranked[0]], "next", ranked[1], fits[ranked[1]])

# Of x[f] = u s conj(v[f]): the mean phase from frame to frame.
radians = np.angle(np.sum(np.conj(vh[:, :-1]) * vh[:, 1:], axis=1))
CUT, FLOOR_DB = 0.3, 51.5  # radians per frame, dB
by_level = int(np.sum(20.0 * np.log10(s / s[0]) >= -FLOOR_DB))
by_frequency = int(np.argmax(np.abs(radians) >= CUT))
print("limits keep from", by_frequency + 1, "to", by_level)
print(np.round(radians, 3), np.round(20 * np.log10(s / s[0]), 2))


def part(begin, stop):
    kept = (u[:, begin:stop] * s[begin:stop]) @ vh[begin:stop]
    kept = kept.T.reshape(shape)
    return np.stack([kept.real, kept.imag], axis=-1)


write(HERE / "singular.txt", "make_singular.py", {
    "ensemble": np.stack([ensemble.real, ensemble.imag], axis=-1),
    "values": s,
    "radians": radians,
    "automatic": np.array([first, end]),
    "kept": part(first, end),
    "limits": np.array([by_frequency, by_level]),
    "kept_by_limits": part(by_frequency, by_level),
})
