# SPDX-License-Identifier: GPL-3.0-or-later
"""UFF files of USTB as pyuff_ustb (3.0) writes them, for uff_test.cpp. The echoes of their point targets
are computed here in closed form.

A sample is taken at (path/c + |p - e|/c - delay - initial_time) fs, where USTB's path is
  plane      z cos az cos el + x sin az cos el + y sin el
  spherical  +-|p - s| (- above the depth of s) - |s| where s.z < -1 mm, else + |s|.

Usage: make_uff_files.py FOLDER [--all]   (pip install pyuff_ustb h5py)
Without --all it writes only the committed files, with their arrays deflated to be small."""

import sys
from pathlib import Path

import h5py
import numpy as np
import pyuff_ustb as pyuff

C, F0, FS, INITIAL, SAMPLES = 1540.0, 5e6, 20e6, 9e-6, 220
SIGMA = 2.355 / (2 * np.pi * 0.6 * F0)  # of the pulse: 60 % bandwidth at -6 dB
TARGETS = [(-2e-3, 0.0, 9e-3, 1.0), (1.5e-3, 0.0, 12e-3, 0.7)]  # x, y, z in m, amplitude


def point(x=0.0, y=0.0, z=0.0):
    p = pyuff.Point(distance=0.0, azimuth=0.0, elevation=0.0)
    p.xyz = (x, y, z)
    return p


def wave_of(probe, delay=0.0, plane=None, source=None, **more):
    return pyuff.Wave(
        wavefront=pyuff.Wavefront.plane if plane is not None else pyuff.Wavefront.spherical,
        source=(
            pyuff.Point(distance=np.inf, azimuth=plane[0], elevation=plane[1])
            if plane is not None
            else point(*source)
        ),
        origin=more.get("origin", pyuff.Point(distance=0.0, azimuth=0.0, elevation=0.0)),
        apodization=more.get("apodization"),
        delay=delay,
        sound_speed=C,
    )


def path_of(wave, p):
    az, el = wave.source.azimuth, wave.source.elevation
    if np.isinf(wave.source.distance):
        return p[2] * np.cos(az) * np.cos(el) + p[0] * np.sin(az) * np.cos(el) + p[1] * np.sin(el)
    s = wave.source.xyz
    away, home = np.linalg.norm(p - s), np.linalg.norm(s)
    return (-away if p[2] < s[2] else away) + (-home if s[2] < -1e-3 else home)


def echoes(probe, waves, iq, targets):
    """[time][channel][wave]"""
    places = probe.geometry.reshape(7, -1)[:3].T
    data = np.zeros((SAMPLES, len(places), len(waves)), complex)
    n = np.arange(SAMPLES) / FS
    for w, wave in enumerate(waves):
        for *p, amplitude in targets:
            p = np.array(p)
            tau = (path_of(wave, p) + np.linalg.norm(places - p, axis=1)) / C  # USTB's clock
            on_file = tau - wave.delay
            t = INITIAL + n[:, None] - on_file[None, :]
            carrier = np.exp(-2j * np.pi * F0 * on_file)[None, :] if iq else np.exp(2j * np.pi * F0 * t)
            data[:, :, w] += amplitude * np.exp(-0.5 * (t / SIGMA) ** 2) * carrier
    data[np.abs(data) < 1e-6] = 0
    return data.astype(np.complex64) if iq else data.real.astype(np.float32)


def channel_data(probe, waves, iq=False, targets=TARGETS, frames=1, **more):
    data = echoes(probe, waves, iq, targets)
    if frames > 1:
        data = np.stack([data * (1 + 0.5 * f) for f in range(frames)], -1)
    return pyuff.ChannelData(
        data=data,
        probe=probe,
        sequence=list(waves) if len(waves) > 1 else waves[0],
        sampling_frequency=FS,
        initial_time=INITIAL,
        sound_speed=C,
        modulation_frequency=F0 if iq else 0.0,
        pulse=pyuff.Pulse(center_frequency=F0, fractional_bandwidth=0.6),
        **more,
    )


def linear(n=16, pitch=3e-4):
    return pyuff.LinearArray(N=n, pitch=pitch, element_width=2.7e-4, element_height=5e-3, origin=point())


def curved(n=16, pitch=4e-4, radius=5e-3):
    return pyuff.CurvilinearArray(
        N=n, pitch=pitch, radius=radius, element_width=2.7e-4, element_height=5e-3, origin=point()
    )


def image(scan, x, z, pixels_last, value=lambda d: np.exp(-0.5 * (d / 4e-4) ** 2)):
    """Blobs around the targets at pixels x, z, with a phase that rotates along depth."""
    pixels = np.zeros(len(x), complex)
    for tx, _, tz, amplitude in TARGETS:
        pixels += amplitude * value(np.hypot(x - tx, z - tz)) * np.exp(2e3j * np.pi * (z - tz))
    pixels[np.abs(pixels) < 1e-3] = 0
    pixels = pixels.astype(np.complex64)
    return pyuff.BeamformedData(
        scan=scan,
        data=pixels[None, :] if pixels_last else pixels[:, None],
        modulation_frequency=0.0,
        pulse=pyuff.Pulse(center_frequency=F0),
    )


def linear_scan():
    scan = pyuff.LinearScan(x_axis=np.linspace(-4e-3, 4e-3, 17), z_axis=np.linspace(7e-3, 14e-3, 57))
    return scan, scan.x, scan.z


def sector_scan():
    """Apex 10 mm behind the array."""
    scan = pyuff.SectorScan(
        azimuth_axis=np.linspace(-0.24, 0.24, 25),
        depth_axis=np.linspace(17e-3, 24e-3, 57),
        origin=point(z=-10e-3),
    )
    return scan, scan.x, scan.z


def write(path, name, thing):
    thing.write(str(path), name, ignore_missing_compulsory_fields=True)


def deflate(path):
    with h5py.File(path, "r") as old, h5py.File(str(path) + ".new", "w", libver=("v110", "v110")) as new:

        def copy(name, thing):
            if isinstance(thing, h5py.Group):
                made = new.create_group(name)
            elif thing.size > 256:
                # Single precision, as MATLAB's USTB writes all numbers.
                made = new.create_dataset(
                    name, data=thing[()].astype(np.float32), compression="gzip", shuffle=True
                )
            else:
                made = new.create_dataset(name, data=thing[()])
            for key, value in thing.attrs.items():
                made.attrs[key] = value

        old.visititems(copy)
    Path(str(path) + ".new").replace(path)


def fresh(path):
    path.unlink(missing_ok=True)
    return path


def main():
    folder, everything = Path(sys.argv[1]), "--all" in sys.argv
    probe = linear()
    delays = [3.5e-7, -2e-7, 1e-7]
    angles = [(-0.2, 0.0), (0.0, 0.0), (0.2, 0.0)]

    path = fresh(folder / "uff_iq_delays.uff")
    waves = [wave_of(probe, d, plane=a) for d, a in zip(delays, angles)]
    write(path, "recorded", channel_data(probe, waves, iq=True, PRF=3000.0))
    deflate(path)

    path = fresh(folder / "uff_curved_elements.uff")
    arc = curved()
    x, _, z = arc.geometry[:3]
    waves = [wave_of(arc, source=(x[k], 0.0, z[k])) for k in (0, 7, 15)]
    write(path, "channel_data", channel_data(arc, waves))
    deflate(path)

    path = fresh(folder / "uff_sector_and_lines.uff")
    scan, x, z = sector_scan()
    write(path, "b_data", image(scan, x, z, pixels_last=False))
    few = linear(8)
    write(
        path, "channel_data", channel_data(few, [wave_of(few, source=(s, 0.0, -6e-3)) for s in (-2e-3, 2e-3)])
    )
    scan, x, z = linear_scan()
    write(path, "a_data", image(scan, x, z, pixels_last=True))
    deflate(path)
    if not everything:
        return

    wide = linear(64)
    write(
        fresh(folder / "plane_rf.uff"),
        "channel_data",
        channel_data(wide, [wave_of(wide, plane=(a, 0.0)) for a in (-0.2, -0.1, 0, 0.1, 0.2)], frames=3),
    )
    write(
        fresh(folder / "one_plane_iq.uff"),
        "channel_data",
        channel_data(wide, [wave_of(wide, 2e-7, plane=(0.1, 0.0))], iq=True),
    )
    write(
        fresh(folder / "diverging_iq.uff"),
        "channel_data",
        channel_data(
            wide,
            [wave_of(wide, 1e-7 * k, source=(x, 0, -8e-3)) for k, x in enumerate((-5e-3, 0, 5e-3))],
            iq=True,
        ),
    )
    places = wide.geometry[0]
    write(
        fresh(folder / "sta_iq.uff"),
        "channel_data",
        channel_data(wide, [wave_of(wide, 1e-7, source=(x, 0, 0)) for x in places[::4]], iq=True),
    )
    focused = [wave_of(wide, source=(x, 0, 15e-3)) for x in np.linspace(-4e-3, 4e-3, 33)]
    write(fresh(folder / "focused.uff"), "channel_data", channel_data(wide, focused))
    walking = [
        wave_of(
            wide,
            source=(x, 0, 15e-3),
            apodization=pyuff.Apodization(
                window=pyuff.Window.hamming,
                f_number=np.array([3.0, 1.0]),
                focus=pyuff.Scan(x=np.array([x]), y=np.array([0.0]), z=np.array([15e-3])),
            ),
        )
        for x in np.linspace(-4e-3, 4e-3, 33)
    ]
    write(fresh(folder / "walking.uff"), "channel_data", channel_data(wide, walking))
    arc = curved(64, 3e-4, 30e-3)
    write(
        fresh(folder / "curved_diverging.uff"),
        "channel_data",
        channel_data(arc, [wave_of(arc, source=(x, 0, -30e-3)) for x in (-5e-3, 0, 5e-3)], iq=True),
    )
    grid = pyuff.MatrixArray(
        pitch_x=3e-4,
        pitch_y=3e-4,
        N_x=12,
        N_y=12,
        element_width=2.5e-4,
        element_height=2.5e-4,
        origin=point(),
    )
    write(
        fresh(folder / "matrix.uff"),
        "channel_data",
        channel_data(
            grid,
            [wave_of(grid, plane=(a, e)) for a in (-0.15, 0, 0.15) for e in (-0.15, 0, 0.15)],
            iq=True,
            targets=[(0.5e-3, -0.4e-3, 10e-3, 1.0)],
        ),
    )
    scan, x, z = linear_scan()
    b = image(scan, x, z, pixels_last=True)
    b.data = np.real(b.data)
    write(fresh(folder / "image_rf.uff"), "b_data", b)
    b.data = np.abs(image(scan, x, z, pixels_last=True).data)
    write(fresh(folder / "image_envelope.uff"), "b_data", b)


main()
