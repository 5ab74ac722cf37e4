# SPDX-License-Identifier: GPL-3.0-or-later
"""The bundled cine's first frame as a B-mode image by NumPy and SciPy alone, for golden_test.cpp.

Mean removal, 63-tap Hamming band-pass run forward and backward, delay and sum in double precision
(f-number 1.4, rectangular window), analytic signal down the columns, dB re maximum. Once with linear
interpolation of the samples, once with the samples upsampled 16 times first: nearly band-limited interpolation.
Run it from the project's root: python3 tests/commands/vectors/make_golden.py
"""

import sys

import h5py
import numpy as np
from scipy.signal import firwin, hilbert, resample

sys.path.insert(0, "tests/support")
import vectors

SPEED = 1540.0
F_NUMBER = 1.4
LATERAL = np.linspace(-8e-3, 8e-3, 41)
DEPTH = np.linspace(4e-3, 34e-3, 1201)
KEEP = slice(20, None, 12)  # rows that are compared


def band_pass(lines, rate, low, high):
    taps = firwin(63, [low, high], pass_zero=False, window="hamming", fs=rate)
    both = np.convolve(taps, taps[::-1])
    middle = len(both) // 2
    return np.apply_along_axis(lambda x: np.convolve(x, both)[middle : middle + len(x)], -1, lines)


def delay_and_sum(lines, rate, angles, first, elements):
    image = np.zeros((len(DEPTH), len(LATERAL)))
    z, x = np.meshgrid(DEPTH, LATERAL, indexing="ij")
    samples = lines.shape[-1]
    for t, angle in enumerate(angles):
        transmit = (z * np.cos(angle) + x * np.sin(angle)) / SPEED
        for e, place in enumerate(elements):
            receive = np.hypot(x - place, z) / SPEED
            at = (transmit + receive - first[t]) * rate
            value = np.interp(at.ravel(), np.arange(samples), lines[t, e], left=0, right=0).reshape(at.shape)
            image += np.where(np.abs(x - place) <= z / (2 * F_NUMBER), value, 0.0)
    return image


with h5py.File("testdata/phantom_cine.echolux.h5", "r") as file:
    frame = file["frames"][0].astype(float)
    rate = 1.0 / file["frames"].attrs["axis_spacing"][2]
    centre = float(file["frames"].attrs["centre_frequency_hz"])
    angles = file["transmits/angle_rad"][:]
    first = file["transmits/first_sample_s"][:]
    elements = file["probe/element_position_m"][:, 0]

frame -= frame.mean(axis=-1, keepdims=True)
filtered = band_pass(frame, rate, 0.5 * centre, 1.5 * centre)


def image_db(lines, rate):
    envelope = np.abs(hilbert(delay_and_sum(lines, rate, angles, first, elements), axis=0))
    return (20 * np.log10(envelope / envelope.max()))[KEEP]


UP = 16
padded = np.pad(filtered, ((0, 0), (0, 0), (0, 64)))
fine = resample(padded, padded.shape[-1] * UP, axis=-1)[..., : filtered.shape[-1] * UP]
vectors.write(
    "tests/commands/vectors/golden.txt",
    "make_golden.py",
    {"linear_db": image_db(filtered, rate), "band_limited_db": image_db(fine, rate * UP)},
)
