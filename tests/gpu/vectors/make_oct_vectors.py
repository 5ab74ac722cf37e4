#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reference vectors of the OCT stages by NumPy and SciPy, written to oct_stages.txt beside it."""

import pathlib
import sys

import numpy as np
from scipy import signal

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(41)
LINES, SAMPLES = 6, 37  # odd and prime
out = {}
k = np.arange(SAMPLES)
u = k / (SAMPLES - 1)


def pairs(values):
    """Complex values as re, im, re, im, ..."""
    return np.stack([np.real(values), np.imag(values)], axis=-1)


def moving_average_removed(lines, window):
    done = np.empty_like(lines, dtype=float)
    for n in range(lines.shape[-1]):
        first = n - window // 2
        inside = lines[..., max(first, 0):min(first + window, lines.shape[-1])]
        done[..., n] = lines[..., n] - inside.mean(axis=-1)
    return done


def catmull_rom(line, positions):
    """Through the basis of tangents: h00, h10, h01, h11 with half differences as slopes."""
    padded = np.concatenate([line[:1], line, line[-1:], line[-1:]])
    low = np.floor(positions).astype(int)
    t = positions - low
    p0, p1, p2, p3 = (padded[low + i] for i in range(4))
    m1, m2 = (p2 - p0) / 2, (p3 - p1) / 2
    return ((2 * t**3 - 3 * t**2 + 1) * p1 + (t**3 - 2 * t**2 + t) * m1
            + (-2 * t**3 + 3 * t**2) * p2 + (t**3 - t**2) * m2)


def lanczos(line, positions, lobes):
    padded = np.pad(line, 8, mode="edge")
    low = np.floor(positions).astype(int)
    done = np.zeros(len(positions))
    total = np.zeros(len(positions))
    for j in range(1 - lobes, lobes + 1):
        x = positions - (low + j)
        weight = np.sinc(x) * np.sinc(x / lobes) * (np.abs(x) < lobes)
        done += weight * padded[low + j + 8]
        total += weight
    return done / total


# Each stage by itself.
codes = random.integers(0, 65536, size=(LINES, SAMPLES))
out["codes"] = codes
out["to_float_shift_4"] = ((codes >> 4) - 100.0) * 0.5

spectra = random.normal(size=(LINES, SAMPLES)).astype(np.float32)
background = random.normal(size=SAMPLES).astype(np.float32)
out["spectra"] = spectra
out["background"] = background
out["minus_background"] = spectra - 0.75 * background
for points in (1, 5, SAMPLES - 3):
    parts = [background[k * SAMPLES // points:(k + 1) * SAMPLES // points].astype(float) for k in range(points)]
    middles = [k * SAMPLES // points + (len(part) - 1) / 2 for k, part in enumerate(parts)]
    smooth = np.interp(np.arange(SAMPLES), middles, [part.mean() for part in parts])
    out[f"minus_background_of_{points}"] = spectra - smooth
out["minus_frame_mean"] = spectra - spectra.mean(axis=0)
out["minus_mean_of_4"] = spectra - spectra[:4].mean(axis=0)
for window in (3, 24, 25, 1024):
    out[f"moving_{window}"] = moving_average_removed(spectra.astype(float), window)
for bins in (1, 5, 18, 19):
    kept = np.fft.rfft(spectra.astype(float), axis=-1)
    kept[:, :bins] = 0.0
    out[f"fourier_{bins}"] = np.fft.irfft(kept, n=SAMPLES, axis=-1)
even = np.fft.rfft(spectra[:, :36].astype(float), axis=-1)
even[:, :18] = 0.0
out["fourier_even_18"] = np.fft.irfft(even, n=36, axis=-1)  # the last bin alone

coefficients = (1.5, -4.0, 12.0, -7.0)
curve = coefficients[0] + (SAMPLES - 1 + coefficients[1]) * u + coefficients[2] * u**2 \
    + coefficients[3] * u**3
out["coefficients"] = coefficients
positions = np.clip(curve, 0, SAMPLES - 1)
out["linear"] = [np.interp(positions, k, line) for line in spectra]
out["cubic"] = [catmull_rom(line.astype(float), positions) for line in spectra]
out["lanczos_3"] = [lanczos(line.astype(float), positions, 3) for line in spectra]
out["lanczos_4"] = [lanczos(line.astype(float), positions, 4) for line in spectra]

out["hann"] = signal.windows.hann(SAMPLES)
out["hamming"] = signal.windows.hamming(SAMPLES)
out["tukey_0.3"] = signal.windows.tukey(SAMPLES, 0.3)
out["gauss_0.2"] = signal.windows.gaussian(SAMPLES, 0.2 * (SAMPLES - 1))
out["blackman"] = signal.windows.blackman(SAMPLES)
out["rectangular"] = np.ones(SAMPLES)
t = (u - 0.4) / 0.5 + 0.5
out["hann_0.4_0.5"] = np.where((t >= 0) & (t <= 1), np.sin(np.pi * np.clip(t, 0, 1))**2, 0)

x = -k / (2 * (SAMPLES - 1))
c = (31.0, -80.0, 160.0)
recorded = 3 * np.sin(2 * u)
phase = c[0] * x**2 + c[1] * x**3 + c[2] * x**4
out["recorded_phase"] = recorded
out["turned"] = pairs(spectra * np.exp(1j * phase))
out["turned_recorded"] = pairs(spectra * np.exp(1j * (phase + recorded)))

eight = (31.0, -80.0, 160.0, -700.0, 2500.0, 9000.0, -30000.0, 50000.0)
polynomial = np.polynomial.Polynomial((0, 0) + eight)
out["eight_terms"] = eight
out["turned_eight"] = pairs(spectra * np.exp(1j * polynomial(x)))
middle = polynomial.deriv()(-0.25) * -0.5 / (SAMPLES - 1)  # per sample, where x = -1/4
out["turned_kept"] = pairs(spectra * np.exp(1j * (polynomial(x) - middle * k)))

complex_spectra = (spectra + 1j * random.normal(size=spectra.shape)).astype(np.complex64)
out["complex_spectra"] = pairs(complex_spectra)
for name, data in (("real", spectra), ("complex", complex_spectra)):
    for padding in (1, 4):
        bins = SAMPLES * padding
        full = np.fft.ifft(data.astype(complex), n=bins) * bins * 2 / SAMPLES
        out[f"depths_{name}_{padding}_half"] = pairs(full[:, :bins // 2])
        out[f"depths_{name}_{padding}_full"] = pairs(np.fft.fftshift(full, axes=1))

a_lines = complex_spectra
out["pattern_mean"] = pairs(a_lines - a_lines.mean(axis=0))
out["pattern_mean_4"] = pairs(a_lines - a_lines[:4].mean(axis=0))
segments = a_lines.reshape(3, LINES // 3, SAMPLES)
calmest = segments.var(axis=1).argmin(axis=0)
pattern = np.take_along_axis(segments.mean(axis=1), calmest[None, :], axis=0)
out["pattern_variance_3"] = pairs(a_lines - pattern)

out["decibels"] = 20 * np.log10(np.abs(a_lines))
out["magnitude"] = np.abs(a_lines)

images = spectra.astype(float)
out["flipped_all"] = images[::-1]
stack = images.reshape(2, LINES // 2, SAMPLES)
out["flipped_odd"] = [stack[0], stack[1][::-1]]
arc = 0.8
v = np.linspace(-0.5, 0.5, LINES)
swung = np.sin(np.pi * arc * v) / np.sin(np.pi * arc / 2) / 2  # where recorded line i was
dense = np.linspace(-0.5, 0.5, 20001)
source = np.interp(v, np.sin(np.pi * arc * dense) / np.sin(np.pi * arc / 2) / 2, dense)
out["swung"] = swung
out["unwarped_0.8"] = np.array([np.interp((source + 0.5) * (LINES - 1), np.arange(LINES), column)
                                for column in images.T]).T

out["average_lines_2"] = images.reshape(3, 2, SAMPLES).mean(axis=1)
out["average_lines_4"] = images[:4].mean(axis=0)
out["average_stack_2_3"] = stack.mean(axis=(0, 1))
running = []
for i, frame in enumerate(images):
    weight = 1 / min(i + 1, 3)
    running.append(frame if i == 0 else running[-1] * (1 - weight) + frame * weight)
out["average_frames_3"] = running

# Gridding against the sum that it approximates. kappa is the position of each raw sample on the even grid.
N = 96
m = np.arange(N)
resampling = m + 9.0 * np.sin(np.pi * m / (N - 1)) + 3.0 * np.sin(2 * np.pi * m / (N - 1))
kappa = np.interp(m, resampling, m)
weights = np.gradient(kappa)
weights[0], weights[-1] = kappa[1] - kappa[0], kappa[-1] - kappa[-2]
depths = np.array([3.3, 17.0, 40.6, 45.2])
tones = np.array([np.cos(2 * np.pi * z * kappa / N + z) for z in depths]) * np.hanning(N)
tones = np.vstack([tones, random.normal(size=(2, N)) * np.hanning(N)]).astype(np.float32)
z = np.arange(N // 2)
kernel = np.exp(2j * np.pi * np.outer(kappa, z) / N)
out["resampling"] = resampling
out["tones"] = tones
out["tones_depths"] = pairs((tones * weights) @ kernel * 2 / N)

# The whole chain, the window and the phase taken where each raw sample lies.
chain_background = 1500 + 400 * np.hanning(N) + random.normal(size=N)
chain_phase = 12.0 * (m / (N - 1) - 0.5)**2
fringes = sum(a * np.cos(2 * np.pi * d * kappa / N + np.interp(kappa, m, chain_phase) + d)
              for a, d in ((60.0, 17.0), (25.0, 40.6)))
raw = np.round(chain_background + fringes + np.arange(LINES)[:, None])
out["chain_background"] = chain_background
out["chain_phase"] = chain_phase
out["chain_raw"] = raw
clean = moving_average_removed(raw - chain_background.astype(np.float32), 25)
hann = 0.5 - 0.5 * np.cos(2 * np.pi * kappa / (N - 1))
turned = clean * hann * np.exp(1j * np.interp(kappa, m, chain_phase))
out["chain_depths"] = pairs((turned * weights) @ kernel * 2 / (weights * hann).sum())

# A dispersion that turns the spectrum's end by nearly half a turn per sample.
N = 160
m = np.arange(N)
z = np.arange(N // 2)
resampling = m + 7.0 * np.sin(np.pi * m / (N - 1))
kappa = np.interp(m, resampling, m)
weights = np.gradient(kappa)
weights[0], weights[-1] = kappa[1] - kappa[0], kappa[-1] - kappa[-2]
terms = (400.0, -300.0, 200.0)
phase = np.polynomial.Polynomial((0, 0) + terms)(-kappa / (2 * (N - 1)))
fringes = [sum(a * np.cos(2 * np.pi * d * kappa / N + phase + d)
               for a, d in ((1.0, first), (0.5, 44.6))) for first in (9.0, 21.3)]
fringes = np.float32(fringes)
hann = 0.5 - 0.5 * np.cos(2 * np.pi * kappa / (N - 1))
out["dispersed_resampling"] = resampling
out["dispersed_terms"] = terms
out["dispersed"] = fringes
out["dispersed_depths"] = pairs((fringes * hann * np.exp(1j * phase) * weights)
                                @ np.exp(2j * np.pi * np.outer(kappa, z) / N)
                                * 2 / (weights * hann).sum())

vectors.write(HERE / "oct_stages.txt", pathlib.Path(__file__).name, out)
