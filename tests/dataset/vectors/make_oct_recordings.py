# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that NumPy reads in the public OCT recordings, for oct_recordings_test.cpp.

Usage: make_oct_recordings.py FOLDER > oct_recordings.json, where FOLDER holds LP01_shift.raw."""
import json
import sys
from pathlib import Path

import numpy as np

PLACES = [0, 1, 100, 511, 777, 1022, 1023]


def raw_bscan(path):
    data = path.read_bytes()
    lines = np.frombuffer(data, "<u2", 1049 * 1024, 552).reshape(1049, 1024)
    chirp = np.frombuffer(data, "<f4", 1024, len(data) - 4096).astype(float)
    return {
        "background": lines[:25].mean(0)[PLACES].tolist(),
        "resampling": np.interp(np.arange(1024), chirp, np.arange(1024))[PLACES].tolist(),
        "first_line": lines[25][PLACES].tolist(),
        "last_line": lines[-1][PLACES].tolist(),
        "sum": int(lines[25:].sum(dtype=np.int64)),
    }


def mirror_text(folder, number):
    read = lambda name: np.loadtxt(folder / f"{name}.txt")
    fringe = read(f"mirror{number}") + read("dark_not") - read("dark_ref") - read(f"dark_sample{number}")
    return {"fringe": fringe[PLACES].tolist(), "fringe_rms": float(np.sqrt(np.mean(fringe**2)))}


def mirror_calibrated(path):
    z = np.load(path)
    fringe = z["mirror1"] + z["dark_not"] - z["dark_ref"] - z["dark_sample1"].astype(float)
    return {
        "fringe": fringe[PLACES].tolist(),
        "resampling": z["klinear"][PLACES].tolist(),
        "dispersion": z["dispersion"][PLACES].tolist(),
    }


def volume(path):
    v = np.load(path, mmap_mode="r")
    return {
        "sums": [int(v[b].sum(dtype=np.int64)) for b in (0, 1, 25, 49)],
        "line": v[49, 99][PLACES].tolist(),
    }


folder = Path(sys.argv[1])
print(json.dumps({
    "places": PLACES,
    **{name: raw_bscan(folder / f"{name}.raw") for name in ("LP01_shift", "pdms_LP01", "bois_LP01")},
    "mirror1": mirror_text(folder / "mirror_LP01", 1),
    "mirror2": mirror_text(folder / "mirror_LP01", 2),
    "calibrated": mirror_calibrated(folder / "cscan_calibration_example_LP01.npz"),
    "cscan": volume(folder / "cscan_50x100x1024_uint16.npy"),
}, indent=1))
