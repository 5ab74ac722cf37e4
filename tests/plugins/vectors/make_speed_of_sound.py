#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes speed_of_sound.txt: what the plugin's formula and network, in NumPy and in double precision, make of random
echoes. Lines: transmits, channels, samples, rows, columns; the samples, real and imaginary part by turns; the estimates
in m/s. The geometry is repeated in tests/plugins/speed_of_sound_test.cpp."""
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "resources/plugins/speed_of_sound"))
import train  # noqa: E402

TRANSMITS, CHANNELS, SAMPLES, ROWS, COLUMNS = 2, 14, 150, 2, 3
random = np.random.default_rng(28)
noise = random.normal(size=(TRANSMITS, CHANNELS, SAMPLES + 4)) + 1j * random.normal(size=(TRANSMITS, CHANNELS, SAMPLES + 4))
# Alike in neighbouring samples, and in all channels.
noise = sum(np.hanning(7)[1 + i] * noise[..., i:i + SAMPLES] for i in range(5))
noise += 1.5 * noise[:, :1]
data = noise.astype(np.complex64)
element_x = (np.arange(CHANNELS) - 0.5 * (CHANNELS - 1)) * 0.3e-3
found = train.estimate(train.read_header(), train.features(
    data.astype(complex), [0.4e-6, -0.3e-6], [-0.1, 0.17], element_x, 20e6, 5e6, ROWS, COLUMNS))
with open(HERE / "speed_of_sound.txt", "w") as file:
    print(TRANSMITS, CHANNELS, SAMPLES, ROWS, COLUMNS, file=file)
    print(*(f"{value:.9g}" for value in data.ravel().view(np.float32)), file=file)
    print(*(f"{value:.9g}" for value in found.ravel()), file=file)
