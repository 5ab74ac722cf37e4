#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reference vectors of matched_filter by NumPy and SciPy, written to matched_filter.txt beside it: records of noise, correlated
with pulses in the time domain by scipy.signal.correlate."""

import pathlib
import sys

import numpy as np
from scipy import signal

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(53)
SHAPE = (2, 3, 149)
FS = 20e6
rf = random.normal(size=SHAPE).astype(np.float32)
iq = (random.normal(size=SHAPE) + 1j * random.normal(size=SHAPE)).astype(np.complex64)


def parts(values):
    return np.stack([values.real, values.imag], axis=-1)


def compressed(data, pulse, window, zero=0):
    """y[n] = sum_k conj(w[k] p[k]) x[n + k - zero] / sum_k w[k] |p[k]|^2, with zeros beyond the record."""
    replica = window * pulse / np.sum(window * np.abs(pulse) ** 2)

    def line(x):
        full = signal.correlate(x, replica, mode="full", method="direct")  # SciPy conjugates the second
        begin = len(pulse) - 1 - zero
        return full[begin:begin + len(x)]

    return np.apply_along_axis(line, -1, data.astype(np.complex128 if np.iscomplexobj(data) else np.float64))


def chirp(count, begin, end, taper, phase_degrees=0.0):
    """Samples at 0, 1 / fs, ... of a chirp of count / fs, analytic."""
    t = np.arange(count) / FS
    turned = [signal.chirp(t, begin, count / FS, end, phi=phase_degrees + shift) for shift in (0.0, -90.0)]
    return signal.windows.tukey(count, taper, sym=False) * (turned[0] + 1j * turned[1])


out = {"rf": rf, "iq": parts(iq)}
upwards = chirp(40, 3e6, 7e6, 0.2)
ones = np.ones(40)
out["plain"] = compressed(rf, upwards.real, ones)
out["middle"] = compressed(rf, upwards.real, ones, zero=20)
for name in ("hann", "hamming", "blackman"):
    out[name] = compressed(rf, upwards.real, signal.windows.get_window(name, 40, fftbins=True))
out["tukey"] = compressed(rf, upwards.real, signal.windows.tukey(40, 0.7, sym=False), zero=20)
downwards = chirp(149, 8e6, 2e6, 0.0, phase_degrees=-90.0)
out["downwards"] = compressed(rf, downwards.real, np.ones(149))

MIXED = 5e6
down = np.exp(-2j * np.pi * MIXED * np.arange(40) / FS)
out["iq_plain"] = parts(compressed(iq, upwards * down, ones))
# The phase of the mixed pulse is 0 at its reference point.
out["iq_middle"] = parts(compressed(iq, upwards * down / down[20], signal.windows.hann(40, sym=False), zero=20))

recorded = np.round(random.normal(size=21), 3)
out["samples"] = recorded
out["recorded"] = compressed(rf, recorded, np.ones(21))
out["recorded_middle"] = compressed(rf, recorded, np.ones(21), zero=10)
vectors.write(HERE / "matched_filter.txt", "make_matched_filter.py", out)
