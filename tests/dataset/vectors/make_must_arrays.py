# SPDX-License-Identifier: GPL-3.0-or-later
"""MUST recordings for must_arrays_test.cpp: walking apertures that the array's end cuts off, a curved
and a matrix array. Echoes of points are computed for each firing element and added up.

Usage: make_must_arrays.py FOLDER: writes must_*.mat (SciPy) and must_arrays.json there."""
import json
import sys
from pathlib import Path

import numpy as np
from scipy.io import savemat

C, FC, FS, PITCH, N, T0 = 1540.0, 5e6, 20e6, 0.3e-3, 32, 6e-6
PARAM = {"fs": FS, "fc": FC, "c": C, "t0": T0, "bandwidth": 60.0}


def linear():
    x = (np.arange(N) - (N - 1) / 2) * PITCH
    return np.stack([x, 0 * x, 0 * x], 1)


def curved(radius):
    """Elements as in MUST: the ends of the arc at z = 0."""
    angle = 2 * np.arcsin(PITCH / 2 / radius) * (np.arange(N) - (N - 1) / 2)
    return np.stack([radius * np.sin(angle), 0 * angle, radius * (np.cos(angle) - np.cos(angle[0]))], 1)


def echoes(elements, delays, targets, samples):
    """[sample][element], t = 0 where the delay is 0; NaN: the element is silent."""
    t = T0 + np.arange(samples)[:, None] / FS
    rf = np.zeros((samples, len(elements)))
    for target in targets:
        path = np.linalg.norm(elements - np.array(target), axis=1) / C
        for e in np.flatnonzero(~np.isnan(delays)):
            at = t - (delays[e] + path[e] + path[None, :])
            rf += np.exp(-((at * FC * 1.2) ** 2)) * np.cos(2 * np.pi * FC * at)
    return rf


def save(folder, name, places, rows, targets, samples, **fields):
    """`rows` of ideal delays about the origin, NaN where silent. Returns the first samples."""
    delays = np.array([row - np.nanmin(row) for row in rows])
    rf = np.stack([echoes(places, d, targets, samples) for d in delays], 2)
    rf = np.round(rf * 3000 / np.abs(rf).max())
    param = PARAM | {"TXdelay": delays} | fields
    savemat(folder / f"must_{name}.mat", {"RF": rf.astype(np.int16), "param": param}, do_compression=True)
    return [T0 + float(np.nanmin(row)) for row in rows]


def distances(elements, point):
    return np.linalg.norm(elements - np.array(point), axis=1)


def plane(elements, x, y=0.0):
    """Direction tilted by x in the x-z plane, then out of it by y. rad"""
    return elements @ np.array([np.sin(x) * np.cos(y), np.sin(y), np.cos(x) * np.cos(y)]) / C


def diverging(elements, source):
    return (distances(elements, source) - np.linalg.norm(source)) / C


def focused(elements, focus):
    return (np.linalg.norm(focus) - distances(elements, focus)) / C


def silenced(delays, fires):
    return np.where(fires, delays, np.nan)


def walking(folder, name, elements, origins, foci, targets, apodized, **fields):
    """The 11 or 12 elements nearest to each origin, as far as they exist."""
    rows = []
    for origin, focus in zip(origins, foci):
        middle = np.interp(origin[0], elements[:, 0], np.arange(N))
        fires = np.abs(np.arange(N) - np.round(middle * 2) / 2) <= 5.75
        rows.append(silenced(focused(elements, focus), fires))
    if apodized:
        fields["TXapodization"] = np.array([~np.isnan(row) for row in rows], float)
    first = save(folder, name, elements, rows, targets, 340, **fields)
    return {
        "targets": targets,
        "transmits": [
            {"wave": "focused", "source": list(f), "origin": list(o), "first_sample": t,
             "firing": int(np.sum(~np.isnan(row)))}
            for f, o, t, row in zip(foci, origins, first, rows)
        ],
    }


def walking_linear(folder):
    x = np.linspace(-4.2e-3, 4.2e-3, 11)
    origins = [(float(v), 0.0, 0.0) for v in x]
    foci = [(float(v), 0.0, 8e-3) for v in x]
    targets = [(float(x[1]), 0.0, 7.2e-3), (float(x[6]), 0.0, 9e-3)]
    return walking(folder, "walking_edges", linear(), origins, foci, targets, False, pitch=PITCH)


def walking_steered(folder):
    x, a = np.linspace(-4.2e-3, 4.2e-3, 11), np.radians(12.0)
    origins = [(float(v), 0.0, 0.0) for v in x]
    foci = [(float(v + 8e-3 * np.sin(a)), 0.0, float(8e-3 * np.cos(a))) for v in x]
    targets = [(float(x[5] + 9e-3 * np.sin(a)), 0.0, float(9e-3 * np.cos(a)))]
    return walking(folder, "walking_steered", linear(), origins, foci, targets, False, pitch=PITCH)


def walking_curved(folder):
    radius = 20e-3
    elements = curved(radius)
    angles = np.linspace(-0.22, 0.22, 11)
    middle = elements[:, 2].max()
    behind = radius * np.cos(np.arcsin(elements[0, 0] / radius))  # the arc's centre, above 0

    def on_ray(angle, far):
        return (float((radius + far) * np.sin(angle)), 0.0, float((radius + far) * np.cos(angle) - behind))

    assert abs(on_ray(0, 0)[2] - middle) < 1e-5
    origins = [on_ray(a, 0.0) for a in angles]
    foci = [on_ray(a, 8e-3) for a in angles]
    targets = [on_ray(angles[1], 7.2e-3), on_ray(angles[6], 9e-3)]
    return walking(folder, "walking_curved", elements, origins, foci, targets, True, pitch=PITCH, radius=radius)


def curved_waves(folder):
    radius = 15e-3
    elements = curved(radius)
    tilt = np.radians(8.0)
    focus, source = (2e-3, 0.0, 10e-3), (-2e-3, 0.0, -16e-3)
    rows = [
        focused(elements, focus),
        diverging(elements, source),
        silenced(plane(elements, tilt), np.arange(N) >= 8),
        diverging(elements, (0.0, 0.0, -radius * np.cos(np.arcsin(elements[0, 0] / radius)))),
    ]
    targets = [(1.5e-3, 0.0, 8e-3), (-1e-3, 0.0, 11e-3)]
    first = save(folder, "curved_waves", elements, rows, targets, 340, pitch=PITCH, radius=radius)
    return {
        "targets": targets,
        "transmits": [
            {"wave": "focused", "source": focus, "first_sample": first[0]},
            {"wave": "diverging", "source": source, "first_sample": first[1]},
            {"wave": "plane", "angle": tilt, "elevation": 0.0, "first_sample": first[2]},
            {"wave": "diverging", "first_sample": first[3],
             "source": (0.0, 0.0, -radius * np.cos(np.arcsin(elements[0, 0] / radius)))},
        ],
    }


def matrix_waves(folder):
    at = (np.arange(8) - 3.5) * PITCH
    y, x = np.meshgrid(at, at, indexing="ij")
    elements = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], 1)
    tilts = [(0.1, 0.0), (0.0, -0.12), (-0.08, 0.09)]
    source, focus = (0.4e-3, -0.5e-3, -3e-3), (-0.5e-3, 0.6e-3, 9e-3)
    rows = [plane(elements, *tilt) for tilt in tilts]
    rows += [diverging(elements, source), focused(elements, focus)]
    targets = [(0.8e-3, -0.6e-3, 7e-3)]
    first = save(folder, "matrix_waves", elements, rows, targets, 180, elements=elements[:, :2].T, width=0.25e-3)
    return {
        "targets": targets,
        "transmits": [
            {"wave": "plane", "angle": a, "elevation": g, "first_sample": t} for (a, g), t in zip(tilts, first)
        ] + [
            {"wave": "diverging", "source": source, "first_sample": first[3]},
            {"wave": "focused", "source": focus, "first_sample": first[4]},
        ],
    }


folder = Path(sys.argv[1])
truth = {
    "walking_edges": walking_linear(folder),
    "walking_steered": walking_steered(folder),
    "walking_curved": walking_curved(folder),
    "curved_waves": curved_waves(folder),
    "matrix_waves": matrix_waves(folder),
}
(folder / "must_arrays.json").write_text(json.dumps(truth, indent=1) + "\n")
