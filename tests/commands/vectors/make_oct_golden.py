# SPDX-License-Identifier: GPL-3.0-or-later
"""A B-scan of the bundled retina as decibels by NumPy alone, for oct_golden.hpp.

Packed codes, background, moving average of 25 samples, then the direct sum over the samples at their true
wavenumbers. Each sample is weighted by the step of wavenumber that it represents, by a Hann window and, in one case, by exp(+j phi). dB re a
fringe of amplitude 1 code. No FFT and no gridding.
Run it from the project's root: python3 tests/commands/vectors/make_oct_golden.py
"""

import sys

import h5py
import numpy as np

sys.path.insert(0, "tests/support")
import vectors

FRAME = 3
LINES = slice(2, None, 20)

with h5py.File("testdata/retina_cine.echolux.h5", "r") as file:
    count, n = file["frames"].attrs["axis_size"]
    bytes_of = file["frames"][FRAME].reshape(count, n // 2, 3).astype(int)
    resampling = file["spectrometer/resampling"][:]
    background = file["spectrometer/background"][:]
    dispersion = file["spectrometer/dispersion_rad"][:]

codes = np.empty((count, n))
codes[:, 0::2] = bytes_of[..., 0] | (bytes_of[..., 1] & 15) << 8
codes[:, 1::2] = bytes_of[..., 1] >> 4 | bytes_of[..., 2] << 4

lines = (codes - background)[LINES]
clean = np.empty_like(lines)
for i in range(n):
    clean[:, i] = lines[:, i] - lines[:, max(i - 12, 0) : i + 13].mean(axis=1)

index = np.arange(n)
kappa = np.interp(index, resampling, index)  # wavenumber index of each raw sample
slope_low = (index[1] - index[0]) / (resampling[1] - resampling[0])
slope_high = (index[-1] - index[-2]) / (resampling[-1] - resampling[-2])
kappa = np.where(index < resampling[0], (index - resampling[0]) * slope_low, kappa)
kappa = np.where(index > resampling[-1], index[-1] + (index - resampling[-1]) * slope_high, kappa)
weight = np.gradient(kappa)
hann = 0.5 - 0.5 * np.cos(2 * np.pi * kappa / (n - 1))
depth = np.arange(n // 2)
kernel = np.exp(2j * np.pi * np.outer(kappa, depth) / n) * 2 / (n * np.hanning(n).mean())


def image_db(phase):
    image = (clean * weight * hann * np.exp(1j * np.interp(kappa, index, phase))) @ kernel
    return 20 * np.log10(np.abs(image).T)


vectors.write(
    "tests/commands/vectors/oct_golden.txt",
    "make_oct_golden.py",
    {"compensated_db": image_db(dispersion), "dispersed_db": image_db(0 * dispersion)},
)
