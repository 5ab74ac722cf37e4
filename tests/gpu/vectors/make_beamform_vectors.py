#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Delay and sum in double precision by NumPy, and apodization windows by SciPy, written to
beamform.txt beside it. The geometry is repeated in tests/gpu/beamform_reference_test.cpp."""

import pathlib
import sys

import numpy as np
from scipy import signal
from scipy.interpolate import lagrange

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(22)
ELEMENTS, SAMPLES, FS, C, FD = 11, 160, 20e6, 1540.0, 4.5e6
ELEMENT_X = (np.arange(ELEMENTS) - (ELEMENTS - 1) / 2) * 0.3e-3
# kind, angle or (x, z) of the source, time of sample 0, time of the mixer's phase zero
TRANSMITS = [("plane", 0.15, 0.0, 0.0), ("plane", -0.2, 1.1e-6, 0.3e-6),
             ("diverging", (0.4e-3, -3e-3), -0.5e-6, 0.1e-6), ("focused", (0.2e-3, 4e-3), 0.4e-6, 0.0),
             ("element", (-0.9e-3, 0.0), 0.2e-6, -0.7e-6)]
F_NUMBER = 1.037
X = -1.3e-3 + 0.2e-3 * np.arange(13)
Z = 1e-3 + 0.37e-3 * np.arange(19)  # the deepest rows lie beyond the record

# No element may lie so close to the edge of an aperture that rounding to single precision changes the result.
edge = np.abs(np.abs(ELEMENT_X[None, None] - X[None, :, None]) - Z[:, None, None] / (2 * F_NUMBER))
assert edge.min() > 1e-7


def transmit_time(transmit, x, z):
    kind, place = transmit[:2]
    if kind == "plane":
        return (x * np.sin(place) + z * np.cos(place)) / C
    away = np.hypot(x - place[0], z - place[1])
    source_range = np.hypot(*place)
    if kind == "diverging":
        return (away - source_range) / C
    if kind == "focused":
        before = (x - place[0]) * place[0] + (z - place[1]) * place[1] < 0
        return (source_range + np.where(before, -away, away)) / C
    return away / C


def sample(line, n):
    return line[n] if 0 <= n < SAMPLES else 0.0


def nearest(line, at):
    return sample(line, int(np.floor(at + 0.5)))


def linear(line, at):
    n = int(np.floor(at))
    return (1 - (at - n)) * sample(line, n) + (at - n) * sample(line, n + 1)


def lagrange_of(order):
    taps = np.arange(order + 1)
    basis = [lagrange(taps, np.eye(order + 1)[j]) for j in taps]

    def interpolate(line, at):
        first = int(np.floor(at + 0.5 if order % 2 == 0 else at)) - order // 2
        return sum(basis[j](at - first) * sample(line, first + j) for j in taps)
    return interpolate


def sinc_of(count):
    def interpolate(line, at):
        first = int(np.floor(at)) - count // 2 + 1
        return sum(np.sinc(at - n) * sample(line, n) for n in range(first, first + count))
    return interpolate


def window_of(name, alpha, u):
    if name == "hann":
        return 0.5 + 0.5 * np.cos(np.pi * u)
    if name == "hamming":
        return 0.54 + 0.46 * np.cos(np.pi * u)
    if name == "tukey":
        taper = (abs(u) - 1 + alpha) / alpha
        return 1.0 if taper <= 0 else 0.5 + 0.5 * np.cos(np.pi * taper)
    if name == "gaussian":  # sigma^2 = 1/2 half apertures
        return np.exp(-0.5 * u**2 / 0.5)
    return 1.0


# Receive weights over depth, [channel][step]: rows lie before the first and beyond the last step.
TABLE_FIRST, TABLE_STEP, TABLE_STEPS = 2.2e-3, 0.9e-3, 5
table = np.random.default_rng(5).random((ELEMENTS, TABLE_STEPS)).astype(np.float32)
table[3, 2] = 0.0


def image(data, interpolate=linear, f_number=F_NUMBER, window="rectangular", t0=0.0, mask=None,
          weights=None, coherence=False, incoherent=False, over_range=None, back_alone=False):
    iq = np.iscomplexobj(data)
    out = np.zeros((len(Z), len(X)), dtype=complex if iq else float)
    for row, z in enumerate(Z):
        for column, x in enumerate(X):
            total, power, weight_sum, magnitudes = 0.0, 0.0, 0.0, 0.0
            for t, transmit in enumerate(TRANSMITS):
                if mask is not None and not mask[t]:
                    continue
                one = 0.0
                for e, element in enumerate(ELEMENT_X):
                    half = z / (2 * f_number) if f_number > 0 else ELEMENT_X[-1] + 1e-9
                    offset = element - x if f_number > 0 else element
                    if abs(offset) > half:
                        continue
                    w = window_of(window, 0.4, offset / half)
                    w *= 1.0 if weights is None else weights[t, e]
                    if over_range is not None:
                        w *= np.interp(z, TABLE_FIRST + TABLE_STEP * np.arange(TABLE_STEPS), over_range[e])
                    back = np.hypot(x - element, z) / C
                    tau = (back if back_alone else transmit_time(transmit, x, z)) + back + t0
                    value = interpolate(data[t, e], (tau - transmit[2]) * FS)
                    if iq:
                        value = value * np.exp(2j * np.pi * FD * (tau - transmit[3]))
                    one += w * value
                    power += w * abs(value) ** 2
                    weight_sum += w
                total += one
                magnitudes += abs(one)
            if coherence and power > 0:
                total *= abs(total) ** 2 / (weight_sum * power)
            out[row, column] = magnitudes if incoherent else total
    return np.stack([out.real, out.imag], axis=-1) if iq else out


shape = (len(TRANSMITS), ELEMENTS, SAMPLES)
rf = random.integers(-99, 100, size=shape).astype(np.float32)
iq = random.integers(-99, 100, size=shape) + 1j * random.integers(-99, 100, size=shape)
weights = random.integers(0, 3, size=shape[:2]).astype(np.float32)
out = {"rf": rf, "iq": np.stack([iq.real, iq.imag], axis=-1), "weights": weights}
rf, iq = rf.astype(float), iq.astype(complex)

out["linear"] = image(rf)
out["nearest"] = image(rf, nearest)
for order in range(1, 6):
    out[f"lagrange_{order}"] = image(rf, lagrange_of(order))
out["sinc_8"] = image(rf, sinc_of(8))
for window in ("hann", "hamming", "tukey", "gaussian"):
    out[window] = image(rf, window=window)
out["iq_gaussian"] = image(iq, window="gaussian")
out["full_hann"] = image(rf, f_number=0.0, window="hann")
out["offset_0.23us"] = image(rf, t0=0.23e-6)
out["masked_01001"] = image(rf, mask=[0, 1, 0, 0, 1])
out["weighted"] = image(rf, weights=weights)
out["coherence"] = image(rf, coherence=True)
out["iq_linear"] = image(iq)
out["iq_sinc_8"] = image(iq, sinc_of(8))
out["iq_coherence"] = image(iq, coherence=True)
out["iq_incoherent"] = image(iq, incoherent=True)
out["back"] = image(rf, t0=0.23e-6, back_alone=True)
out["iq_back"] = image(iq, back_alone=True)
# Van Bavel 2013, Eq. 2.3 and 2.4, with a column per channel and a row per sample: distances in samples of two ways
# are the addresses.
across = (ELEMENT_X[:, None] - ELEMENT_X[None, :]) * 2 * FS / C
address = np.sqrt(np.arange(SAMPLES)[:, None, None] ** 2 + across[None] ** 2)  # [row][column][channel]
assert np.abs(address % 1 - 0.5).min() > 1e-4
address = np.floor(address + 0.5).astype(int)
heard = rf[0][np.arange(ELEMENTS), np.minimum(address, SAMPLES - 1)]
out["back_data"] = np.where(address < SAMPLES, heard, 0.0).sum(axis=-1)
for t in range(3):  # what one transmit adds to the sum
    alone = [other == t for other in range(len(TRANSMITS))]
    out[f"transmit_{t}"] = image(rf, mask=alone, weights=weights)
    out[f"iq_transmit_{t}"] = image(iq, mask=alone)
for e in (0, 5, 10):  # what one element adds to the sum
    alone = np.tile(np.arange(ELEMENTS) == e, (len(TRANSMITS), 1))
    out[f"element_{e}"] = image(rf, weights=weights * alone)
    out[f"iq_element_{e}"] = image(iq, weights=1.0 * alone)

out["over_range.table"] = table
table = table.astype(float)
out["over_range"] = image(rf, weights=weights, over_range=table)
out["over_range_hann"] = image(rf, window="hann", over_range=table)
out["iq_over_range"] = image(iq, over_range=table)
out["iq_over_range_coherence"] = image(iq, coherence=True, over_range=table)
out["over_range_transmit_1"] = image(rf, mask=[0, 1, 0, 0, 0], weights=weights, over_range=table)
for e in (3, 6):
    alone = np.tile(np.arange(ELEMENTS) == e, (len(TRANSMITS), 1))
    out[f"over_range_element_{e}"] = image(rf, weights=weights * alone, over_range=table)

for name, window in (("hann", "hann"), ("hamming", "hamming"), ("tukey", ("tukey", 0.4)),
                     ("rectangular", "boxcar"), ("gaussian", ("gaussian", 5 * np.sqrt(0.5)))):
    out[f"window_{name}"] = signal.get_window(window, 11, fftbins=False)

vectors.write(HERE / "beamform.txt", "make_beamform_vectors.py", out)
