#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Delay and sum in double precision by NumPy for arrays of every shape, written to arrays.txt
beside it together with the geometries, which tests/gpu/beamform_arrays_test.cpp reads."""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import vectors  # noqa: E402

random = np.random.default_rng(11)
SAMPLES, FS, C, FD = 140, 20e6, 1540.0, 4.5e6
LAMBDA = C / FD
WAVES = {"plane": 0, "diverging": 1, "focused": 2, "element": 3, "none": 4}
# Receive weights over range, [channel][step]: pixels lie before the first and beyond the last step.
TABLE_FIRST, TABLE_STEP, TABLE_STEPS = 1.3e-3, 0.83e-3, 4
tables = np.random.default_rng(5)
out = {}


def transmit(wave, angle=0.0, elevation=0.0, source=(0, 0, 0), origin=(0, 0, 0), first=0.0, weights=None):
    return dict(wave=wave, angle=angle, elevation=elevation, source=np.array(source, float),
                origin=np.array(origin, float), first=first, weights=weights)


def way_of(t, steering):
    a, g = t["angle"], t["elevation"]
    if steering == "tilts":
        return np.array([np.sin(a) * np.cos(g), np.sin(g), np.cos(a) * np.cos(g)])
    v = np.array([np.tan(a), np.tan(g), 1.0])
    return v / np.linalg.norm(v)


def begin_of(case, t):
    """Where the beam of `t` begins: in the middle of the elements that fire, where no place is given. All have weights
    in the file."""
    if t["origin"].any():
        return t["origin"]
    fires = np.ones(len(case["elements"]), bool) if t["weights"] is None else t["weights"] != 0
    return case["elements"][fires].mean(0)


def wave_time(t, p, steering, counts, flat=0.0, begin=np.zeros(3)):
    """Time at which the wave of `t` passes p, 0 at the origin; `counts` drops a coordinate of lines. A focused wave,
    whose beam starts at `begin`, is that of a source `flat` beside its focus along the imaginary axis of its beam."""
    if t["wave"] == "plane":
        return way_of(t, steering) @ p / C
    if t["wave"] == "none":  # the medium sounds everywhere at once
        return 0.0
    s = t["source"]
    away = np.linalg.norm((p - s) * counts)
    if t["wave"] == "diverging":
        return (away - np.linalg.norm(s)) / C
    if t["wave"] == "focused":
        axis = (s - begin) / np.linalg.norm(s - begin)
        along = (p - s) * counts @ axis
        return (np.linalg.norm(s) + np.sign(along) * np.sqrt(away**2 - flat**2 + 2j * along * flat).real) / C
    return away / C


def window_of(name, u):
    if name == "hann":
        return 0.5 + 0.5 * np.cos(np.pi * u)
    if name == "tukey":
        taper = (u - 1 + 0.4) / 0.4
        return 1.0 if taper <= 0 else 0.5 + 0.5 * np.cos(np.pi * taper)
    return 1.0


closest = np.inf


def within(distance, half, window):
    """No pixel may lie so close to an edge that rounding to single precision changes the result."""
    global closest
    if half != np.inf:
        closest = min(closest, abs(distance - half))
    return window_of(window, distance / half) if distance <= half else 0.0


def receive_weight(case, e, p, along=None, start=None):
    """`start`: begin of the beam, for a pixel at the range `along` on a beam of a flat array."""
    elements, f, window = case["elements"], case["f_number"], case.get("window", "rectangular")
    if f == 0:
        w = 1.0
        for axis in (0, 1):
            low, high = elements[:, axis].min(), elements[:, axis].max()
            if high > low:
                half = (high - low) / 2
                w *= window_of(window, min(abs(elements[e, axis] - (high + low) / 2) / half, 1.0))
        return w
    if start is not None and (case["normals"][:, 2] == 1).all():
        return within(abs(elements[e, 0] - start[0]), along / (2 * f), window)
    d = (p - elements[e]) * case["counts"][e]
    axial = d @ case["normals"][e]
    if axial <= 0:
        return 0.0
    return within(np.linalg.norm(d - axial * case["normals"][e]), axial / (2 * f), window)


def share_of(case, t, p):
    """Amplitude of a focused wave as a Gaussian beam; of others 1 where the ray through p, traced back to the flat array,
    starts between the edges of the firing elements, else 0."""
    if t["wave"] == "element":
        return 1.0
    if t["wave"] == "focused":
        return beam_at(case, t, p)
    global closest
    fires = np.ones(len(case["elements"]), bool) if t["weights"] is None else t["weights"] != 0
    way = way_of(t, case["steering"]) if t["wave"] == "plane" else p - t["source"]
    start = p - way * (p[2] / way[2])
    for axis in (0, 1):
        places = case["elements"][fires, axis]
        if places.max() - places.min() < 1e-9:
            continue
        low, high = places.min() - case["pitch"] / 2, places.max() + case["pitch"] / 2
        assert min(abs(start[axis] - low), abs(start[axis] - high)) > 3e-6, "too close to an edge"
        if not low <= start[axis] <= high:
            return 0.0
    return 1.0


def aperture_of(case, t):
    """The edges in x of the elements that fire, and range of the focus over their distance."""
    x = case["elements"][t["weights"] != 0, 0]
    low, high = x.min() - case["pitch"] / 2, x.max() + case["pitch"] / 2
    return low, high, np.linalg.norm(t["source"] - t["origin"]) / (high - low)


def waist_of(case, t):
    return LAMBDA * max(2 / np.pi * aperture_of(case, t)[2], 0.5)


def flat_within(case, t):
    """Rayleigh distance of a beam that is far away as wide as the edges of its aperture are apart."""
    return 2 * aperture_of(case, t)[2] * waist_of(case, t)


def beam_at(case, t, p):
    low, high, _ = aperture_of(case, t)
    # Distances from the lines along which the wave leaves the edges; positive to the right.
    left, right = [np.cross([t["source"][0] - x, t["source"][2]], [x - p[0], -p[2]]) / np.hypot(t["source"][0] - x, t["source"][2])
                   for x in (low, high)]
    half, aside = abs(left - right) / 2, abs(left + right) / 2
    waist = waist_of(case, t)
    width = np.hypot(half, waist)
    assert abs((aside / width) ** 2 - 3) > 1e-3, "too close to the end of a beam"
    return np.sqrt(waist / width) * np.exp(-((aside / width) ** 2)) if aside < np.sqrt(3) * width else 0.0


def linear(line, at):
    n = int(np.floor(at))
    get = lambda i: line[i] if 0 <= i < SAMPLES else 0.0  # noqa: E731
    return (1 - (at - n)) * get(n) + (at - n) * get(n + 1)


def pixel(case, p, only=None, along=None, start=None):
    """`only`: the one transmit that images this pixel; `along`: the pixel's distance along its beam from `start`."""
    depth_or_range = p[2] if along is None else along
    total, weight_sum = 0.0, 0.0
    data = case["data"]
    for i, t in enumerate(case["transmits"]):
        if only is not None and i != only:
            continue
        share = share_of(case, t, p) if case.get("shadow") else 1.0
        if share == 0:
            continue
        if only is None:
            flat = flat_within(case, t) if case.get("shadow") and t["wave"] == "focused" else 0.0
            transmit_time = wave_time(t, p, case["steering"], case["transmit_counts"][i], flat, begin_of(case, t))
        else:  # the wave runs along the line; it passes the line's begin as a plane wave from the beam's origin
            way = t["source"] - t["origin"]
            ahead = (start - t["origin"]) @ way / np.linalg.norm(way)
            transmit_time = wave_time(t, t["origin"], case["steering"], np.ones(3)) + (ahead + along) / C
        for channel in range(data.shape[1]):
            e = case["heard"][i][channel]
            if e < 0:
                continue
            w = share * receive_weight(case, e, p, along, start)
            if "table" in case:
                w *= np.interp(depth_or_range, TABLE_FIRST + TABLE_STEP * np.arange(TABLE_STEPS), case["table"][channel])
            if w == 0:
                continue
            way = (p - case["elements"][e]) * case["counts"][e]
            tau = transmit_time + np.linalg.norm(way) / C
            value = linear(data[i, channel], (tau - t["first"]) * FS)
            if np.iscomplexobj(data):
                value = value * np.exp(2j * np.pi * FD * tau)
            total += w * value
            weight_sum += w
    if case.get("normalize"):
        total = total / weight_sum if weight_sum > 0 else 0.0
    return total


def write_over_range(name, case, image_of):
    """The same recording with weights of its channels over range; `image_of` images it."""
    table = tables.random((case["data"].shape[1], TABLE_STEPS)).astype(np.float32)
    image = image_of({**case, "table": table.astype(float)})
    out[f"{name}.over_range.table"] = table
    out[f"{name}.over_range.image"] = np.stack([image.real, image.imag], -1) if np.iscomplexobj(image) else image


def write(name, case, image):
    n, m = len(case["elements"]), len(case["transmits"])
    complex_ = np.iscomplexobj(image)
    out[f"{name}.elements"] = case["elements"]
    out[f"{name}.normals"] = case["normals"] if case.get("give_normals") else []
    out[f"{name}.long"] = [int(c[0] == 0) + 2 * int(c[1] == 0) for c in case["counts"]]
    out[f"{name}.waves"] = [WAVES[t["wave"]] for t in case["transmits"]]
    out[f"{name}.angles"] = [[t["angle"], t["elevation"]] for t in case["transmits"]]
    out[f"{name}.sources"] = [t["source"] for t in case["transmits"]]
    out[f"{name}.origins"] = [t["origin"] for t in case["transmits"]]
    out[f"{name}.first_us"] = [t["first"] * 1e6 for t in case["transmits"]]
    out[f"{name}.weights"] = [np.ones(n) if t["weights"] is None else t["weights"] for t in case["transmits"]]
    identity = all(list(heard) == list(range(n)) for heard in case["heard"])
    out[f"{name}.heard"] = [] if identity else case["heard"]
    data = case["data"]
    out[f"{name}.data"] = np.stack([data.real, data.imag], -1) if complex_ else data
    out[f"{name}.image"] = np.stack([image.real, image.imag], -1) if complex_ else image
    assert len(case["heard"]) == m and closest > 2e-8, (name, closest)


def complete(case, iq=False):
    n, m = len(case["elements"]), len(case["transmits"])
    case.setdefault("counts", np.ones((n, 3)))
    case.setdefault("normals", np.tile([0.0, 0.0, 1.0], (n, 1)))
    case.setdefault("steering", "tilts")
    case.setdefault("heard", [list(range(n)) for _ in range(m)])
    case.setdefault("transmit_counts", np.ones((m, 3)))
    shape = (m, len(case["heard"][0]), SAMPLES)
    data = random.integers(-99, 100, size=shape).astype(float)
    case["data"] = data + 1j * random.integers(-99, 100, size=shape) if iq else data
    return case


def linear_array(n, pitch):
    return np.array([[(i - (n - 1) / 2) * pitch, 0.0, 0.0] for i in range(n)])


def curved_array(n, pitch, radius):
    angles = (np.arange(n) - (n - 1) / 2) * 2 * np.arcsin(pitch / 2 / radius)
    normals = np.stack([np.sin(angles), 0 * angles, np.cos(angles)], -1)
    apex = np.array([0, 0, -radius * np.cos(angles[-1])])
    return apex + radius * normals, normals, apex


def volume(case, x, y, z):
    return np.array([[[pixel(case, np.array([a, b, c])) for a in x] for c in z] for b in y])


def fan(case, apex, radius, angles, ranges):
    def place(r, a):
        return apex + (radius + r) * np.array([np.sin(a), 0, np.cos(a)])
    return np.array([[pixel(case, place(r, a), along=r, start=place(0, a)) for a in angles] for r in ranges])


def own_lines(case, starts, angles, owners, ranges):
    return np.array([[pixel(case, s + r * np.array([np.sin(a), 0, np.cos(a)]), owner, r, s)
                      for s, a, owner in zip(starts, angles, owners)] for r in ranges])


RANGES = 0.9e-3 + 0.29e-3 * np.arange(13)

# A curved array, all waves, even fan.
elements, normals, apex = curved_array(11, 0.5e-3, 20e-3)
case = complete(dict(elements=elements, normals=normals, pitch=0.5e-3, f_number=1.093, transmits=[
    transmit("diverging", source=(0.4e-3, 0, -3e-3), first=-0.4e-6), transmit("plane", 0.1, first=0.3e-6),
    transmit("element", source=elements[2], first=0.1e-6)]))
write("curved_fan", case, fan(case, apex, 20e-3, np.linspace(-0.12, 0.15, 8), RANGES))
write_over_range("curved_fan", case, lambda case: fan(case, apex, 20e-3, np.linspace(-0.12, 0.15, 8), RANGES))

# The same array, focused beams that walk along the arc, three lines each.
beams = np.array([-0.08, -0.03, 0.02, 0.07])
starts = [apex + 20e-3 * np.array([np.sin(a), 0, np.cos(a)]) for a in beams]
transmits = [transmit("focused", source=s + 4e-3 * (s - apex) / 20e-3, origin=s, first=0.2e-6 * i)
             for i, s in enumerate(starts)]
case = complete(dict(elements=elements, normals=normals, pitch=0.5e-3, f_number=0.0, window="hann", transmits=transmits))
angles = (beams[:, None] + 0.05 * np.array([-1, 0, 1]) / 3).ravel()
write("curved_lines", case, own_lines(case, [apex + 20e-3 * np.array([np.sin(a), 0, np.cos(a)]) for a in angles],
                                      angles, np.repeat(np.arange(4), 3), RANGES))

# A phased array, beams at uneven angles, two lines each.
beams = np.array([-0.5, -0.2, 0.15, 0.45])
transmits = [transmit("focused", source=(5e-3 * np.sin(a), 0, 5e-3 * np.cos(a)), first=0.1e-6 * i) for i, a in enumerate(beams)]
case = complete(dict(elements=linear_array(8, 0.17e-3), pitch=0.17e-3, f_number=0.0, transmits=transmits), iq=True)
steps = np.array([0.3, 0.325, 0.325, 0.3])
angles = (beams[:, None] + steps[:, None] * np.array([-0.25, 0.25])).ravel()
write("phased_lines", case, own_lines(case, np.zeros((8, 3)), angles, np.repeat(np.arange(4), 2), RANGES))
write_over_range("phased_lines", case,
                 lambda case: own_lines(case, np.zeros((8, 3)), angles, np.repeat(np.arange(4), 2), RANGES))

# A linear array whose aperture of five channels walks; lines side by side.
elements = linear_array(9, 0.3e-3)
transmits, heard = [], []
for i in range(4):
    first = [0, 1, 2, 3][i]
    centre = elements[first + 2]
    weights = np.zeros(9)
    weights[first:first + 5] = 1
    transmits.append(transmit("focused", source=centre + [0, 0, 4e-3], origin=centre, first=0.15e-6 * i, weights=weights))
    heard.append(list(range(first, first + 5)))
heard[3][4] = -1
case = complete(dict(elements=elements, pitch=0.3e-3, f_number=0.871, transmits=transmits, heard=heard))
write("linear_lines", case, own_lines(case, [t["origin"] for t in transmits], np.zeros(4), range(4), RANGES))
write_over_range("linear_lines", case,
                 lambda case: own_lines(case, [t["origin"] for t in transmits], np.zeros(4), range(4), RANGES))

# Shadows of sub-apertures, divided by the sum of weights.
weights = [np.ones(9), np.array([0, 0, 1, 1, 1, 1, 0, 0, 0.]), np.array([0, 1, 1, 1, 1, 1, 0, 0, 0.]), np.ones(9)]
case = complete(dict(elements=elements, pitch=0.3e-3, f_number=0.871, shadow=True, normalize=True, transmits=[
    transmit("plane", 0.2, weights=weights[0]), transmit("diverging", source=(0.1e-3, 0, -2e-3), weights=weights[1]),
    transmit("focused", source=(-0.2e-3, 0, 3.09e-3), origin=(-0.3e-3, 0, 0), first=0.3e-6, weights=weights[2]),
    transmit("element", source=elements[4])]))
x, z = -2.053e-3 + 0.37e-3 * np.arange(12), 0.86e-3 + 0.31e-3 * np.arange(14)
write("shadow", case, volume(case, x, [0.0], z)[0])
write_over_range("shadow", case, lambda case: volume(case, x, [0.0], z)[0])

# A matrix array with a gap, both meanings of two angles.
rows, columns = np.array([-0.45e-3, -0.15e-3, 0.25e-3]), np.array([-0.45e-3, -0.15e-3, 0.15e-3, 0.45e-3])
elements = np.array([[x, y, 0.0] for y in rows for x in columns])
x, y = -0.8e-3 + 0.27e-3 * np.arange(7), -0.7e-3 + 0.36e-3 * np.arange(5)
z = 1.03e-3 + 0.41e-3 * np.arange(8)
planes = [transmit("plane", 0.2, -0.15), transmit("plane", -0.1, 0.25, first=0.2e-6)]
others = [transmit("diverging", source=(0.1e-3, -0.2e-3, -2e-3), first=-0.3e-6),
          transmit("focused", source=(0.2e-3, 0.1e-3, 3.13e-3), first=0.1e-6), transmit("element", source=elements[4])]
case = complete(dict(elements=elements, pitch=0.3e-3, f_number=0.877, window="tukey", transmits=planes + others), iq=True)
write("matrix_tilts", case, volume(case, x, y, z))
write_over_range("matrix_tilts", case, lambda case: volume(case, x, y, z))
case = complete(dict(elements=elements, pitch=0.3e-3, f_number=0.0, window="hann", steering="projections", transmits=planes))
write("matrix_projections", case, volume(case, x, y, z))

# Rows and columns: columns (long in y) fire in x-z while rows listen, and the other way round.
columns = np.array([[u, 0, 0] for u in -0.6e-3 + 0.3e-3 * np.arange(5)])
rows = columns[:, [1, 0, 2]]
counts = np.array([[1, 0, 1]] * 5 + [[0, 1, 1]] * 5, float)
fires = [np.repeat([1.0, 0.0], 5), np.repeat([1.0, 0.0], 5), np.repeat([0.0, 1.0], 5)]
case = complete(dict(elements=np.concatenate([columns, rows]), counts=counts, pitch=0.3e-3, f_number=0.877,
                     heard=[[5, 6, 7, 8, 9]] * 2 + [[0, 1, 2, 3, 4]], transmit_counts=[[1, 0, 1], [1, 0, 1], [0, 1, 1]],
                     transmits=[transmit("plane", 0.25, weights=fires[0]),
                                transmit("diverging", source=(0.2e-3, 0, -1.5e-3), first=-0.1e-6, weights=fires[1]),
                                transmit("plane", 0.0, -0.2, first=0.2e-6, weights=fires[2])]))
write("row_column", case, volume(case, x, y, z))
write_over_range("row_column", case, lambda case: volume(case, x, y, z))

# Elements anywhere.
elements = np.array([[-0.7e-3, 0.2e-3, 0.1e-3], [0.5e-3, -0.6e-3, 0.0], [0.1e-3, 0.4e-3, -0.2e-3], [0.6e-3, 0.5e-3, 0.3e-3]])
normals = np.array([[0.3, -0.1, 1.0], [-0.2, 0.3, 1.0], [0.0, -0.2, 1.0], [-0.3, -0.3, 1.0]])
normals /= np.linalg.norm(normals, axis=1)[:, None]
case = complete(dict(elements=elements, normals=normals, give_normals=True, pitch=0.3e-3, f_number=0.613, window="hann",
                     transmits=[transmit("element", source=e, first=0.1e-6) for e in elements]))
write("anywhere", case, volume(case, x, y, z))

# A phased array whose aperture grows with range: an even fan of all waves, and lines of one transmit each.
elements = linear_array(10, 0.17e-3)
case = complete(dict(elements=elements, pitch=0.17e-3, f_number=1.37, window="hann", transmits=[
    transmit("diverging", source=(0.3e-3, 0, -2e-3), first=-0.3e-6), transmit("plane", 0.2, first=0.1e-6)]), iq=True)
write("phased_fan", case, fan(case, np.zeros(3), 0.0, np.linspace(-0.6, 0.55, 8), RANGES))
write_over_range("phased_fan", case, lambda case: fan(case, np.zeros(3), 0.0, np.linspace(-0.6, 0.55, 8), RANGES))
beams = np.array([-0.6, -0.25, 0.1, 0.5])
steps = np.array([0.35, 0.35, 0.375, 0.4])
transmits = [transmit("focused", source=(5e-3 * np.sin(a), 0, 5e-3 * np.cos(a)), first=0.1e-6 * i) for i, a in enumerate(beams)]
case = complete(dict(elements=elements, pitch=0.17e-3, f_number=1.37, transmits=transmits))
angles = (beams[:, None] + steps[:, None] * np.array([-0.25, 0.25])).ravel()
write("expanding_lines", case, own_lines(case, np.zeros((8, 3)), angles, np.repeat(np.arange(4), 2), RANGES))
write_over_range("expanding_lines", case,
                 lambda case: own_lines(case, np.zeros((8, 3)), angles, np.repeat(np.arange(4), 2), RANGES))



def blend_weights(case, owners, focal, place):
    """What the beams `owners` give to a line that passes `place` at their focal range (see beamform_blend.hpp)."""
    elements, lambda_ = case["elements"], C / FD
    foci = np.array([case["transmits"][i]["source"] for i in owners])
    t = case["transmits"][focal]
    way = (t["source"] - t["origin"]) / np.linalg.norm(t["source"] - t["origin"])
    fires = elements if t["weights"] is None else elements[t["weights"] != 0]
    span = fires[-1] - fires[0]
    aperture = abs(span[0] * way[2] - span[2] * way[0]) * (1 + case["pitch"] / np.linalg.norm(span))
    range_ = np.linalg.norm(t["source"] - t["origin"])
    like = lambda d: np.sinc(d * aperture / (lambda_ * range_))  # noqa: E731
    matrix = like(np.linalg.norm(foci[:, None] - foci[None], axis=-1))
    weights = np.linalg.solve(matrix + 1e-3 * np.eye(len(foci)), like(np.linalg.norm(foci - place, axis=-1)))
    return weights / np.sqrt(weights @ matrix @ weights)


def blended_lines(case, starts, angles, gaps, ranges):
    """Lines in the gaps between beams, each a sum of the four beams around it."""
    image = 0
    count = len(case["transmits"])
    for k in range(4):
        columns = []
        for s, a, gap in zip(starts, angles, gaps):
            first = min(max(gap - 1, 0), count - 4)
            focal = min(max(gap + 1, first), first + 3)
            range_ = np.linalg.norm(case["transmits"][focal]["source"] - case["transmits"][focal]["origin"])
            u = np.array([np.sin(a), 0, np.cos(a)])
            weight = blend_weights(case, range(first, first + 4), focal, s + range_ * u)[k]
            columns.append([weight * pixel(case, s + r * u, first + k, r, s) for r in ranges])
        image = image + np.array(columns).T
    return image


# Lines between the beams of a phased and of a curved array, each from four beams.
beams = np.array([-0.42, -0.31, -0.18, -0.06, 0.05, 0.17])
transmits = [transmit("focused", source=(5e-3 * np.sin(a), 0, 5e-3 * np.cos(a)), first=0.1e-6 * i) for i, a in enumerate(beams)]
case = complete(dict(elements=linear_array(10, 0.17e-3), pitch=0.17e-3, f_number=1.37, transmits=transmits), iq=True)
parts = np.array([0.25, 0.75])
angles = (beams[:-1, None] + np.diff(beams)[:, None] * parts).ravel()
write("blended_phased_lines", case, blended_lines(case, np.zeros((10, 3)), angles, np.repeat(np.arange(5), 2), RANGES))
elements, normals, apex = curved_array(11, 0.5e-3, 20e-3)
beams = np.array([-0.09, -0.05, -0.02, 0.02, 0.07])
starts = [apex + 20e-3 * np.array([np.sin(a), 0, np.cos(a)]) for a in beams]
transmits = [transmit("focused", source=s + 4e-3 * (s - apex) / 20e-3, origin=s, first=0.1e-6 * i,
                      weights=np.eye(11)[i:i + 7].sum(0)) for i, s in enumerate(starts)]
case = complete(dict(elements=elements, normals=normals, pitch=0.5e-3, f_number=0.0, window="hann", transmits=transmits))
parts = np.array([1, 3, 5]) / 6
angles = (beams[:-1, None] + np.diff(beams)[:, None] * parts).ravel()
write("blended_curved_lines", case, blended_lines(case, [apex + 20e-3 * np.array([np.sin(a), 0, np.cos(a)]) for a in angles],
                                            angles, np.repeat(np.arange(4), 3), RANGES))

# Nothing is sent: sound travels one way, to a linear array, a curved one, and a ring round the image.
case = complete(dict(elements=linear_array(9, 0.3e-3), pitch=0.3e-3, f_number=0.871, transmits=[transmit("none", first=0.3e-6)]))
write("one_way_linear", case, volume(case, -1.053e-3 + 0.37e-3 * np.arange(7), [0.0], 0.86e-3 + 0.31e-3 * np.arange(14))[0])
elements, normals, apex = curved_array(11, 0.5e-3, 20e-3)
case = complete(dict(elements=elements, normals=normals, pitch=0.5e-3, f_number=1.093, transmits=[
    transmit("none", first=-0.2e-6)]), iq=True)
write("one_way_curved_fan", case, fan(case, apex, 20e-3, np.linspace(-0.12, 0.15, 8), RANGES))
turns = 2 * np.pi * np.arange(16) / 16
normals = -np.stack([np.sin(turns), 0 * turns, np.cos(turns)], -1)
for name, f_number, iq in (("one_way_ring", 0.0, True), ("one_way_ring_faces", 0.531, False)):
    case = complete(dict(elements=np.array([0, 0, 3e-3]) - 3e-3 * normals, normals=normals, give_normals=True, pitch=1.17e-3,
                         f_number=f_number, transmits=[transmit("none", first=0.1e-6)]), iq=iq)
    write(name, case, volume(case, -2.113e-3 + 0.41e-3 * np.arange(11), [0.0], 0.93e-3 + 0.39e-3 * np.arange(12))[0])

vectors.write(HERE / "arrays.txt", "make_array_vectors.py", out)
