#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the package has the program `echolux` do, which ECHOLUX_PROGRAM names: windows and figures."""
import contextlib
import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest
from unittest import mock

import numpy

from python_here import CINE, TESTDATA

import echolux
from echolux import Axis, EcholuxError, Frame, Pipeline
from echolux.figures import Figure, Measured, Sweep

PLACES = {
    "wire": {"kind": "point", "places": [[-7.0, 18.0]]},
    "tissue": {"kind": "rectangle", "places": [[-6.0, 19.5], [-4.0, 22.0]]},
    "cyst": {"kind": "ellipse", "places": numpy.array([[5, 21], [1.5, 1.5]])},
    "cyst to tissue": {"kind": "contrast", "inside": "cyst", "outside": "tissue"},
    "elsewhere": {"kind": "line", "places": [[100, 1], [101, 1]]},
}


def steps():
    """An image whose left half is at -3 dB and whose right half is at -23 dB, 0.1 mm per pixel."""
    levels = numpy.full((40, 60), -3, numpy.float32)
    levels[:, 30:] = -23
    axes = (Axis("depth", 40, 1e-4, 5e-3, "m"), Axis("lateral", 60, 1e-4, -3e-3, "m"))
    return Frame(levels, axes, "steps", 0, "dB", (-60.0, 0.0))


class Figures(unittest.TestCase):
    def test_figures_of_a_known_image(self):
        measured = echolux.measure(steps(), measurements={
            "left": {"kind": "rectangle", "places": [[-2.5, 6], [-1, 8]]},
            "right": {"kind": "rectangle", "places": [[1, 6], [2.5, 8]]},
            "both": {"kind": "contrast", "inside": "right", "outside": "left"},
            "way": {"kind": "line", "places": [[-1.5, 5], [1.5, 8.9]]}})
        self.assertEqual(list(measured), ["left", "right", "both", "way"])
        self.assertAlmostEqual(measured["left"]["mean"].value, -3, places=3)
        self.assertAlmostEqual(float(measured["both"]["contrast"]), -20, places=3)
        self.assertEqual((measured["both"].kind, measured["both"]["contrast"].unit), ("contrast", "dB"))
        length = measured["way"]["length"]
        self.assertAlmostEqual(length.value, math.hypot(3, 3.9), places=6)
        self.assertEqual((length.unit, len(length.values)), ("mm", 1))
        self.assertTrue(math.isnan(length.deviation))

    def test_all_frames_have_means_and_deviations(self):
        with echolux.open(CINE) as recording:
            measured = echolux.measure(recording, measurements=PLACES, frame=None, options=["--backend", "cpu"])
            contrast = measured["cyst to tissue"]["contrast"]
            self.assertEqual(contrast.values.shape, (len(recording),))
            self.assertAlmostEqual(contrast.value, contrast.values.mean(), places=9)
            self.assertAlmostEqual(contrast.deviation, contrast.values.std(ddof=1), places=9)
            self.assertEqual(measured["tissue"]["temporal_snr"].values.size, 0)
            one = echolux.measure(recording, measurements=PLACES, frame=7)
            self.assertAlmostEqual(one["cyst to tissue"]["contrast"].value, contrast.values[7], places=9)
            # Arrays with their spec are the same frames.
            of_array = echolux.measure(recording[6:8], None, PLACES, spec=recording.spec, frame=1)
            self.assertAlmostEqual(of_array["cyst to tissue"]["contrast"].value, contrast.values[7], places=9)
            # The wire stands at this place in the phantom.
            self.assertAlmostEqual(measured["wire"]["lateral"].value, -7, delta=0.1)
            self.assertAlmostEqual(measured["wire"]["depth"].value, 18, delta=0.1)
            self.assertEqual(len(measured["elsewhere"]), 0)
            with self.assertRaisesRegex(KeyError, "leaves the image"):
                measured["elsewhere"]["length"]
            with self.assertRaisesRegex(KeyError, "'wire' has no 'size'; it has lateral, depth"):
                measured["wire"]["size"]

    def test_figures_without_a_deviation_are_equal(self):
        def unknown():
            return float("nan")  # another object each time: NaN is unequal to itself, whatever Python compares first

        figure = Figure(0.63, "mm", unknown())
        self.assertEqual(figure, Figure(0.63, "mm"))
        self.assertEqual(hash(figure), hash(Figure(0.63, "mm", unknown())))
        self.assertEqual(Figure(unknown(), "dB"), Figure(unknown(), "dB"))
        self.assertEqual(len({figure, Figure(0.63, "mm"), Figure(unknown(), "mm"), Figure(unknown(), "mm")}), 2)
        for other in (Figure(0.64, "mm"), Figure(0.63, "dB"), Figure(0.63, "mm", 0.1), Figure(unknown(), "mm"), 0.63):
            self.assertNotEqual(figure, other)
        self.assertEqual(Measured("a", "point", {"width": figure}), Measured("a", "point", {"width": Figure(0.63, "mm")}))

        def sweep(last):
            return Sweep("beamform.f_number", (1.0, 2.0), {"a.width": numpy.array([0.5, last])}, {"a.width": "mm"})

        self.assertEqual(sweep(unknown()), sweep(unknown()))
        self.assertNotEqual(sweep(unknown()), sweep(0.5))

    def test_a_pipeline_is_measured_as_it_is(self):
        with echolux.open(CINE) as recording:
            pipeline = Pipeline("rf", recording, backend="cpu")
            before = echolux.measure(recording, pipeline, PLACES)["wire"]["lateral_width"].value
            pipeline.beamform.f_number = 4.0
            after = echolux.measure(recording, pipeline, PLACES)["wire"]["lateral_width"].value
            built = ["to_float", "dc_removal", "bandpass", "analytic", ("beamform", {"f_number": 4.0}), "envelope",
                     "log_compression"]
            self.assertGreater(after, 1.2 * before)
            self.assertAlmostEqual(echolux.measure(recording, built, PLACES)["wire"]["lateral_width"].value, after, places=3)
            swept = echolux.sweep(recording, "beamform.f_number", numpy.array([pipeline.beamform.f_number, 2]), pipeline, PLACES)
            self.assertEqual((swept.values, swept.units["wire.lateral_width"]), ((4.0, 2.0), "mm"))
            self.assertAlmostEqual(swept["wire.lateral_width"][0], after, places=6)
            choices = echolux.sweep(recording, "beamform.window", ["rectangular", "hann"], "rf", PLACES)
            self.assertLess(*choices["wire.lateral_width"])

    def test_measurements_come_from_files_and_texts(self):
        text = '[[measurement]]\nname = "wire"\nkind = "point"\nplaces = [[-7.0, 18.0]]\n'
        width = echolux.measure(CINE, None, text)["wire"]["lateral_width"]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.toml"
            path.write_text(text)
            self.assertEqual(echolux.measure(CINE, None, path)["wire"]["lateral_width"], width)
            recording = pathlib.Path(folder) / "cine.echolux.h5"
            shutil.copy(CINE, recording)
            with self.assertRaisesRegex(EcholuxError, "no file of measurements .*; give measurements"):
                echolux.measure(recording)
            path.rename(f"{recording}.echolux-measurements.toml")
            self.assertEqual(echolux.measure(recording)["wire"]["lateral_width"], width)

    def test_what_cannot_be_measured_is_said(self):
        recording = echolux.open(CINE)
        for call, sentence in [
                (lambda: echolux.measure(recording, None, {"a": {"kind": "spot"}}), r"^measurements.toml, line 3: 'spot' is no"),
                (lambda: echolux.measure(recording, None, {"a": {"kind": None}}), r"^Measurement a: kind is None"),
                (lambda: echolux.measure(recording, None, PLACES, frame=32), "no frame 32 in 32"),
                (lambda: echolux.measure(recording, None, PLACES, frame=-1), "counted from 0"),
                (lambda: echolux.measure(recording, "nothing", PLACES), "no pipeline 'nothing'"),
                (lambda: echolux.measure(recording, None, PLACES, output="nothing"), "no view 'nothing'"),
                (lambda: echolux.measure("nowhere.h5", None, PLACES), "^Cannot open 'nowhere.h5'"),
                (lambda: echolux.measure(recording[0], None, PLACES), "needs its spec"),
                (lambda: echolux.measure(recording, None, PLACES, spec=recording.spec), "has its own"),
                (lambda: echolux.measure(steps(), "rf", PLACES), "taken as it is"),
                (lambda: echolux.sweep(recording, "beamform.size", [1, 2], None, PLACES), "size")]:
            with self.assertRaisesRegex(EcholuxError, sentence):
                call()

    def test_a_missing_program_is_said(self):
        with mock.patch.dict(os.environ, ECHOLUX_PROGRAM="/nowhere/echolux"):
            for call in (lambda: echolux.measure(CINE, None, PLACES), lambda: echolux.view(CINE)):
                with self.assertRaisesRegex(EcholuxError, "ECHOLUX_PROGRAM names '/nowhere/echolux'"):
                    call()
        with mock.patch.dict(os.environ, PATH="/nowhere"):
            del os.environ["ECHOLUX_PROGRAM"]
            with self.assertRaisesRegex(EcholuxError, "was not found; install it"):
                echolux.view(CINE)


class Files(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def test_a_recording_is_simulated_and_opened(self):
        options = {"elements": 16, "angles": "0", "depth": 20, "frames": 2}
        with echolux.simulate("plane-wave", self.folder / "wires.echolux.h5", **options) as recording:
            self.assertEqual((len(recording), recording.shape[1:3]), (2, (1, 16)))
        with self.assertRaisesRegex(EcholuxError, "exists"):
            echolux.simulate("plane-wave", self.folder / "wires.echolux.h5", **options)
        echolux.simulate("plane-wave", self.folder / "wires.echolux.h5", force=True, **options).close()
        with self.assertRaisesRegex(EcholuxError, "--elephants"):
            echolux.simulate("plane-wave", self.folder / "other.echolux.h5", elephants=3)

    def test_a_device_is_calibrated(self):
        device = {"samples": 512, "lines": 16, "frames": 1, "sample": "mirror", "calibration": "background"}
        for name, depth in (("near", 110), ("beyond", -90)):
            echolux.simulate("oct", self.folder / f"{name}.h5", mirror_depth=depth, **device).close()
        path = echolux.calibrate("k", self.folder / "near.h5", self.folder / "k.toml", mirror2=self.folder / "beyond.h5")
        with echolux.open(self.folder / "near.h5", calibration=path) as recording:
            self.assertEqual(recording.warnings, ())
            own = echolux.calibrate("background", recording, self.folder / "b.npz", lines=16)
            frames = echolux.calibrate("background", recording[:], self.folder / "c.npz", spec=recording.spec, lines=16)
            with numpy.load(own) as one, numpy.load(frames) as other:
                self.assertEqual(one["background"].shape, (512,))
                numpy.testing.assert_array_equal(one["background"], other["background"])
        with self.assertRaisesRegex(EcholuxError, "exists"):
            echolux.calibrate("background", self.folder / "near.h5", own)

    def test_what_is_exported_is_what_a_pipeline_gives(self):
        with echolux.open(CINE) as recording:
            pipeline = Pipeline("rf", recording, backend="cpu")
            pipeline.beamform.f_number = 2.5
            image = pipeline.run(recording[3])
            path = echolux.export(recording, self.folder / "image.npy", pipeline, frames=4, backend="cpu")
            numpy.testing.assert_array_equal(numpy.load(path).squeeze(), image)
            raw = echolux.export(recording[2:4], self.folder / "raw.npz", spec=recording.spec, output_of="recording")
            self.assertGreater(raw.stat().st_size, 2 * recording[0].nbytes // 4)
        picture = echolux.export(steps(), self.folder / "steps.png", axes=True, colour_bar=True, range="-30:0", invert=False)
        self.assertEqual(picture.read_bytes()[1:4], b"PNG")


class LiveRecordings(unittest.TestCase):
    def test_frames_of_a_live_source_have_their_times(self):
        with tempfile.TemporaryDirectory() as folder:
            file = str(pathlib.Path(folder) / "take.echolux.h5")
            source = "simulator:echoes?elements=16&waves=1&depth=20&density=1&rate=20"
            before = time.time_ns()
            subprocess.run([os.environ["ECHOLUX_PROGRAM"], "record", source, "-o", file, "--frames", "14", "--backend", "cpu"],
                           check=True, stdout=subprocess.DEVNULL)
            with echolux.open(file) as recording:
                stamps = recording.stamps
                self.assertEqual(len(stamps), 14)
                numpy.testing.assert_array_equal(numpy.diff(stamps.numbers), 1)
                arrivals = stamps.arrivals.astype(numpy.int64)
                self.assertTrue(before < arrivals[0] and arrivals[-1] < time.time_ns())
                numpy.testing.assert_allclose(stamps.times, (arrivals - arrivals[0]) * 1e-9, atol=1e-9)
                self.assertAlmostEqual(recording.rate * stamps.times[-1] / 13, 1, delta=0.05)
                self.assertTrue((stamps.device_ns == -1).all() and numpy.isnan(stamps.poses).all())
                self.assertEqual((stamps.poses.shape, stamps.space), ((14, 3, 4), ""))
        with echolux.open(CINE) as recording:
            self.assertIsNone(recording.stamps)


# Stands for the program: keeps what it was told, and what the program says of the file, in the folder KEPT.
STAND_IN = """#!/bin/sh
printf '%s\\n' "$@" > "$KEPT/arguments"
cp "$(dirname "$2")"/*.toml "$KEPT" 2>/dev/null
test "$3" = --pipeline && cp "$4" "$KEPT" 2>/dev/null
"$REAL" info "$2" --json > "$KEPT/info" || exit 2
test -e "$KEPT/open" && sleep 600
test -e "$KEPT/fails" && { echo 'a warning' >&2; echo 'echolux: Nothing can be shown.' >&2; exit 2; }
exit 0
"""


class Windows(unittest.TestCase):
    def setUp(self):
        self.kept = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.kept)
        (self.kept / "temporary").mkdir()
        program = self.kept / "program"
        program.write_text(STAND_IN)
        program.chmod(0o755)
        names = {"ECHOLUX_PROGRAM": str(program), "REAL": os.environ["ECHOLUX_PROGRAM"], "KEPT": str(self.kept)}
        environment = mock.patch.dict(os.environ, names)
        environment.start()
        self.addCleanup(environment.stop)
        temporary = mock.patch.object(tempfile, "tempdir", str(self.kept / "temporary"))
        temporary.start()
        self.addCleanup(temporary.stop)

    def shown(self):
        """The command line, and the facts of the file; nothing may be left behind."""
        self.assertEqual(list((self.kept / "temporary").iterdir()), [])
        return (self.kept / "arguments").read_text().splitlines(), json.loads((self.kept / "info").read_text())

    def test_a_recording_is_opened_where_it_lies(self):
        self.assertIsNone(echolux.view("testdata/sector.h5", pipeline="rf", options=["--size", "900x700"]))
        self.assertEqual(self.shown()[0], ["view", "testdata/sector.h5", "--pipeline", "rf", "--size", "900x700"])
        with echolux.open(CINE) as recording:
            echolux.view(recording)
        self.assertEqual(self.shown()[0], ["view", str(CINE)])

    def test_frames_keep_their_geometry(self):
        with echolux.open(TESTDATA / "sector.h5") as recording:
            expected = subprocess.run([os.environ["REAL"], "info", recording.path, "--json"], capture_output=True, check=True)
            echolux.view(recording[0], recording.spec, rate=25)
        _, facts = self.shown()
        of_file = json.loads(expected.stdout)
        differing = {key for key in of_file if of_file[key] != facts.get(key)}
        self.assertLessEqual(differing, {"path", "notes"}, differing)

    def test_a_pipeline_goes_along_as_it_is(self):
        with echolux.open(CINE) as recording:
            pipeline = Pipeline("rf", recording, backend="cpu")
            pipeline.log_compression.range_db = 35
            echolux.view(recording, pipeline=pipeline)
            self.assertIn("range_db = 35", (self.kept / "pipeline.toml").read_text())
            echolux.view(recording, pipeline=["to_float", ("bandpass", {"low": 1e6})])
            self.assertIn("low", (self.kept / "pipeline.toml").read_text())
        self.shown()

    def test_images_keep_their_axes(self):
        echolux.view(steps())
        _, facts = self.shown()
        self.assertIn("decibels", json.dumps(facts))
        sidecar = (self.kept / "steps.npy.toml").read_text()
        for line in ("depth_step = 0.0001", "depth_first = 0.005", "lateral_first = -0.003", "shown_range = [-60.0, 0.0]"):
            self.assertIn(line, sidecar)
        line = Frame(numpy.zeros(3, numpy.float32), (Axis("depth", 3, unit="m"),), "line", 0)
        with self.assertRaisesRegex(EcholuxError, "images of depth and lateral place in m, but 'line' has depth in m"):
            echolux.view(line)

    def test_every_kind_of_image_is_understood(self):
        with echolux.open(CINE) as recording:
            for stages, form in [(["to_float", "beamform"], "beamformed"), (["to_float", "analytic", "beamform"], "beamformed"),
                                 (["to_float", "analytic", "beamform", "envelope"], "envelope")]:
                echolux.view(Pipeline(stages, recording, backend="cpu").run(recording[:2]))
                self.assertIn(form, json.dumps(self.shown()[1]))
        with echolux.open(TESTDATA / "retina_cine.echolux.h5") as recording:
            echolux.view(Pipeline(None, recording, backend="cpu").run(recording[0]))
            self.shown()

    def test_what_the_program_refuses_is_raised(self):
        (self.kept / "fails").touch()
        with self.assertRaisesRegex(EcholuxError, "^Nothing can be shown.$"):
            echolux.view(CINE)
        self.shown()
        with self.assertRaisesRegex(EcholuxError, "needs its spec"):
            echolux.view(numpy.zeros((2, 3)))
        with echolux.open(CINE) as recording, self.assertRaisesRegex(EcholuxError, "but spec describes"):
            echolux.view(recording[0, 0], recording.spec)
        self.shown()

    def test_a_window_stays_open_beside_python(self):
        (self.kept / "open").touch()
        with echolux.open(CINE) as recording:
            window = echolux.view(recording[0], recording.spec, wait=False)
        end = time.monotonic() + 60
        while not (self.kept / "arguments").exists():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        self.assertTrue(window.is_open)
        with self.assertRaisesRegex(TimeoutError, "still open after 0"):
            window.wait(0)
        window.close()
        self.assertFalse(window.is_open)
        self.assertEqual(list((self.kept / "temporary").iterdir()), [])


@contextlib.contextmanager
def virtual_display():
    server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield {"DISPLAY": f":{server.stdout.readline().strip()}", "LIBGL_ALWAYS_SOFTWARE": "1", "QT_QPA_PLATFORM": "xcb"}
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


class Screen(unittest.TestCase):
    @unittest.skipUnless(shutil.which("Xvfb"), "Xvfb is not installed")
    def test_the_window_shows_frames_of_an_array(self):
        with tempfile.TemporaryDirectory() as folder, virtual_display() as display, mock.patch.dict(os.environ, display):
            stats = pathlib.Path(folder) / "stats.json"
            with echolux.open(CINE) as recording:
                echolux.view(recording[:3], recording.spec, pipeline=Pipeline("rf", recording, backend="cpu"),
                             options=["--backend", "cpu", "--exit-after", "5", "--stats", str(stats)])
            self.assertGreater(json.loads(stats.read_text())["frames"]["shown"], 0)


if __name__ == "__main__":
    unittest.main()
