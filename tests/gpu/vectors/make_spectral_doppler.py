# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes spectral_doppler.txt: spectra of a gate by numpy.fft, velocities by numpy.fft.fftfreq.
Usage: python tests/gpu/vectors/make_spectral_doppler.py (needs numpy)"""
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "support"))
from vectors import write

PULSES, DEPTH, LATERAL = 45, 7, 4
WINDOW, HOP, LINES, ROWS = 20, 7, 16, 128
GATE, COLUMN = slice(2, 5), 1
SPEED, CENTRE, RATE, ANGLE = 1500.0, 4e6, 3000.0, 0.5
BASELINE, WALL, RANGE, THRESHOLD = 0.2, 0.012, 50.0, 12.0
rng = np.random.default_rng(11)

t = np.arange(PULSES)
shape = (PULSES, DEPTH, LATERAL)
tissue = 5.0 * (rng.normal(size=(DEPTH, LATERAL)) + 1j * rng.normal(size=(DEPTH, LATERAL)))
blood = np.exp(1j * (0.9 * t + 0.01 * t**2))[:, None, None] * rng.normal(size=(DEPTH, LATERAL))
noise = 0.05 * (rng.normal(size=shape) + 1j * rng.normal(size=shape))
frames = (tissue + blood + noise).astype(np.complex64).astype(np.complex128)

gate = frames[:, GATE, COLUMN]
power = np.zeros((ROWS, LINES))
ends = range(HOP, PULSES + 1, HOP)
for column, end in enumerate(ends, start=LINES - len(ends)):
    x = gate[max(0, end - WINDOW):end]
    n = len(x)
    w = np.hanning(2 * n + 1)[1::2]  # sin^2(pi (i + 1/2) / n)
    x = x - np.average(x, axis=0, weights=w)
    spectra = np.abs(np.fft.fft(w[:, None] * x, ROWS, axis=0)) ** 2 / w.sum() ** 2
    power[:, column] = spectra.mean(axis=1)

hertz = np.fft.fftfreq(ROWS, 1.0 / RATE)
power[np.abs(hertz) * SPEED / (2 * CENTRE * np.cos(ANGLE)) < WALL] = 0.0
shift = round(BASELINE * ROWS)
order = np.roll(np.fft.fftshift(np.arange(ROWS)), -shift)[::-1]  # the fastest first
shown = (hertz[order] + np.where(np.arange(ROWS) < shift, RATE, 0.0)) * SPEED / (2 * CENTRE)
velocity = 100.0 * shown / np.cos(ANGLE)
power = power[order]
with np.errstate(divide="ignore"):
    level = 10 * np.log10(power / power.max())
strong = np.where(level >= -THRESHOLD, power, 0.0)
total = strong.sum(axis=0)
mean = np.where(total > 0, (strong * velocity[:, None]).sum(axis=0) / np.maximum(total, 1e-30), 0.0)
fast = np.where(strong > 0, velocity[:, None], 0.0)
maximum = fast[np.abs(fast).argmax(axis=0), np.arange(LINES)]

write(HERE / "spectral_doppler.txt", "make_spectral_doppler.py", {
    "frames": np.stack([frames.real, frames.imag], axis=-1),
    "velocity": velocity,
    "level": np.maximum(level, -RANGE),
    "mean": mean,
    "maximum": maximum,
})
