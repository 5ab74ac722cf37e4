# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that the real zea package (0.1.8, with jax[cpu]) writes, for zea_test.cpp. Echoes of two
points are computed for each firing element and added up; also images of two points.

Usage: KERAS_BACKEND=jax make_zea_files.py FOLDER [NAME ...]: writes zea_*.hdf5 and zea_files.json
there. Pages of the files are 512 bytes instead of zea's 64 KiB and their
indexes those of HDF5 1.10 instead of the earliest, so that they stay small."""
import json
import sys
from pathlib import Path

import numpy as np
from zea.data import spec
from zea.data.spec import FileSpec

spec.PAGED_LAYOUT |= {"fs_page_size": 512, "libver": ("v110", "v114"), "fs_persist": False}

C, FC, FS, PITCH, N, SAMPLES = 1540.0, 5e6, 20e6, 0.3e-3, 24, 210
X = (np.arange(N) - (N - 1) / 2) * PITCH
TARGETS = [(-1.5e-3, 8e-3), (1.5e-3, 12e-3)]
START = 8e-6  # of the samples, after the wave crosses the origin
PROBE = {
    "name": "points_l24",
    "type": "linear",
    "probe_geometry": np.stack([X, 0 * X, 0 * X], 1).astype(np.float32),
    "probe_center_frequency": np.float32(FC),
    "probe_bandwidth_percent": np.float32(60),
    "element_width": np.float32(0.25e-3),
    "lens_thickness": np.float32(0.5e-3),
    "lens_sound_speed": np.float32(1000),
}


def shot(wave, weights=None, angle=0.0, source=None, receive=None, element=None):
    """One transmit: delays and weights of its elements, the truth of its wave, and for the scan
    focus distance, angle and origin as zea gives them."""
    weights = np.ones(N) if weights is None else weights
    fires = weights != 0
    if wave == "plane":
        ideal, focus, origin = X * np.sin(angle) / C, np.inf, 0.0
        truth = {"angle": angle}
    elif wave == "element":
        ideal, focus, origin = np.zeros(N), 0.0, X[element]
        truth = {"x": X[element], "z": 0.0}
    else:
        sx, sz = source
        away = np.hypot(X - sx, sz)
        ideal = (away - np.hypot(sx, sz)) / C if wave == "diverging" else (np.hypot(sx, sz) - away) / C
        origin = float(np.mean(X[fires])) if wave == "focused" else 0.0
        focus = np.hypot(sx - origin, sz) * np.sign(sz)
        angle = np.arctan2((sx - origin) * np.sign(sz), abs(sz))
        truth = {"x": sx, "z": sz}
    lead = -ideal[fires].min()
    delays = np.where(fires, ideal + lead, 0.0)
    receive = np.arange(N) if receive is None else receive
    initial = START + lead
    truth |= {"wave": wave, "first_sample": START, "receive": receive.tolist()}
    return {"delays": delays, "weights": weights, "focus": focus, "angle": angle, "origin": origin,
            "receive": receive, "initial": initial, "truth": truth}


def echoes(s, frequencies=(FC, FC)):
    """(samples, channels); t = 0 when the first element fires. Each target has a frequency of its own."""
    t = s["initial"] + np.arange(SAMPLES)[:, None] / FS
    rf = np.zeros((SAMPLES, len(s["receive"])))
    for (x, z), f in zip(TARGETS, frequencies):
        path = np.hypot(X - x, z) / C
        for e in np.flatnonzero(s["weights"]):
            at = t - (s["delays"][e] + path[e] + path[None, s["receive"]])
            rf += s["weights"][e] * np.exp(-((at * FC * 1.2) ** 2)) * np.cos(2 * np.pi * f * at)
    return rf


def scan_of(shots, frames=1):
    scan = {
        "sampling_frequency": np.float32(FS),
        "center_frequency": np.full(len(shots), FC, np.float32),
        "demodulation_frequency": np.float32(FC),
        "initial_times": np.array([s["initial"] for s in shots], np.float32),
        "t0_delays": np.array([s["delays"] for s in shots], np.float32),
        "tx_apodizations": np.array([s["weights"] for s in shots], np.float32),
        "focus_distances": np.array([s["focus"] for s in shots], np.float32),
        "transmit_origins": np.array([[s["origin"], 0, 0] for s in shots], np.float32),
        "polar_angles": np.array([s["angle"] for s in shots], np.float32),
        "azimuth_angles": np.zeros(len(shots), np.float32),
        "sound_speed": np.float32(C),
        "time_to_next_transmit": np.full((frames, len(shots)), 1e-4, np.float32),
        "tgc_gain_curve": np.ones(SAMPLES, np.float32),
    }
    if len(shots[0]["receive"]) < N:
        scan["rx_aperture_indices"] = np.array([s["receive"] for s in shots], np.int32)
    return scan


def raw_of(shots, kind=np.int16, iq=False, frames=1):
    rf = np.stack([echoes(s) for s in shots])
    rf *= 900 / np.abs(rf).max()
    if iq:
        # Baseband with the mixer's phase zero at the first sample, filtered by a short mean.
        n = np.arange(SAMPLES)[None, :, None]
        mixed = 2 * rf * np.exp(-2j * np.pi * FC / FS * n)
        low = np.apply_along_axis(lambda y: np.convolve(y, [0.25, 0.5, 0.25], "same"), 1, mixed)
        rf = np.stack([low.real, low.imag], -1)
    else:
        rf = rf[..., None]
    rf = np.round(rf)  # whole numbers compress well
    return np.stack([rf * (f + 1) / frames for f in range(frames)]).astype(kind)


def focused_beams():
    return [shot("focused", angle=0, source=(x, 16e-3)) for x in (-2e-3, 0.0, 2e-3)]


def walking():
    """Beams of 12 elements, received by 16."""
    shots = []
    for first in (0, 4, 8, 12):
        weights = np.zeros(N)
        weights[first : first + 12] = 1
        middle = X[first : first + 12].mean()
        start = min(max(first - 2, 0), N - 16)
        shots.append(shot("focused", weights, source=(middle, 10e-3), receive=np.arange(start, start + 16)))
    return shots


def planes():
    return [shot("plane", angle=a) for a in (-0.15, 0.0, 0.1)]


def diverging():
    return [shot("diverging", source=(x, -6e-3)) for x in (-2e-3, 0.0, 2e-3)]


def singles():
    return [shot("element", np.eye(N)[e], element=e) for e in range(0, N, 4)]


def single_track(name, shots, **kind):
    frames = kind.get("frames", 1)
    return FileSpec(data={"raw_data": raw_of(shots, **kind)}, scan=scan_of(shots, frames), probe=PROBE,
                    us_machine="simulation", description=name, acquisition_time="2026-01-02T03:04:05+00:00")


def maps(polar):
    """Blobs at the targets: beamformed IQ, envelope, and a picture in dB; and their positions."""
    if polar:
        r, a = np.meshgrid(np.linspace(4e-3, 15e-3, 45), np.linspace(-0.5, 0.5, 31), indexing="ij")
        x, z = r * np.sin(a), r * np.cos(a) - 2e-3
    else:
        z, x = np.meshgrid(np.linspace(6e-3, 14e-3, 21), np.linspace(-4e-3, 4e-3, 21), indexing="ij")
    envelope = sum(np.exp(-((x - tx) ** 2 + (z - tz) ** 2) / (0.3e-3) ** 2) for tx, tz in TARGETS)
    iq = envelope * np.exp(2j * np.pi * FC * 2 * z / C)
    places = np.stack([x, 0 * x, z], -1).astype(np.float32)
    one = lambda values: {"values": values[None].astype(np.float32), "coordinates": places}
    return {
        "beamformed_data": one(np.stack([iq.real, iq.imag], -1)),
        "envelope_data": one(envelope),
        "image": one(np.maximum(20 * np.log10(envelope + 1e-12) - 1e-3, -80)),
    }


def two_tracks():
    first, second = planes()[::2], diverging()[::2]
    tracks = [
        {"data": {"raw_data": raw_of(first), "image": maps(False)["image"]}, "scan": scan_of(first), "label": "planewave"},
        {"scan": scan_of(focused_beams()), "label": "push", "transmit_only": True},
        {"data": {"raw_data": raw_of(second, iq=True)}, "scan": scan_of(second), "label": "diverging"},
    ]
    return FileSpec(tracks=tracks, track_schedule=np.array([0, 0, 1, 1, 1, 2, 2], np.int32), probe=PROBE,
                    description="two tracks and a push")


def images():
    return FileSpec(data=maps(True), probe=PROBE, description="images on a sector")


def harmonic():
    """A pulse of half the frequency at which the data are to be demodulated. The first target answers at
    the frequency of the pulse, the second one at its double."""
    rf = np.stack([echoes(s, (FC / 2, FC)) for s in planes()])[None, ..., None]
    scan = scan_of(planes()) | {"center_frequency": np.float32(FC / 2)}
    return FileSpec(data={"raw_data": np.round(rf * 900 / np.abs(rf).max()).astype(np.int16)}, scan=scan, probe=PROBE)


TOLD = {
    "tgc": np.linspace(1, 4, SAMPLES),
    "wave": np.outer([1, -2, 3], np.hanning(20)),
    "intervals": np.array([[1e-4, 2e-4, 3e-4], [1e-4, 2e-4, 5e-4]]),
    "ecg": np.array([3, -1, 4, 1, -5], np.int16),
    "coherence": np.array([0.25, 0.75]),
    "views": ["apical", "parasternal"],
}


def told():
    """Two frames with facts that Echolux does not use."""
    scan = scan_of(planes(), 2) | {
        "tgc_gain_curve": TOLD["tgc"].astype(np.float32),
        "waveforms_two_way": TOLD["wave"].astype(np.float32),
        "time_to_next_transmit": TOLD["intervals"].astype(np.float32),
    }
    metadata = {
        "credit": "M. Muster",
        "subject": {"id": "s1", "type": "phantom"},
        "annotations": {"view": np.array(TOLD["views"])},
        "ecg": {"samples": TOLD["ecg"], "sampling_frequency": np.float32(250), "start_time_offset": np.float32(-0.5)},
    }
    return FileSpec(data={"raw_data": raw_of(planes(), frames=2)}, scan=scan, probe=PROBE, metadata=metadata,
                    metrics={"coherence_factor": TOLD["coherence"].astype(np.float32)},
                    us_machine="Vantage 256", description="wires", acquisition_time="2026-06-12T14:30:00+00:00")


def other_maps():
    """A picture in codes whose min and max are levels, on a sector whose apex is the origin and whose
    ranges begin at 8 mm; and maps on a rectangle that are no images."""
    r, a = np.meshgrid(np.linspace(8e-3, 14e-3, 25), np.linspace(-0.4, 0.4, 17), indexing="ij")
    x, z = r * np.sin(a), r * np.cos(a)
    envelope = sum(np.exp(-((x - tx) ** 2 + (z - tz) ** 2) / (0.4e-3) ** 2) for tx, tz in TARGETS)
    codes = np.round(255 * envelope / envelope.max()).astype(np.uint8)
    places = lambda *p: np.stack(p, -1).astype(np.float32)
    depth, lateral = np.meshgrid(np.linspace(6e-3, 14e-3, 9), np.linspace(-4e-3, 4e-3, 5), indexing="ij")
    flat = {"coordinates": places(lateral, 0 * lateral, depth)}
    velocity = np.round(lateral * 1e3) / 10  # -0.4 to 0.4
    classes = np.stack([lateral < 0, depth > 10e-3], -1)
    return FileSpec(data={
        "image": {"values": codes[None], "coordinates": places(x, 0 * x, z), "min": np.float32(-60), "max": np.float32(0), "unit": "dB"},
        "color_doppler": flat | {"values": velocity[None].astype(np.float32), "unit": "m/s", "min": np.float32(-0.5), "max": np.float32(0.5)},
        "segmentation": flat | {"values": classes[None], "labels": np.array(["left", "deep"])},
        "sos_map": flat | {"values": (1500 + 1e4 * depth)[None].astype(np.float32)},
        "aligned_data": {"values": np.zeros((1, 1, 4, 3, 1), np.float32)},
    }, probe=PROBE)


FILES = {
    "planes": (lambda: single_track("planes", planes()), planes),
    "focused": (lambda: single_track("focused", focused_beams(), kind=np.float32), focused_beams),
    "diverging": (lambda: single_track("diverging", diverging()), diverging),
    "walking": (lambda: single_track("walking", walking(), frames=2), walking),
    "singles": (lambda: single_track("singles", singles()), singles),
    "iq": (lambda: single_track("iq", planes(), iq=True), planes),
    "tracks": (two_tracks, lambda: planes()[::2] + diverging()[::2]),
    "images": (images, lambda: []),
    "harmonic": (harmonic, planes),
    "told": (told, planes),
    "maps": (other_maps, lambda: []),
}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    truth = {"targets": TARGETS, "facts": {k: np.asarray(v).ravel().tolist() for k, v in TOLD.items()}}
    for name, (make, shots) in FILES.items():
        truth[name] = [s["truth"] for s in shots()]
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        make().save(folder / f"zea_{name}.hdf5")
    (folder / "zea_files.json").write_text(json.dumps(truth, indent=1) + "\n")
