# SPDX-License-Identifier: GPL-3.0-or-later
"""MUST recordings whose transmits are defined by TXdelay and TXapodization together, for
must_transmits_test.cpp. Echoes of two points are computed for each firing element and added up.

Usage: make_must_transmits.py FOLDER: writes must_*.mat (SciPy) and must_transmits.json there."""
import json
import sys
from pathlib import Path

import numpy as np
from scipy.io import savemat

C, FC, FS, PITCH, N, SAMPLES, T0 = 1540.0, 5e6, 20e6, 0.3e-3, 24, 340, 4e-6
X = (np.arange(N) - (N - 1) / 2) * PITCH
TARGETS = [(-1.5e-3, 8e-3), (1.5e-3, 12e-3)]
PARAM = {"fs": FS, "fc": FC, "pitch": PITCH, "c": C, "t0": T0, "Nelements": float(N)}


def echoes(delays, weights):
    """(samples, elements), t = 0 where the delay is 0."""
    t = T0 + np.arange(SAMPLES)[:, None] / FS
    rf = np.zeros((SAMPLES, N))
    for x, z in TARGETS:
        path = np.hypot(X - x, z) / C
        for e in np.flatnonzero(weights):
            at = t - (delays[e] + path[e] + path[None, :])
            rf += weights[e] * np.exp(-((at * FC * 1.2) ** 2)) * np.cos(2 * np.pi * FC * at)
    return rf


def save(folder, name, delays, apodization, rows=None, rf=None, **more):
    """`delays`, `apodization` (unless None) and `more` as stored in the file; `rows` of (delays, weights) as they really are."""
    if rf is None:
        rf = np.stack([echoes(d, w) for d, w in rows], axis=2)
        rf = np.round(rf * 20000 / np.abs(rf).max())
    fields = PARAM | {"TXdelay": delays} | more
    if apodization is not None:
        fields["TXapodization"] = apodization
    savemat(folder / f"must_{name}.mat", {"RF": rf.astype(np.int16), "param": fields}, do_compression=True)


def one_hot(folder):
    firing = [0, 3, 7, 10, 13, 16, 20, 23]
    weights = np.eye(N)[firing]
    save(folder, "one_hot", np.zeros((1, N)), weights, [(np.zeros(N), w) for w in weights])
    return [{"wave": "element", "x": X[k], "z": 0.0, "first_sample": T0} for k in firing]


def walking(folder, name, width, focus):
    """`width` elements that walk over the array, fired at once or to `focus` in front of them; the
    delays of the others are 0."""
    rows, truth = [], []
    for first in range(0, N - width + 1, 2):
        inside = (np.arange(N) >= first) & (np.arange(N) < first + width)
        middle = X[inside].mean()
        path = np.hypot(X - middle, focus)
        delays = np.where(inside, (path[inside].max() - path) / C, 0.0) if focus else np.zeros(N)
        rows.append((delays, inside.astype(float)))
        lead = (path[inside].max() - np.hypot(middle, focus)) / C if focus else 0.0
        wave = "focused" if focus else "element"
        truth.append({"wave": wave, "x": middle, "z": focus, "first_sample": T0 - lead})
    save(folder, name, np.array([d for d, _ in rows]), np.array([w for _, w in rows]), rows)
    return truth


def apodized_plane(folder):
    rows, truth = [], []
    hann = np.sin(np.pi * (np.arange(N) + 0.5) / N) ** 2
    for angle in np.radians([-10.0, 0.0, 10.0]):
        delays = X * np.sin(angle) / C
        lead = -delays.min()
        rows.append((delays + lead, hann))
        truth.append({"wave": "plane", "angle": angle, "first_sample": T0 - lead})
    save(folder, "apodized_plane", np.array([d for d, _ in rows]), hann[None, :], rows)
    return truth


def stacked(folder):
    """Three planes as PyMUST's users save them: txdelay() returns 1 x N, of which np.array() makes
    3 x 1 x N and an object array a cell; and simus() leaves the delays of its last call in param."""
    rows, truth = [], []
    for angle in np.radians([-8.0, 0.0, 8.0]):
        delays = X * np.sin(angle) / C
        rows.append((delays - delays.min(), np.ones(N)))
        truth.append({"wave": "plane", "angle": angle, "first_sample": T0 + delays.min()})
    lists = [d[None, :] for d, _ in rows]
    cells = np.empty(3, object)
    cells[:] = lists
    save(folder, "stacked", np.array(lists), None, rows)
    save(folder, "cells", cells, None, rows)
    save(folder, "stale", lists[-1], None, rows, TXangle=[t["angle"] for t in truth])
    return truth


def refused(folder):
    zeros, nothing = np.zeros((3, N)), np.zeros((40, N, 3))
    ones = np.ones((3, N))
    silent = ones.copy()
    silent[1] = 0
    save(folder, "silent_transmit", zeros, silent, rf=nothing)
    save(folder, "short_apodization", zeros, ones[:, :7], rf=nothing)
    save(folder, "two_apodizations", zeros, ones[:2], rf=nothing)
    nan = ones.copy()
    nan[2, 4] = np.nan
    save(folder, "nan_apodization", zeros, nan, rf=nothing)
    save(folder, "coded", zeros, ones * np.where(np.arange(N) % 2, 1, -1), rf=nothing)
    inverted = ones.copy()
    inverted[1] = -1
    save(folder, "inverted", zeros, inverted, rf=nothing)


folder = Path(sys.argv[1])
truth = {
    "targets": TARGETS,
    "one_hot": one_hot(folder),
    "walking_focused": walking(folder, "walking_focused", 8, 10e-3),
    "walking_at_once": walking(folder, "walking_at_once", 4, 0.0),
    "apodized_plane": apodized_plane(folder),
}
truth["stacked"] = truth["cells"] = truth["stale"] = stacked(folder)
refused(folder)
(folder / "must_transmits.json").write_text(json.dumps(truth, indent=1) + "\n")
