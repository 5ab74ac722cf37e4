#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens exports of the bundled cine with other software.

    python3 -m venv venv && venv/bin/pip install numpy h5py mat73 nibabel pynrrd SimpleITK tifffile pillow pyuff_ustb zea jax
    venv/bin/python tests/commands/vectors/check_exports.py build/dev-cpu/app/echolux [CHANNEL_DATA...]

Needs ffprobe for the cines. Checks whose package is missing are named and skipped. Prints one line per file; the status is 0
if all agree with the .npz of the same frames.
"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
FAILED = []


def check(name, holds, what):
    print(f"{'ok  ' if holds else 'FAIL'} {name}: {what}")
    if not holds:
        FAILED.append(name)


def close(a, b, tolerance=1e-5):
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return False
    finite = np.isfinite(b)
    return bool(np.all(np.isfinite(a) == finite) and np.allclose(a[finite], b[finite], rtol=tolerance, atol=tolerance * np.abs(b[finite]).max()))


class Exporter:
    def __init__(self, program, recording, folder):
        self.program, self.recording, self.folder, self.frames = program, recording, Path(folder), "1:2"

    def __call__(self, name, *options):
        out = self.folder / name
        done = subprocess.run([self.program, "export", self.recording, "-o", str(out), "--backend", "cpu", "--force", *options],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{name}: {done.stderr.strip()}")
        return str(out)


def images(export):
    reference = np.load(export("image.npz", "--frames", "1:3"))
    db, x, z = reference["data"], reference["lateral"], reference["depth"]
    check("npz", db.shape == (3, z.size, x.size), f"{db.shape}, {reference['content']} in {reference['unit']}")
    npy = np.load(export("image.npy", "--frames", "1:3"))
    axes = json.loads((export.folder / "image.json").read_text())["axes"]
    check("npy", close(npy, db) and [a["name"] for a in axes] == ["frame", "depth", "lateral"], f"{npy.shape}")

    import h5py
    import mat73
    path = export("image.mat", "--frames", "1:3")
    mat = mat73.loadmat(path)
    check("mat (mat73)", close(np.moveaxis(mat["data"], 2, 0), db) and close(mat["depth"], z) and mat["content"] == str(reference["content"]),
          f"data {mat['data'].shape}, {mat['size_of']}")
    with h5py.File(path) as file:
        check("mat (h5py)", file.userblock_size == 512 and file["data"].attrs["MATLAB_class"] == b"single", "user block and classes")

    import nrrd
    data, head = nrrd.read(export("image.nrrd", "--frames", "1:3"))
    steps = np.diag(head["space directions"][:3, :])
    check("nrrd (pynrrd)", close(data[:, :, 0, :].transpose(2, 1, 0), db) and np.allclose(steps[:2], [1e3 * (x[1] - x[0]), 1e3 * (z[1] - z[0])], rtol=1e-6)
          and np.allclose(head["space origin"][:2], [1e3 * x[0], 1e3 * z[0]], atol=1e-6), f"{data.shape}, {head['echolux_content']}")

    import nibabel
    for name in ("image.nii", "image.nii.gz"):
        nii = nibabel.load(export(name, "--frames", "1:3"))
        check(name, close(nii.get_fdata()[:, :, 0, :].transpose(2, 1, 0), db, 1e-4) and nii.header.get_xyzt_units() == ("mm", "sec")
              and np.allclose(nii.affine[:2, 3], [1e3 * x[0], 1e3 * z[0]], atol=1e-4) and np.allclose(nii.affine, nii.get_qform(), atol=1e-4),
              f"{nii.shape}, zooms {nii.header.get_zooms()}")

    import SimpleITK
    for name in ("one.nrrd", "one.nii"):
        image = SimpleITK.ReadImage(export(name, "--frames", "2"))
        sign = -1.0 if name.endswith("nii") else 1.0  # ITK reverses NIfTI's right and anterior
        check(f"{name} (SimpleITK)", close(SimpleITK.GetArrayFromImage(image)[0], db[1], 1e-4)
              and np.allclose(image.GetSpacing()[:2], [1e3 * (x[1] - x[0]), 1e3 * (z[1] - z[0])], rtol=1e-5)
              and np.allclose(image.GetOrigin()[:2], [sign * 1e3 * x[0], sign * 1e3 * z[0]], atol=1e-4), f"{image.GetSize()}, {image.GetSpacing()} mm")

    import tifffile
    with tifffile.TiffFile(export("values.tif", "--frames", "1:3", "--depth", "32")) as tif:
        pages = tif.asarray()
        xml = tif.ome_metadata
        check("tif of 32 bits", close(pages, db) and 'PhysicalSizeX="' in xml, f"{pages.shape} {pages.dtype}, OME {tif.is_ome}")
    with tifffile.TiffFile(export("grey.tiff", "--frames", "1", "--depth", "16")) as tif:
        low, high = float(reference["range_min"]), float(reference["range_max"])
        wanted = np.round(65535 * np.clip((np.nan_to_num(db[0], nan=low) - low) / (high - low), 0, 1))
        check("tif of 16 bits", np.abs(tif.asarray().astype(float) - wanted).max() <= 1.0, f"{tif.asarray().shape}")
    from PIL import Image
    colours = np.asarray(Image.open(export("colours.tif", "--colour-map", "viridis")))
    check("tif of 8 bits", colours.ndim == 3 and colours.dtype == np.uint8, f"{colours.shape}")
    plain = Image.open(export("plain.png"))
    marked = Image.open(export("marked.png", "--axes", "--scale-bar", "--colour-bar"))
    check("png", marked.size[0] > plain.size[0] and "Description" in plain.text, f"{plain.size}, with marks {marked.size}")
    grey = np.asarray(Image.open(export("grey.png", "--depth", "16"))).astype(float)
    check("png of 16 bits", grey.shape == wanted.shape and np.abs(grey - wanted).max() <= 1.0, f"{grey.shape}")

    curve = np.genfromtxt(export("curve.csv", "--column", "0"), delimiter=",", names=True)
    column = int(np.argmin(np.abs(x)))
    check("csv", close(curve["value_dB"], db[0][:, column], 1e-4) and np.allclose(curve["depth_mm"], 1e3 * z), f"{curve.dtype.names}")

    uff_images(export, db, x, z)
    zea_images(export, db, x, z)


def uff_images(export, db, x, z):
    import pyuff_ustb
    data = pyuff_ustb.Uff(export("image.uff", "--frames", "1:3")).read("b_data")
    values = np.squeeze(data.data).reshape(3, x.size, z.size)
    check("uff image (pyuff_ustb)", type(data.scan).__name__ == "LinearScan" and close(np.ravel(data.scan.x_axis), x) and close(np.ravel(data.scan.z_axis), z)
          and close(values.transpose(0, 2, 1), db, 1e-4), f"{data.data.shape} {type(data.scan).__name__}")


def zea_file(path, name):
    try:
        import zea
    except Exception as why:  # zea needs a backend for tensors
        print(f"--   {name}: zea is not to be had ({why})")
        return None
    return zea.File(path)


def zea_images(export, db, x, z):
    import h5py
    path = export("image.hdf5", "--frames", "1:3")
    with h5py.File(path) as file:
        image = file["tracks/track_0/data/image"]
        wanted = np.where(np.isnan(db), -np.inf, db)
        places = image["coordinates"][...]
        check("zea image (h5py)", close(image["values"][...], wanted) and np.allclose(places[0, :, 0], x, atol=1e-7) and np.allclose(places[:, 0, 2], z, atol=1e-7),
              f"{image['values'].shape}")
    file = zea_file(path, "zea image")
    if file is not None:
        with file:
            check("zea image (zea)", file.data.image.values.shape == db.shape, f"{file}")


def lengths(points):
    return np.linalg.norm(points, axis=-1)


def ideal_delays(wave, direction, source, elements, c):
    """Firing time of each element, with t = 0 when the wave crosses the origin."""
    if wave == 0:
        return elements @ direction / c
    if wave == 2:
        return (lengths(source) - lengths(elements - source)) / c
    return (lengths(elements - source) - lengths(source)) / c


def common(reference):
    """t0 as if the waves of single elements crossed the origin at 0, like those of virtual sources."""
    passage = np.where(reference["wave"] == 3, lengths(reference["source"]) / reference["c"], 0.0)
    return reference["t0"] - passage


def zea_clock(scan, elements, c):
    """Per transmit the deviation of the delays from those of its wave, and the first sample's time after the wave crossed the origin."""
    spreads, times = [], []
    for i, focus in enumerate(scan["focus_distances"].astype(float)):
        p, a = float(scan["polar_angles"][i]), float(scan["azimuth_angles"][i])
        direction = np.array([np.sin(p) * np.cos(a), np.sin(p) * np.sin(a), np.cos(p)])
        wave = 0 if np.isinf(focus) else 2 if focus > 0 else 1
        source = scan["transmit_origins"][i] + (0 if wave == 0 else focus * direction)
        fires = scan["tx_apodizations"][i] != 0
        late = scan["t0_delays"][i][fires] - ideal_delays(wave, direction, source, elements[fires], c)
        times.append(scan["initial_times"][i] - np.median(late))
        spreads.append(np.ptp(late))
    return np.array(spreads), np.array(times)


def by_element(samples, reference):
    """Channels sorted by the elements that they recorded."""
    if "receive_elements" not in reference:
        return samples
    spread = np.zeros((*samples.shape[:2], len(reference["elements"]), samples.shape[3]), samples.dtype)
    for transmit, listened in enumerate(reference["receive_elements"].astype(int)):
        spread[:, transmit, listened] = samples[:, transmit]
    return spread


def channels(export, tag, *pipeline):
    reference = np.load(export(f"{tag}.npz", "--frames", export.frames, *pipeline))
    samples = reference[tag]
    samples = samples if samples.ndim == 4 else samples[None]
    check(f"{tag} npz", samples.ndim == 4 and reference["t0"].shape == samples.shape[1:2], f"{samples.shape} at {reference['fs']:g} Hz")
    zero = reference["iq_phase_zero"] if tag == "iq" else None

    import mat73
    mat = mat73.loadmat(export(f"{tag}.mat", "--frames", export.frames, *pipeline))
    check(f"{tag} mat (mat73)", close(np.atleast_3d(mat[tag]).reshape(samples.shape[::-1]).transpose(3, 2, 1, 0), samples) and close(mat["elements"], reference["elements"]), f"{mat[tag].shape}, {mat['size_of']}")

    import h5py
    path = export(f"{tag}.hdf5", "--frames", export.frames, *pipeline)
    with h5py.File(path) as file:
        raw = file["tracks/track_0/data/raw_data"][...]
        scan = {name: item[...] for name, item in file["tracks/track_0/scan"].items()}
        probe = file["probe/probe_geometry"][...]
    got = raw.transpose(0, 1, 3, 2, 4)
    got = got[..., 0] if tag == "rf" else got[..., 0] + 1j * got[..., 1]
    samples = by_element(samples, reference)
    turned = samples
    if tag == "iq":
        turned = samples * np.exp(2j * np.pi * reference["fd"] * (reference["t0"] - zero))[None, :, None, None]
    delays, times = zea_clock(scan, probe, float(reference["c"]))
    check(f"{tag} zea (h5py)", close(got, turned, 1e-4) and np.allclose(times, common(reference), atol=1e-9) and np.all(scan["t0_delays"] >= 0)
          and np.allclose(delays, 0.0, atol=1e-9) and np.allclose(probe, reference["elements"], atol=1e-9), f"{raw.shape}")
    file = zea_file(path, f"{tag} zea")
    if file is not None:
        with file:
            check(f"{tag} zea (zea)", file.data.raw_data.shape == raw.shape, f"{file}")

    import pyuff_ustb
    data = pyuff_ustb.Uff(export(f"{tag}.uff", "--frames", export.frames, *pipeline)).read("channel_data")
    sequence = data.sequence if isinstance(data.sequence, list) else [data.sequence]
    delays = np.array([np.squeeze(wave.delay) for wave in sequence])
    # For a source at the array USTB counts the path as if the wave crossed the origin before.
    passage = np.where(reference["wave"] == 3, np.where(reference["source"][:, 2] < -1e-3, -1, 1) * lengths(reference["source"]) / reference["c"], 0.0)
    turned = samples
    if tag == "iq":
        turned = samples * np.exp(2j * np.pi * reference["fd"] * (delays - passage - zero))[None, :, None, None]
    plane = reference["wave"] == 0
    places = np.array([[np.squeeze(v) for v in (wave.source.x, wave.source.y, wave.source.z)] for wave in sequence])
    angles = np.array([np.squeeze(wave.source.azimuth) for wave in sequence])
    check(f"{tag} uff (pyuff_ustb)", close(data.data.T, turned, 1e-4) and np.allclose(np.squeeze(data.initial_time) + delays - passage, reference["t0"], atol=1e-11)
          and np.allclose(angles[plane], reference["angles"][plane], atol=1e-6) and np.allclose(places[~plane], reference["source"][~plane], atol=1e-7)
          and np.allclose(data.probe.geometry[:3].T, reference["elements"], atol=1e-9), f"{data.data.shape}, {len(sequence)} waves")


def cines(export):
    if shutil.which("ffprobe") is None:
        print("--   cines: there is no ffprobe")
        return
    for name in ("cine.mp4", "cine.webm", "cine.gif"):
        path = export(name, "--frames", "1:8", "--fps", "12.5", "--colour-map", "inferno", "--scale-bar")
        probe = json.loads(subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-of", "json", path],
                                          capture_output=True, text=True, check=True).stdout)["streams"][0]
        up, down = (int(part) for part in probe["avg_frame_rate"].split("/"))
        check(name, int(probe["nb_read_frames"]) == 8 and abs(up / down - 12.5) < 0.05, f"{probe['codec_name']} {probe['width']} x {probe['height']}, {up / down:g} frames/s")


def turned(quaternion, place):
    w, u = quaternion[0], np.asarray(quaternion[1:])
    once = np.cross(u, place)
    return place + 2 * w * once + 2 * np.cross(u, once)


def poses(program):
    """Where the bright voxel of each posed volume lies in its exports, mm in LPS, by other software."""
    import h5py
    import nibabel
    import nrrd
    import SimpleITK
    folder = ROOT / "tests/dataset/vectors/poses"

    def by_nibabel(path):
        image = nibabel.load(path)
        at = np.unravel_index(image.get_fdata().argmax(), image.shape)
        return (image.affine @ [*at[:3], 1.0])[:3] * [-1, -1, 1]

    def by_pynrrd(path):
        data, head = nrrd.read(path)
        return head["space origin"] + np.array(np.unravel_index(data.argmax(), data.shape)) @ head["space directions"]

    def by_itk(path):
        image = SimpleITK.ReadImage(path)
        array = SimpleITK.GetArrayFromImage(image)
        return image.TransformIndexToPhysicalPoint([int(i) for i in np.unravel_index(array.argmax(), array.shape)[::-1]])

    def by_h5py(path):
        with h5py.File(path) as file:
            pose, image = file["metadata/probe_pose"], file["tracks/track_0/data/picture"]
            at = np.unravel_index(image["values"][0].argmax(), image["values"].shape[1:])
            return 1e3 * (turned(pose["rotation"][0], image["coordinates"][at]) + pose["translation"][0])

    readers = {"out.nii": (by_nibabel, by_itk), "out.nii.gz": (by_nibabel,), "out.nrrd": (by_pynrrd, by_itk),
               "out.mha": (by_itk,), "out.hdf5": (by_h5py,)}
    for name, place in json.loads((folder / "truth.json").read_text())["places"].items():
        with tempfile.TemporaryDirectory() as scratch:
            export = Exporter(program, str(folder / name), scratch)
            for target, reads in readers.items():
                # Only NIfTI and its sform hold sheared axes here, and NIfTI has no name for a scanner's space.
                left_out = (name == "nibabel_sheared.nii" and target != "out.nii.gz") or (
                    "scanner" in name and target.startswith("out.nii"))
                if left_out:
                    continue
                path = export(target, "--output-of", "recording")
                for read in reads:
                    found = np.asarray(read(path))
                    check(f"{name} as {target} ({read.__name__})", np.allclose(found, place, atol=2e-5), f"{found.round(4)}")


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        export = Exporter(program, str(ROOT / "testdata" / "phantom_cine.echolux.h5"), folder)
        images(export)
        cines(export)
        channels(export, "rf", "--output-of", "recording")
        channels(export, "iq", "--pipeline", "demodulated", "--output-of", "iq_demod")
    poses(program)
    for recording in sys.argv[2:]:
        print(recording)
        with tempfile.TemporaryDirectory() as folder:
            export = Exporter(program, recording, folder)
            export.frames = "1"
            channels(export, "rf", "--output-of", "recording")
            channels(export, "iq", "--pipeline", "demodulated", "--output-of", "iq_demod")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
