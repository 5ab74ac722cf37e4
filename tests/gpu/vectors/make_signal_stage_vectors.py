#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reference vectors of bandpass, analytic, iq_demod and envelope by NumPy and SciPy, written to
signal_stages.txt beside it."""

import pathlib
import sys

import numpy as np
from scipy import signal

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(21)
TRANSMITS, CHANNELS, SAMPLES = 2, 3, 83
FS, FC = 20e6, 5e6
out = {}

rf = random.normal(size=(TRANSMITS, CHANNELS, SAMPLES)).astype(np.float32)
out["rf"] = rf


def along_lines(function, data):
    return np.apply_along_axis(function, -1, data.astype(np.float64))


def forward_backward(taps, line):
    """Filters forward, then backward, with zeros before and after the record."""
    forward = np.convolve(taps, line)
    backward = np.convolve(taps, forward[::-1])[::-1]
    return backward[len(taps) - 1:len(taps) - 1 + len(line)]


for count, window in ((31, "hamming"), (63, "hann"), (255, "blackman"), (3, "boxcar")):
    taps = signal.firwin(count, [2.5e6, 7.5e6], window=window, pass_zero=False, fs=FS)
    out[f"bandpass_{count}"] = along_lines(lambda line: forward_backward(taps, line), rf)
    if count == 31:
        frequencies, response = signal.freqz(taps, worN=np.linspace(0.0, FS / 2, 41), fs=FS)
        out["response_31_db"] = 40.0 * np.log10(np.abs(response))
high_pass = signal.firwin(31, 2.5e6, pass_zero=False, fs=FS)
out["highpass_31"] = along_lines(lambda line: forward_backward(high_pass, line), rf)

# The coefficients of van Bavel 2013, listing 4.2, are half of this filter, rounded to four digits.
published = signal.firwin(6, [0.04, 0.4], pass_zero=False)
assert np.allclose(published[:3], [-0.0049, 0.1007, 0.4761], atol=5e-5)
out["published_bandpass"] = along_lines(lambda line: forward_backward(published, line), rf)
for name, taps in {"odd": [0.5, -0.25, 1.0, -0.25, 0.5], "all": [0.5, -0.25, 1.0]}.items():
    out[f"coefficients_{name}"] = along_lines(lambda line: forward_backward(taps, line), rf)


def demodulate(data, first_samples, fs, fc, bandwidth, count, decimation):
    low_pass = signal.firwin(count, bandwidth / 2, fs=fs)
    t = np.asarray(first_samples)[:, None, None] + np.arange(data.shape[-1]) / fs
    mixed = data * np.exp(-2j * np.pi * fc * t)
    centred = slice(count // 2, count // 2 + data.shape[-1])
    filtered = np.apply_along_axis(lambda line: np.convolve(low_pass, line)[centred], -1, mixed)
    return 2.0 * filtered[..., ::decimation]


def interleaved(values):
    return np.stack([values.real, values.imag], axis=-1)


FIRST = [2.013e-6, -1.37e-6]
out["iq_4"] = interleaved(demodulate(rf, FIRST, FS, FC, 4e6, 63, 4))
out["iq_3"] = interleaved(demodulate(rf, FIRST, FS, 5.21e6, 2.5e6, 21, 3))
out["iq_folded"] = interleaved(demodulate(rf, FIRST, 20e6 / 3, FC, 3e6, 31, 1))



def analytic(data, fs, fc, count):
    """By the FIR of the stage's formula, down to baseband, phase 0 at sample 0."""
    k = np.arange(-(count // 2), count // 2 + 1)
    odd = k % 2 != 0
    taps = np.where(odd, 2.0 / (np.pi * np.where(odd, k, 1)), 0.0)
    taps *= signal.windows.blackman(count + 2)[1:-1]
    if fc / fs - round(fc / fs) < 0.0:
        taps = -taps
    centred = slice(count // 2, count // 2 + data.shape[-1])
    hilbert = along_lines(lambda line: np.convolve(taps, line)[centred], data)
    return (data + 1j * hilbert) * np.exp(-2j * np.pi * fc / fs * np.arange(data.shape[-1]))


out["analytic_47"] = interleaved(analytic(rf, FS, FC, 47))
out["analytic_21"] = interleaved(analytic(rf, FS, 5.21e6, 21))
out["analytic_255"] = interleaved(analytic(rf, FS, 3e6, 255))
out["analytic_folded"] = interleaved(analytic(rf, 20e6 / 3, FC, 47))

# Records with zeros before and after the signal, in the band that the pipelines pass.
LONG = 301
noise = np.random.default_rng(22).normal(size=(TRANSMITS, CHANNELS, LONG))
noise[..., :60] = 0.0
noise[..., -60:] = 0.0
taps = signal.firwin(63, [2.5e6, 7.5e6], pass_zero=False, fs=FS)
band = along_lines(lambda line: forward_backward(taps, line), noise).astype(np.float32)
out["band"] = band
spectral = signal.hilbert(band.astype(float), N=4096, axis=-1)[..., :LONG]
out["band_analytic"] = interleaved(spectral * np.exp(-2j * np.pi * FC / FS * np.arange(LONG)))

DEPTHS, LATERALS = 89, 7
PADDED = 224  # the shortest even length >= 89 + 128 without prime factors above 7
image = random.normal(size=(DEPTHS, LATERALS)).astype(np.float32)
out["image"] = image
analytic_image = signal.hilbert(image.astype(float), N=PADDED, axis=0)[:DEPTHS]
out["envelope_fft"] = np.abs(analytic_image)
out["hilbert_fft"] = analytic_image.imag
padded = np.pad(image.astype(float), ((63, 63), (0, 0)))
for window in (3, 15, 63):
    hilbert = np.zeros(image.shape)
    for m in range(1, window + 1, 2):
        after = padded[63 + m:63 + m + DEPTHS]
        before = padded[63 - m:63 - m + DEPTHS]
        hilbert += 2.0 / np.pi * (before - after) / m
    out[f"envelope_fir_{window}"] = np.hypot(image, hilbert)
    out[f"hilbert_fir_{window}"] = hilbert

# Once, with its delay: the causal filter.
for name, taps in {
        "edges": signal.firwin(31, [2.5e6, 7.5e6], pass_zero=False, fs=FS),
        "even": [0.5, -0.25, 1.0, 1.0, -0.25, 0.5],
        "odd": [0.5, -0.25, 1.0, -0.25, 0.5],
        "all": [0.5, -0.25, 1.0],
        "long": np.random.default_rng(23).uniform(-2.0, 2.0, size=130)}.items():
    if name == "long":
        out["long_taps"] = taps
    out[f"forward_{name}"] = along_lines(lambda line: signal.lfilter(taps, 1.0, line), rf)

vectors.write(HERE / "signal_stages.txt", pathlib.Path(__file__).name, out)
