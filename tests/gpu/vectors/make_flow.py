# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes flow.txt: clutter filters by numpy.linalg.svd, numpy.polynomial and scipy, flow by the definitions and by
PyMUST. Usage: python tests/gpu/vectors/make_flow.py (needs numpy, scipy, pymust)"""
import sys
from pathlib import Path

import numpy as np
import pymust
import scipy.fft
import scipy.signal

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

# Tissue in three parts, 20 dB apart, and weak blood: the strongest vectors are told apart.
LONG = 140
parts = [10.0 ** -n * rng.normal(size=(1, 60)) * np.exp(1j * rng.normal(size=(LONG, 1))) for n in range(3)]
many = sum(parts) + 1e-4 * (rng.normal(size=(LONG, 60)) + 1j * rng.normal(size=(LONG, 60)))
many = many.astype(np.complex64).astype(np.complex128)  # [frame][pixel]
many_u, many_s, many_vh = np.linalg.svd(many.T, full_matrices=False)
many_rest = ((many_u[:, 3:] * many_s[3:]) @ many_vh[3:]).T
many_second = (many_s[1] * np.outer(many_u[:, 1], many_vh[1])).T

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

# PyMUST's own velocities, of single pixels, at lag 1.
param = pymust.utils.Param()
param.fc, param.c, param.PRF = CENTRE, SPEED, 1 / INTERVAL
by_pymust, _ = pymust.iq2doppler(np.moveaxis(ensemble, 0, 2), param)

# PyMUST's wfilt with "dct": the orthonormal DCT-II without its first three components.
cosines = scipy.fft.dct(ensemble, axis=0, norm="ortho")
cosines[:3] = 0.0
without_cosines = scipy.fft.idct(cosines, axis=0, norm="ortho")


def from_least_energy(b, a):
    """scipy.signal.lfilter over the frames, from the initial state with the least output energy."""
    order = max(len(a), len(b)) - 1
    transients = np.stack([scipy.signal.lfilter(b, a, np.zeros(FRAMES), zi=state)[0] for state in np.eye(order)], 1)
    at_rest = scipy.signal.lfilter(b, a, casorati.T, axis=0)  # [frame][pixel]
    state = np.linalg.lstsq(transients, at_rest, rcond=None)[0]
    return (at_rest - transients @ state).reshape(shape)


# Cut-off 0.05 m/s, as a part of the Nyquist velocity.
CUTOFF = 0.05 / (SPEED / (4 * CENTRE * INTERVAL))
butterworth = from_least_energy(*scipy.signal.butter(3, CUTOFF, "highpass"))
fir = from_least_energy(scipy.signal.firwin(5, CUTOFF, pass_zero=False, window="hamming"), [1.0])

# Loupas: the mean frequency of each pixel's box. Depths are SPACING apart; the signal has a carrier over depth.
SPACING = 1e-4
carrier = np.exp(4j * np.pi * 1.15 * CENTRE * SPACING / SPEED * np.arange(DEPTH))[None, :, None]
echoes = (carrier * (ensemble[:, :1] + 0.2 * ensemble)).astype(np.complex64).astype(np.complex128)
echo_lag = box(np.mean(np.conj(echoes[:-1]) * echoes[1:], axis=0), 3, 5)
over_depth = np.mean(np.conj(echoes[:, :-1]) * echoes[:, 1:], axis=0)
over_depth = box(np.concatenate([over_depth, over_depth[-1:]]), 3, 5)
alias = SPEED / (2 * SPACING)  # frequencies so far apart look alike
frequency = SPEED / (4 * np.pi * SPACING) * np.angle(over_depth)
frequency += alias * np.round((CENTRE - frequency) / alias)
frequency = np.clip(frequency, 0.5 * CENTRE, 2.0 * CENTRE)
velocity_2d = 100.0 * SPEED / (4 * np.pi * frequency * INTERVAL) * np.angle(echo_lag)

write(HERE / "flow.txt", "make_flow.py", {
    "ensemble": interleaved(ensemble),
    "svd_2_to_5": interleaved(kept.T.reshape(shape)),
    "without_order_2": interleaved((casorati - fitted).T.reshape(shape)),
    "without_3_cosines": interleaved(without_cosines),
    "butterworth_3": interleaved(butterworth),
    "fir_4": interleaved(fir),
    "many": interleaved(many),
    "many_without_3": interleaved(many_rest),
    "many_second": interleaved(many_second),
    "velocity": velocity,
    "velocity_by_pymust": 100.0 * by_pymust,
    "echoes": interleaved(echoes),
    "velocity_2d": velocity_2d,
    "amplitude": np.sqrt(power),
    "spread": 1.0 - np.abs(lag) / power,
})
