#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions, replayed by the program that ECHOLUX_PROGRAM names, against images that the package computes by itself."""
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy

from python_here import ROOT, TESTDATA

import echolux

ECHOLUX = os.environ["ECHOLUX_PROGRAM"]
OTHER = "0" * 64


def digest(image):
    return hashlib.sha256(numpy.ascontiguousarray(image).tobytes()).hexdigest()


class Replayed(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def replay(self, lines, *more):
        session = self.folder / "a.session"
        session.write_text("echolux session 1\n" + "".join(line + "\n" for line in lines))
        return subprocess.run([ECHOLUX, "replay", session, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_script(self, script):
        return subprocess.run([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "app/library/python")})

    def repeats(self, lines, image, view="image"):
        """The image comes out of a replay and of the script that it writes; another digest does not."""
        script = self.folder / "a.py"
        done = self.replay([*lines, f"image.values {view} {digest(image)}"], "--python", script, "--force", "-o", self.folder / "images")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertIn("1 of 1 images are the same to the bit", done.stdout)
        written, = (self.folder / "images").glob("*.npy")
        drawn = numpy.load(written)  # depth runs down
        numpy.testing.assert_array_equal(drawn if drawn.shape == image.shape else drawn.T, image)
        again = self.run_script(script)
        self.assertEqual(again.returncode, 0, again.stdout)
        self.assertIn("1 of 1 images are the same to the bit.", again.stdout)

    def test_values_and_frames(self):
        with echolux.open(TESTDATA / "phantom_cine.echolux.h5") as recording:
            pipeline = echolux.Pipeline(None, recording, backend="cpu")
            pipeline.beamform.f_number = 1.1
            pipeline.beamform.speed_of_sound = 1500.0
            pipeline.bypass("log_compression")
            image = numpy.asarray(pipeline.run(recording[11]))
        self.repeats([f"recording.open {recording.path}", "parameters", "  beamform.f_number 1.1",
                      "  beamform.speed_of_sound 1.5 km/s", "parameters.log_compression.bypass on", "playback.frame 12"], image)

    def test_windows_that_slide(self):
        with echolux.open(TESTDATA / "vessel_flow.echolux.h5") as recording:
            pipeline = echolux.Pipeline("colour_flow_sliding", recording, backend="cpu")
            for frame in recording[:13]:
                image = pipeline.run(frame, "velocity")
        self.repeats([f"recording.open {recording.path}", "pipeline.open colour_flow_sliding", "playback.frame 13"],
                     numpy.asarray(image), "velocity")

    def test_ensembles(self):
        with echolux.open(TESTDATA / "vessel_flow.echolux.h5") as recording:
            pipeline = echolux.Pipeline("colour_flow", recording, backend="cpu")
            count = pipeline.input.shape[0]
            image = numpy.asarray(pipeline.run(recording[count:2 * count], "velocity"))
        self.repeats([f"recording.open {recording.path}", "pipeline.open colour_flow", f"playback.frame {count + 2}"],
                     image, "velocity")

    def test_sectors_and_pipelines_as_texts(self):
        with echolux.open(TESTDATA / "sector.h5") as recording:
            pipeline = echolux.Pipeline(None, recording, backend="cpu")
            image = numpy.asarray(pipeline.run(recording[0]))
            text = pipeline.text
        self.repeats([f"recording.open {recording.path}", "pipeline.text", *("  " + line for line in text.splitlines())], image)

    def test_calibrations_and_bscans(self):
        with echolux.open(TESTDATA / "retina_volume.echolux.h5") as volume:
            spectra = numpy.asarray(volume[0], numpy.float64)
            image = numpy.asarray(echolux.Pipeline(None, volume, backend="cpu").run(volume[0]))
        chosen = image[2] if image.ndim > 2 else image
        self.repeats([f"recording.open {volume.path}", "playback.bscan 3", "playback.frame 1"], chosen)
        background = spectra.reshape(-1, spectra.shape[-1]).mean(axis=0).astype(numpy.float32)
        values = ", ".join(repr(float(value)) for value in background)
        calibration = ["echolux_calibration = 1", f"background = [{values}]"]
        path = self.folder / "c.toml"
        path.write_text("\n".join(calibration) + "\n")
        with echolux.open(TESTDATA / "retina_volume.echolux.h5", calibration=path) as volume:
            image = numpy.asarray(echolux.Pipeline(None, volume, backend="cpu").run(volume[0]))
        for written in (self.folder / "images").iterdir():
            written.unlink()
        self.repeats([f"recording.open {volume.path}", "calibration.text", *("  " + line for line in calibration),
                      "playback.bscan 3"], image[2] if image.ndim > 2 else image)

    def test_another_image_is_told(self):
        path = TESTDATA / "phantom_cine.echolux.h5"
        script = self.folder / "a.py"
        done = self.replay([f"recording.open {path}", f"image.values image {OTHER}"], "--python", script)
        self.assertEqual(done.returncode, 2)
        self.assertIn("! image, frame 1: differs", done.stdout)
        self.assertEqual(done.stderr, "echolux: Images differ: the recording, or this version of the program, is another.\n")
        self.assertEqual(self.run_script(script).returncode, 1)
        done = self.replay(["session.backend cuda", f"recording.open {path}", f"image.values image {OTHER}"])
        self.assertEqual(done.stderr, "echolux: The session was seen on cuda, which rounds differently; only sessions of the "
                                      "CPU are repeated to the bit.\n")

    def test_wrong_lines_are_named(self):
        path = TESTDATA / "phantom_cine.echolux.h5"
        for lines, sentence in {
                ("playback.frame 1",): "a.session, line 2: no recording is open; write 'recording.open FILE' before this line.",
                (f"recording.open {path}", "playback.frame 33"): "a.session, line 3: phantom_cine.echolux.h5 has frames 1 to 32, not 33.",
                (f"recording.open {path}", "image.values side 00"): "side",
                (f"recording.open {path}", "calibration.text"): "a.session, line 3: the recording holds no spectra, so no "
                                                                "calibration belongs to it.",
                (f"recording.open {path}", "parameters.beamform.f_number -1"): "a.session, line 3: ",
                ("recording.open shared:probe",): "a.session, line 2: 'shared:probe' is a live source, whose frames are gone; "
                                                  "record them (Ctrl+R), and begin the session with that file.",
                ("recording.open none.h5",): "none.h5",
                ("pipeline.open rf",): "a.session, line 2: no recording is open",
                (f"recording.open {path}", "pipeline.open none"): "a.session, line 3: ",
                (f"recording.open {path}", "pipeline.text", "  version = 1"): "a.session, line 3: "}.items():
            done = self.replay(lines)
            self.assertEqual(done.returncode, 2, lines)
            self.assertIn(sentence, done.stderr)

    def test_what_a_program_reads(self):
        path = TESTDATA / "phantom_cine.echolux.h5"
        done = self.replay([f"recording.open {path}", "playback.frame 2", f"image.values image {OTHER}"], "--json")
        self.assertEqual(json.loads(done.stdout), [{"view": "image", "frame": 2, "same": False}])

    def test_commands_of_the_window_are_counted(self):
        done = self.replay(["view.theme.light", "image.scale_bar"])
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (0, "2 entries for a window passed over"))


if __name__ == "__main__":
    unittest.main()
