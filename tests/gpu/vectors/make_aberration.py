#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reference vectors of Herikstad's aberration filters (2009, appendices E and F) and of focused
spectra by NumPy in double precision, written to aberration.txt beside it."""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(2009)
TINY = 1e-5
out = {}


def single(values):
    """The value as the test reads it; the vectors are computed from it in double precision."""
    return np.asarray(values, dtype=np.float32).astype(np.float64)


def interleaved(values):
    return np.stack([values.real, values.imag], axis=-1)


def smooth(shape, length):
    """A screen of unit variance whose correlation is a Gaussian of about `length` elements."""
    field = random.normal(size=shape)
    for axis, size in enumerate(shape):
        at = np.arange(size)
        kernel = np.exp(-((at[:, None] - at[None]) / length) ** 2)
        field = np.moveaxis(np.tensordot(kernel, field, axes=(1, axis)), 0, axis)
    return (field - field.mean()) / field.std()


SCREEN_S = 8e-9  # stronger ones drive the published iterations through 0, where they are chaotic


def aligned(rows, columns, samples, fs, fc):
    """A pulse behind a screen of delays and amplitudes, with noise; largest value 1."""
    delay = SCREEN_S * smooth((rows, columns) if rows > 1 else (columns,), 3.0).reshape(rows, columns)
    gain = 10 ** (smooth((rows * columns,), 2.0).reshape(rows, columns) / 40)
    t = np.arange(samples) / fs - 0.5 * samples / fs - delay[..., None]
    data = gain[..., None] * np.exp(-(t * 0.35 * fc) ** 2 * 4) * np.cos(2 * np.pi * fc * t + 0.4)
    data += 0.02 * random.normal(size=data.shape)
    return single(data / data.max())


def neighbours(rows, columns, radius):
    """Offsets of the kernel, including the centre; for one row of elements only along the row."""
    down = range(-radius, radius + 1) if rows > 1 else [0]
    return [(n, m) for n in down for m in range(-radius, radius + 1)]


def moved(field, n, m, fill=0.0):
    """field[y + n, x + m], `fill` outside."""
    result = np.full_like(field, fill)
    rows, columns = field.shape
    ys = slice(max(0, -n), min(rows, rows - n))
    xs = slice(max(0, -m), min(columns, columns - m))
    result[ys, xs] = field[ys.start + n:ys.stop + n, xs.start + m:xs.stop + m]
    return result


def weights(spectra, radius, floor):
    """M = |W| R of every neighbour, as in both appendices: spectra [bin][y][x]."""
    rows, columns = spectra.shape[1:]
    power = np.mean(np.abs(spectra) ** 2, axis=0)
    result = []
    for n, m in neighbours(rows, columns, radius):
        other = np.stack([moved(plane, n, m) for plane in spectra])
        r = np.mean(spectra * np.conj(other), axis=0)
        below = np.sqrt(power) * np.sqrt(moved(power, n, m)) + floor
        w = np.divide(r, below, out=np.zeros_like(r), where=below > 0.0)
        result.append(((n, m), np.abs(w) * r))
    return result


def iterate(spectra, radius, mu, most, epsilon, form):
    """All S, and after each step Herikstad's change of the magnitudes and the change of the complex values."""
    m_all = weights(spectra, radius, 0.0 if form == "conjugate" else TINY)
    s = np.ones(spectra.shape[1:], dtype=complex)
    places = np.full(s.shape, float(len(m_all)))
    inside = sum(moved(np.ones(s.shape), n, m) for (n, m), _ in m_all)
    steps, magnitudes, changes = [], [], []
    smallest = np.inf
    for _ in range(most):
        fresh = np.zeros_like(s)
        for (n, m), value in m_all:
            other = moved(s, n, m)
            if form == "matlab":
                fresh += value / (other + TINY)
            elif form == "conjugate":
                fresh += value * other / (np.abs(other) ** 2 + TINY)
            else:
                fresh += value * np.conj(other) / (np.abs(other) ** 2 + TINY)
        if form == "conjugate":
            fresh /= inside
        before = s
        s = (1 - mu) * before + mu * fresh
        if form == "gpu":
            s = s / places
        steps.append(s)
        magnitudes.append(abs(np.mean(np.abs(before) / np.abs(s)) - 1))
        changes.append(np.linalg.norm(s - before) / np.linalg.norm(s))
        smallest = min(smallest, magnitudes[-1])
        if form in ("gpu", "cpu") and smallest <= epsilon:
            break
    return steps, magnitudes, changes


FORMS = {
    "matlab": {"mu": 0.3, "most": 30, "epsilon": 0.0},
    "gpu": {"mu": 0.1, "most": 50, "epsilon": 0.01},
    "cpu": {"mu": 0.1, "most": 50, "epsilon": 0.01},
    "conjugate": {"mu": 0.9, "most": 12, "epsilon": 0.0},
}
KEPT = (2,)


def estimates(name, cube, fs, first_bin, bins, radii):
    out[name] = cube
    rows, columns, samples = cube.shape
    spectra = np.fft.fft(cube, axis=-1)[..., first_bin:first_bin + bins]
    spectra = np.moveaxis(spectra, -1, 0)
    out[f"{name}_facts"] = [rows, columns, samples, fs, first_bin, bins]
    out[f"{name}_spectra"] = interleaved(np.moveaxis(spectra, 0, -1))
    for radius in radii:
        for form, options in FORMS.items():
            steps, magnitudes, changes = iterate(spectra, radius, form=form, **options)
            key = f"{name}_{form}_{2 * radius + 1}"
            for step in KEPT:
                if step <= len(steps):
                    out[f"{key}_step_{step}"] = interleaved(steps[step - 1])
            out[f"{key}_last"] = interleaved(steps[-1])
            out[f"{key}_magnitudes"] = magnitudes
            out[f"{key}_changes"] = changes


estimates("matrix", aligned(10, 12, 64, 70.248e6, 8e6), 70.248e6, 4, 7, (1, 2))
estimates("line", aligned(1, 24, 64, 70.248e6, 8e6), 70.248e6, 4, 7, (1, 2))

# Channels focused on points: three plane waves onto eight elements.
C, FS, FC, PITCH, ELEMENTS, SAMPLES = 1540.0, 20e6, 5e6, 0.3e-3, 8, 160
ANGLES = single([-0.1, 0.0, 0.15])
FIRST = single([7.0e-6, 7.1e-6, 6.9e-6])
GATE, CENTRE, BANDWIDTH, BINS = 2e-6, 5e6, 2.5e6, 9
POINTS = single([[0.0, 8e-3], [0.7e-3, 7.45e-3], [-0.4e-3, 9.2e-3]])
element_x = single((np.arange(ELEMENTS) - (ELEMENTS - 1) / 2) * PITCH)
record_t = FIRST[:, None] + np.arange(SAMPLES) / FS
bins_hz = CENTRE + BANDWIDTH * ((np.arange(BINS) + 0.5) / BINS - 0.5)


def arrival(x, z):
    """[transmit][element], on the clock in which a wave crosses the origin at 0."""
    sent = (x * np.sin(ANGLES) + z * np.cos(ANGLES)) / C
    return sent[:, None] + np.hypot(x - element_x, z)[None] / C


def taper(t):
    return np.where(np.abs(t) < GATE / 2, np.cos(np.pi * t / GATE) ** 2, 0.0)


rf = 0.2 * random.normal(size=(len(ANGLES), ELEMENTS, SAMPLES))
for x, z in POINTS:
    late = record_t[:, None, :] - arrival(x, z)[..., None]
    rf += np.exp(-(late / 0.25e-6) ** 2) * np.cos(2 * np.pi * FC * late)
rf = single(rf)


def focused(data, x, z, turn_from=None, phase_zero=None):
    tau = arrival(x, z)
    late = record_t[:, None, :] - tau[..., None]
    weighed = data * taper(late)
    values = []
    for frequency in bins_hz:
        f = frequency - (turn_from or 0.0)
        value = np.sum(weighed * np.exp(-2j * np.pi * f * late), axis=-1)
        if turn_from is not None:
            value = value * np.exp(2j * np.pi * turn_from * (tau - phase_zero[:, None]))
        values.append(np.mean(value, axis=0))  # all elements hear all waves here
    return np.array(values).T  # [element][bin]


FD, IQ_FS, DECIMATED = 4.8e6, FS / 2, 2
ZERO = single([0.3e-6, -0.2e-6, 0.1e-6])
out["waves_facts"] = [ELEMENTS, SAMPLES, FS, FC, C, GATE, CENTRE, BANDWIDTH, BINS, FD]
out["waves_angles"] = ANGLES
out["waves_first"] = FIRST
out["waves_zero"] = ZERO
out["waves_elements"] = element_x
out["waves_points"] = POINTS
out["waves_bins"] = bins_hz
out["waves_rf"] = rf
for i, (x, z) in enumerate(POINTS):
    out[f"waves_rf_{i}"] = interleaved(focused(rf, x, z))

# IQ: half the samples, mixed with a phase that is zero at ZERO.
spectrum = np.fft.fft(rf, axis=-1)
spectrum[..., SAMPLES // 2 + 1:] = 0.0
spectrum[..., 1:SAMPLES // 2] *= 2.0
turn = np.exp(-2j * np.pi * FD * (record_t - ZERO[:, None]))[:, None, :]
iq = (np.fft.ifft(spectrum, axis=-1) * turn)[..., ::DECIMATED]
iq = single(iq.real) + 1j * single(iq.imag)
out["waves_iq"] = interleaved(iq)
record_t = record_t[:, ::DECIMATED]
for i, (x, z) in enumerate(POINTS):
    out[f"waves_iq_{i}"] = interleaved(focused(iq, x, z, FD, ZERO))

vectors.write(HERE / "aberration.txt", pathlib.Path(__file__).name, out)
