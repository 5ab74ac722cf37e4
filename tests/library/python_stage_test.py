#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages in Python: in the interpreter that runs this test, and in the one that the program ECHOLUX_PROGRAM starts."""
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

import numpy

from python_here import CINE, ROOT

import echolux
from echolux import Axis, EcholuxError, Pipeline, Spec

SPEC = Spec("f32", [Axis("depth", 6, 1e-4, 5e-3, "m"), Axis("lateral", 4, 2e-4, 0.0, "m")])
IMAGE = numpy.arange(24, dtype=numpy.float32).reshape(6, 4)
EXAMPLE = ROOT / "resources/plugins/root"


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def plugin(self, name, text):
        path = self.folder / f"{name}.py"
        path.write_text(textwrap.dedent(text))
        return str(path)

    def allowed(self, name, text):
        path = self.plugin(name, text)
        echolux.allow_plugin(path)
        return path

    def failure(self, call, *words):
        with self.assertRaises(EcholuxError) as caught:
            call()
        for word in words:
            self.assertIn(word, str(caught.exception))
        return str(caught.exception)


class InThisProcess(Folder):
    def test_parameters_are_sliders_with_defaults(self):
        path = self.allowed("every", """\
            from echolux_stages import Choice, Flag, Integer, Real, stage
            @stage(label="Every kind")
            def every_kind(image, gain=Real(2.0, 0.0, 9.0, unit="dB", label="Gain"), shift=Integer(1, -5, 5),
                           negate=Flag(), way=Choice("plain", "flipped")):
                '''Does a little of everything.
                Not this.'''
                image = image * gain + shift
                image = -image if negate else image
                return image[::-1] if way == "flipped" else image
            """)
        pipeline = Pipeline(["every_kind"], SPEC, plugins=[path])
        numpy.testing.assert_array_equal(pipeline.run(IMAGE), IMAGE * 2 + 1)
        gain = pipeline.parameters["every_kind.gain"]
        self.assertEqual((gain.label, gain.unit, gain.minimum, gain.maximum, gain.value), ("Gain", "dB", 0, 9, 2))
        pipeline["every_kind.gain"] = 3
        pipeline["every_kind.negate"] = True
        pipeline["every_kind.way"] = "flipped"
        numpy.testing.assert_array_equal(pipeline.run(IMAGE), -(IMAGE * 3 + 1)[::-1])
        self.failure(lambda: pipeline.__setitem__("every_kind.gain", 10), "gain", "0 to 9")

    def test_a_plan_changes_axes_and_samples(self):
        path = self.allowed("halves", """\
            from echolux_stages import Axis, Integer, stage
            def fewer(frame, step):
                depth, lateral = frame.axes
                return frame.like([Axis("depth", -(-depth.size // step), depth.spacing * step, depth.origin, "m"), lateral],
                                  "c8")
            @stage(plan=fewer, axes=("depth", "lateral"))
            def every_nth_row(image, step=Integer(2, 1, 4, structural=True)):
                return image[::step] * 1j
            """)
        pipeline = Pipeline(["every_nth_row"], SPEC, plugins=[path])
        out = pipeline.run(IMAGE)
        numpy.testing.assert_array_equal(out, IMAGE[::2] * 1j)
        self.assertEqual((out.axes[0].size, out.axes[0].spacing, out.axes[0].origin), (3, 2e-4, 5e-3))
        pipeline["every_nth_row.step"] = 4
        self.assertEqual(pipeline.run(IMAGE).shape, (2, 4))

    def test_facts_of_the_frame(self):
        path = self.allowed("facts", """\
            from echolux_stages import stage
            @stage
            def rate(samples, frame):
                return samples * 0 + frame.facts["sampling_frequency_hz"]
            """)
        spec = Spec("f32", [Axis("transmit", 1), Axis("channel", 2), Axis("sample", 8, 1e-7, unit="s")])
        out = Pipeline(["rate"], spec, plugins=[path]).run(numpy.zeros(spec.shape, spec.dtype))
        numpy.testing.assert_allclose(out, 1e7, rtol=1e-6)

    def test_what_goes_wrong_is_a_sentence_and_the_next_frame_runs(self):
        path = self.allowed("wrong", """\
            import echolux_stages, numpy as np
            from echolux_stages import Choice, stage
            echolux_stages.LONGEST_CALL_S = 0.5
            @stage
            def goes_wrong(image, how=Choice("not", "raises", "shape", "complex", "forever", "writes", "none", "within")):
                if how == "raises":
                    return 1 / 0
                if how == "shape":
                    return image[1:]
                if how == "complex":
                    return image * 1j
                if how == "writes":
                    image[0] = 1
                if how == "none":
                    return None
                if how == "within":
                    np.linalg.inv(image[:, :3])
                while how == "forever":
                    pass
                return image
            """)
        pipeline = Pipeline(["goes_wrong"], SPEC, plugins=[path])
        for how, words in {"raises": ["ZeroDivisionError", "line 7"], "shape": ["[5, 4]", "[6, 4]"],
                           "complex": ["complex"], "forever": ["0.5 s"], "writes": ["read-only", "line 13"],
                           "none": ["shape"], "within": ["LinAlgError", "line 17"]}.items():
            pipeline["goes_wrong.how"] = how
            self.failure(lambda: pipeline.run(IMAGE), "goes_wrong", path, *words)
            pipeline["goes_wrong.how"] = "not"
            numpy.testing.assert_array_equal(pipeline.run(IMAGE), IMAGE)

    def limits(self, **values):
        """Sets limits of echolux_stages for this test."""
        import echolux_stages  # Echolux has put it there
        for name, value in values.items():
            self.addCleanup(setattr, echolux_stages, name, getattr(echolux_stages, name))
            setattr(echolux_stages, name, value)

    def test_what_does_not_end_is_ended(self):
        self.allowed("ends", """\
            from echolux_stages import stage
            @stage
            def ends(image):
                return image
            """)
        self.limits(LONGEST_IMPORT_S=0.3, LONGEST_CALL_S=0.4)
        for number, text in enumerate(["while True: pass", "while True:\n  try:\n    1 / 0\n  except Exception:\n    pass"]):
            path = self.plugin(f"endless_{number}", text)
            self.failure(lambda: echolux.allow_plugin(path), f"endless_{number}.py", "did not return within 0.3 s", "line")
        path = self.allowed("plans", """\
            from echolux_stages import stage
            def endless(frame):
                while True:
                    pass
            @stage(plan=endless)
            def plans_forever(image):
                return image
            """)
        self.failure(lambda: Pipeline(["plans_forever"], SPEC, plugins=[path]), "plans_forever", "did not return within 0.4 s",
                     "(line ")

    def test_memory_without_bound_is_ended(self):
        path = self.allowed("grows", """\
            from echolux_stages import Flag, stage
            @stage
            def grows(image, much=Flag(True)):
                kept = []
                while much and len(kept) < 3000:  # the test must not take the computer down
                    kept.append(b"x" * (1 << 20))
                return image
            """)
        self.limits(MOST_MEMORY=200 << 20, LONGEST_CALL_S=600.0)
        pipeline = Pipeline(["grows"], SPEC, plugins=[path])
        self.failure(lambda: pipeline.run(IMAGE), "grows", "it took more than 0.195 GiB of memory", "(line ")
        pipeline["grows.much"] = False
        numpy.testing.assert_array_equal(pipeline.run(IMAGE), IMAGE)

    def test_recursion_without_bound_is_ended(self):
        before = sys.getrecursionlimit()
        path = self.allowed("recurses", """\
            import sys
            from echolux_stages import stage
            @stage
            def recurses(image):
                sys.setrecursionlimit(10**9)
                def deeper(depth):
                    return deeper(depth + 1) + 1
                return deeper(0)
            """)
        pipeline = Pipeline(["recurses"], SPEC, plugins=[path])
        self.failure(lambda: pipeline.run(IMAGE), "recurses", "RecursionError", "line 7")
        self.assertEqual(sys.getrecursionlimit(), before)
        sys.setrecursionlimit(before + 1)  # this program may
        self.assertEqual(sys.getrecursionlimit(), before + 1)
        sys.setrecursionlimit(before)

    def test_files_that_define_nothing_usable_are_refused(self):
        for number, (text, words) in enumerate([
                ("\n", ["defines no stage"]),
                ("def (", ["SyntaxError", "line 1"]),
                ("import no_such_module_anywhere", ["ModuleNotFoundError", "line 1"]),
                ("from echolux_stages import stage\n@stage\ndef a(image, gain): pass", ["gain", "Real("]),
                ("from echolux_stages import *\n@stage\ndef b(i, gain=Real(5, 0, 1)): pass", ["gain", "0 to 1"]),
                ("from echolux_stages import *\n@stage\ndef c(i, gain=Real(1, 2, 0)): pass", ["gain", "minimum"]),
                ("from echolux_stages import *\n@stage\ndef g(i, gain=Real(float('nan'), 0, 1)): pass", ["default", "Real", "nan"]),
                ("from echolux_stages import *\n@stage(dtypes=['f99'])\ndef d(i): pass", ["f99"]),
                ("from echolux_stages import *\n@stage\ndef Upper(i): pass", ["Upper"]),
                ("from echolux_stages import *\n@stage\ndef beamform(i): pass", ["beamform"]),
                ("from echolux_stages import *\n@stage\ndef e(i): pass\n@stage\ndef e(i): pass", ["'e'", "twice"]),
                ("\0", ["no text in Python"])]):
            path = self.plugin(f"refused_{number}", text)
            self.failure(lambda: echolux.allow_plugin(path), f"refused_{number}.py", *words)

    def test_plans_that_lie_are_refused(self):
        for number, (result, word) in enumerate([
                ("frame.like([])", "no axes"), ("frame.like([Axis('depth', 0)])", "size 0"),
                ("frame.like([Axis('depth', 2**31), Axis('lateral', 2**31)])", "10^10"),
                ("frame.like([Axis('depth', 3, float('nan'))])", "spacing nan"),
                ("frame.like([Axis('depth', 3, origin=float('inf'))])", "origin inf"),
                ("frame.like([Axis('depth', 10**30)])", "size 1000"), ("frame.like(dtype='f8')", "float64"),
                ("frame.like([Axis('width', 3)])", "width"), ("None", "NoneType")]):
            path = self.allowed(f"lies_{number}", f"""\
                from echolux_stages import *
                @stage(plan=lambda frame: {result})
                def lies_{number}(image):
                    return image
                """)
            sentence = self.failure(lambda: Pipeline([f"lies_{number}"], SPEC, plugins=[path]), f"lies_{number}", word)
            self.assertNotIn("json", sentence)


class InTheProgram(Folder):
    def setUp(self):
        super().setUp()
        self.environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder)}

    def run_program(self, *words):
        return subprocess.run([os.environ["ECHOLUX_PROGRAM"], *words], capture_output=True, text=True,
                              env=self.environment, cwd=self.folder)

    def images(self, pipeline, *outputs):
        written = [f"--write={name}={self.folder / name}.npy" for name in outputs]
        done = self.run_program("run", str(pipeline), str(CINE), "--frames", "2", *written)
        return done, [numpy.load(self.folder / f"{name}.npy") if done.returncode == 0 else None for name in outputs]

    def test_the_example_runs_when_it_is_allowed(self):
        pipeline = self.folder / "root.toml"
        text = (EXAMPLE / "root.toml").read_text().replace('"root.py"', f'"{EXAMPLE / "root.py"}"')
        text += '[[view]]\ninput = "envelope"\n[[view]]\ninput = "root"\n'
        pipeline.write_text(text)
        done, _ = self.images(pipeline, "envelope")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("plugins allow", done.stderr)
        self.assertEqual(self.run_program("plugins", "allow", str(EXAMPLE / "root.py")).returncode, 0)
        done, (amplitudes, roots) = self.images(pipeline, "envelope", "root")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(amplitudes.max(), 0)
        numpy.testing.assert_allclose(roots, numpy.sqrt(amplitudes), rtol=1e-6)

    def test_packages_of_a_virtual_environment_come_first(self):
        path = self.plugin("where", """\
            import os, sys
            from echolux_stages import stage
            places = [path for path in sys.path if path.endswith("-packages")]
            own = [path.startswith(os.environ["VIRTUAL_ENV"]) for path in places]
            if not own[0] or all(own) != bool(os.environ.get("APART")):
                raise LookupError(places)
            @stage
            def where(image):
                '''Hands on.'''
                return image
            """)
        self.environment["VIRTUAL_ENV"] = str(self.folder)
        for minor in range(9, 17):
            (self.folder / f"lib/python3.{minor}/site-packages").mkdir(parents=True)
        config = self.folder / "pyvenv.cfg"
        for has_numpy, system, apart in ((False, "false", ""), (True, "true", ""), (True, "false", "1")):
            config.write_text(f"home = /usr/bin\ninclude-system-site-packages = {system}\n")
            if has_numpy:
                for packages in self.folder.glob("lib/*/*"):
                    (packages / "numpy").unlink(missing_ok=True)
                    (packages / "numpy").symlink_to(pathlib.Path(numpy.__file__).parent)
            self.environment["APART"] = apart
            done = self.run_program("stages", "--test", path)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_checks_of_stages_run_on_it(self):
        done = self.run_program("stages", "--test", str(EXAMPLE / "root.py"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("root", done.stdout)


if __name__ == "__main__":
    unittest.main()
