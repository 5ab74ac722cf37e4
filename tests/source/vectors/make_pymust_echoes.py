# SPDX-License-Identifier: GPL-3.0-or-later
"""Echoes of one point by PyMUST (pip install pymust; made with 0.1.9), for pymust_echoes_test.cpp:
the time and amplitude of the largest echo in each element of a linear or curved array.

Usage: make_pymust_echoes.py > pymust_echoes.txt

Per case a line "NAME elements pitch radius width wave first count sx sz px pz fc bandwidth", with
lengths in m, radius 0 for a linear array, `count` elements firing from `first` on, the focus or
virtual source s, the point p, and the centre frequency (Hz) and the -6 dB bandwidth (of it) of
PyMUST's two-way pulse; then a line per element, "time amplitude": the time of the envelope's
largest value in s after the wavefront crosses the origin, and that value divided by the largest one."""
import numpy as np
import pymust
from scipy.signal import hilbert, resample

C, FC = 1540.0, 5e6


def probe(elements, pitch, radius, width):
    param = pymust.utils.Param()
    param.fc, param.c, param.fs = FC, C, 4 * FC
    param.bandwidth = 75
    param.Nelements, param.pitch, param.width = elements, pitch, width
    param.radius = radius if radius > 0 else np.inf
    return param


def two_way_band(param):
    """Centre and relative width between the half-amplitude points of the pulse-echo spectrum."""
    f = np.linspace(0.0, 2 * FC, 20001)
    spectrum = np.abs(param.getPulseSpectrumFunction()(2 * np.pi * f)
                      * param.getProbeFunction()(2 * np.pi * f) ** 2)
    above = f[spectrum > 0.5 * spectrum.max()]
    centre = 0.5 * (above[0] + above[-1])
    return centre, (above[-1] - above[0]) / centre


def case(name, elements, pitch, radius, width, wave, first, count, source, point):
    param = probe(elements, pitch, radius, width)
    xe, ze = (a.ravel() for a in param.getElementPositions()[:2])
    sx, sz = source
    away, there = np.hypot(xe - sx, ze - sz), np.hypot(sx, sz)
    firing = (there - away if wave == "focused" else away - there) / C
    fires = np.zeros(elements, bool)
    fires[first:first + count] = True
    start = firing[fires].min()
    delays = np.where(fires, firing - start, 0.0)[None, :]
    param.TXapodization = fires.astype(float)[None, :]
    x, z = np.array([[point[0]]]), np.array([[point[1]]])
    options = pymust.utils.Options()
    options.dBThresh = -100
    rf = pymust.simus(x, z, np.ones((1, 1)), delays, param, options)[0]
    fine = 64
    envelope = np.abs(hilbert(resample(rf, fine * len(rf), axis=0), axis=0))
    times = envelope.argmax(axis=0) / (4 * FC * fine) + start
    strengths = envelope.max(axis=0) / envelope.max()
    centre, band = two_way_band(param)
    print(name, elements, pitch, radius, width, wave, first, count, sx, sz, *point,
          f"{centre:.6g} {band:.5g}")
    for t, a in zip(times, strengths):
        print(f"{t:.10g} {a:.5g}")


def main():
    linear = (48, 0.3e-3, 0.0, 0.27e-3)
    curved = (48, 0.4e-3, 40e-3, 0.36e-3)
    case("linear_at_focus", *linear, "focused", 8, 32, (0.0, 20e-3), (0.0, 20e-3))
    case("linear_beyond_focus", *linear, "focused", 8, 32, (0.0, 20e-3), (0.3e-3, 27e-3))
    case("linear_beside_focus", *linear, "focused", 4, 24, (-1.2e-3, 18e-3), (-0.9e-3, 18e-3))
    case("linear_diverging", *linear, "diverging", 0, 48, (1e-3, -6e-3), (2e-3, 22e-3))
    case("curved_at_focus", *curved, "focused", 12, 24, (0.0, 25e-3), (0.0, 25e-3))
    case("curved_beyond_focus", *curved, "focused", 12, 24, (0.0, 25e-3), (-0.4e-3, 33e-3))
    case("curved_diverging", *curved, "diverging", 0, 48, (0.0, -12e-3), (3e-3, 24e-3))


main()
