#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages in Python on a GPU, with CuPy: against NumPy, and against the same stages on the CPU.

Needs the Python that has CuPy. Exit status 77: skipped, because CuPy or a CUDA device is missing."""
import os
import sys
import unittest

import numpy

from cupti_copies import Copies
from python_stage_test import EXAMPLE, IMAGE, SPEC, Folder

import echolux
from echolux import Axis, Pipeline, Spec

SEEN = []  # what a stage tells the test
LARGE = Spec("f32", [Axis("depth", 1500, 1e-4, 0.0, "m"), Axis("lateral", 700, 1e-4, 0.0, "m")])


class OnGpu(Folder):
    def pipelines(self, name, text, stages=None, spec=SPEC):
        """The same stages on the GPU and on the CPU."""
        path = self.allowed(name, "import numpy\nfrom echolux_stages import *\n" + text)
        stages = stages or [name]
        return [Pipeline(stages, spec, plugins=[path], backend=backend) for backend in ("cuda", "cpu")]

    def test_the_function_gets_the_frame_in_gpu_memory(self):
        del SEEN[:]
        on_gpu, on_cpu = self.pipelines("looks", """
import __main__
@stage(gpu=True)
def looks(image, frame, gain=Real(2.0, 0.0, 9.0)):
    xp = array_module(image)
    if xp is not numpy:
        memory = xp.cuda.runtime.pointerGetAttributes(image.data.ptr)
        __main__.SEEN.append((type(image.data.mem).__name__, memory.type, image.device.id == memory.device,
                           xp.cuda.get_current_stream().ptr != 0, image.flags.c_contiguous, frame.shape == image.shape))
    return xp.sqrt(image) * gain
""")
        expected = numpy.sqrt(IMAGE) * 3
        for pipeline in (on_gpu, on_cpu):
            pipeline["looks.gain"] = 3
            numpy.testing.assert_allclose(pipeline.run(IMAGE), expected, rtol=1e-6)
        device_memory = 2  # cudaMemoryTypeDevice
        self.assertEqual(set(SEEN), {("UnownedMemory", device_memory, True, True, True, True)})

    def test_nothing_is_copied_to_the_host(self):
        try:
            copies = Copies()
        except OSError as error:
            self.skipTest(f"CUPTI: {error}")
        import cupy
        path = self.allowed("roots", """
from echolux_stages import *
@stage(gpu=True)
def roots(image, gain=Real(3.0, 0.0, 9.0)): return array_module(image).sqrt(image) * gain
""")
        frames = [numpy.full(LARGE.shape, number, "f4") for number in range(20)]

        def copied(*backends):
            stages = [echolux.Stage("roots", id=f"roots_{n}", backend=backend) for n, backend in enumerate(backends)]
            pipeline = Pipeline(stages, LARGE, plugins=[path], backend="cuda")
            expected = numpy.arange(20)
            for _ in stages:
                expected = 3 * numpy.sqrt(expected)
            for frame in frames[:2]:
                cupy.asarray(pipeline.run_on_gpu(frame)).mean()  # compiles the kernels
            means = []
            copies.start()
            for frame in frames:
                means.append(cupy.asarray(pipeline.run_on_gpu(frame)).mean())
                cupy.cuda.runtime.deviceSynchronize()
            seen = copies.count()
            numpy.testing.assert_allclose([float(mean) for mean in means], expected, rtol=1e-5)
            return seen["to host"], seen["to GPU"]

        self.assertEqual(copied(None), (0, 20))
        self.assertEqual(copied(None, "cpu"), (20, 40))

    def test_frames_in_flight_are_those_of_numpy(self):
        """Temporaries of one frame must not be those of another one, and kernels must run in order."""
        on_gpu, _ = self.pipelines("busy", """
@stage(gpu=True)
def busy(image, turns=Integer(30, 1, 100)):
    xp = array_module(image)
    total = image * 0
    for turn in range(turns):
        total = total + xp.roll(image, turn, axis=0) * (turn + 1)
    return total
""", ["to_float", "busy", echolux.Stage("compare", inputs={"in2": "to_float"})], LARGE)
        random = numpy.random.default_rng(5)
        frames = [random.uniform(-1, 1, LARGE.shape).astype("f4") for _ in range(12)]
        for frame, result in zip(frames, on_gpu.stream(frames)):
            expected = sum(numpy.roll(frame, turn, axis=0).astype("f8") * (turn + 1) for turn in range(30)) - frame
            numpy.testing.assert_allclose(result, expected, rtol=0, atol=1e-5 * numpy.abs(expected).max())

    def test_what_a_function_keeps_is_complete_in_later_frames(self):
        """Each frame runs on another stream than the one before, and reads what that one made last."""
        on_gpu, on_cpu = self.pipelines("sums", """
kept = {}
@stage(gpu=True)
def sums(image):
    xp = array_module(image)
    total = kept.get(xp.__name__, 0) + image
    for _ in range(40):  # the next frame is enqueued long before this ends
        total = total * 1.0
    kept[xp.__name__] = total
    return total
""", spec=LARGE)
        frames = [numpy.full(LARGE.shape, 2.0 ** (number % 8), "f4") for number in range(24)]
        expected = numpy.cumsum([frame[0, 0] for frame in frames])
        for pipeline in (on_gpu, on_cpu):
            for total, result in zip(expected, pipeline.stream(frames)):
                self.assertEqual((result.data.min(), result.data.max()), (total, total))

    def test_a_plan_changes_axes_and_samples(self):
        pipelines = self.pipelines("rows", """
def fewer(frame, step):
    depth, lateral = frame.axes
    return frame.like([Axis("depth", -(-depth.size // step), depth.spacing * step, depth.origin, "m"), lateral], "c8")
@stage(gpu=True, plan=fewer, axes=("depth", "lateral"))
def rows(image, step=Integer(2, 1, 4, structural=True)):
    return image[::step] * 1j
""")
        for pipeline in pipelines:
            for step in (2, 4, 1):
                pipeline["rows.step"] = step
                numpy.testing.assert_array_equal(pipeline.run(IMAGE), IMAGE[::step] * 1j)

    def test_transforms_and_sorting_run_on_the_stream(self):
        on_gpu, on_cpu = self.pipelines("smooth", """
@stage(gpu=True)
def smooth(image):
    xp = array_module(image)
    spectrum = xp.fft.rfft(image, axis=0)
    spectrum[20:] = 0
    return xp.fft.irfft(spectrum, image.shape[0], axis=0) + xp.sort(image, axis=0)
""", spec=LARGE)
        frame = numpy.random.default_rng(6).normal(size=LARGE.shape).astype("f4")
        for _ in range(4):
            numpy.testing.assert_allclose(on_gpu.run(frame), on_cpu.run(frame), rtol=0, atol=1e-4)

    def test_branches_and_stages_on_the_cpu_between(self):
        both = self.pipelines("mixed", """
@stage(gpu=True)
def twice(image): return image * 2
@stage
def plus_one(image): return image + 1
@stage(gpu=True)
def halves(image): return image / 2
""", ["to_float", "twice", "plus_one", "halves", echolux.Stage("compare", inputs={"in2": "twice"})])
        for number in range(6):
            for pipeline in both:
                frame = IMAGE + number
                numpy.testing.assert_allclose(pipeline.run(frame), (frame * 2 + 1) / 2 - frame * 2, rtol=1e-6)

    def test_what_goes_wrong_is_a_sentence_and_the_next_frames_run(self):
        on_gpu, _ = self.pipelines("wrong_there", """
import echolux_stages
echolux_stages.LONGEST_GPU_CALL_S = 20.0
@stage(gpu=True)
def wrong_there(image, how=Choice("not", "raises", "shape", "complex", "host", "none", "within", "kernel")):
    xp = array_module(image)
    if how == "raises":
        return 1 / 0
    if how == "shape":
        return image[1:]
    if how == "complex":
        return image * 1j
    if how == "host":
        return numpy.ones(image.shape, "f4")
    if how == "none":
        return None
    if how == "within":
        xp.reshape(image, (7, 7))
    if how == "kernel":
        xp.RawKernel("this is no C", "f")((1,), (1,), ())
    return image
""")
        for how, words in {"raises": ["ZeroDivisionError", "line 10"], "shape": ["[5, 4]", "[6, 4]"], "complex": ["complex"],
                           "host": ["numpy", "CuPy"], "none": ["NoneType"], "within": ["ValueError", "line 20"],
                           "kernel": ["line 22"]}.items():
            on_gpu["wrong_there.how"] = how
            for _ in range(4):  # more than there are slots
                self.failure(lambda: on_gpu.run(IMAGE), "wrong_there", *words)
            on_gpu["wrong_there.how"] = "not"
            frames = [IMAGE + number for number in range(7)]
            for frame, result in zip(frames, on_gpu.stream(frames)):
                numpy.testing.assert_array_equal(result, frame)

    def test_unused_memory_is_given_back_when_sizes_change(self):
        import cupy
        pool = cupy.get_default_memory_pool()
        on_gpu, _ = self.pipelines("sizes", """
def fewer(frame, rows):
    return frame.like([Axis("depth", rows, 1e-4, 0.0, "m"), frame.axes[1]])
@stage(gpu=True, plan=fewer, axes=("depth", "lateral"))
def sizes(image, rows=Integer(1500, 1, 1500, structural=True)):
    return (image * 2)[:rows] / 2
""", spec=LARGE)
        frame = numpy.ones(LARGE.shape, "f4")
        for rows in (1500, 1000):
            on_gpu["sizes.rows"] = rows
            numpy.testing.assert_array_equal(on_gpu.run(frame), frame[:rows])
        self.assertGreaterEqual(pool.total_bytes(), frame.nbytes)
        on_gpu["sizes.rows"] = 3
        self.assertEqual(pool.free_bytes(), 0)

    def test_the_example_computes_the_same_on_both(self):
        path = str(EXAMPLE / "root.py")
        echolux.allow_plugin(path)
        frame = numpy.random.default_rng(7).exponential(size=LARGE.shape).astype("f4")
        images = {}
        for backend in ("cuda", "cpu"):
            pipeline = Pipeline(["root"], LARGE, plugins=[path], backend=backend)
            pipeline["root.exponent"] = 0.3
            images[backend] = pipeline.run(frame).data
            numpy.testing.assert_allclose(images[backend], frame.astype("f8") ** 0.3, rtol=2e-6)


def missing():
    """Why nothing can be tested; empty where it can."""
    try:
        import cupy
        cupy.cuda.runtime.getDeviceCount()
    except Exception as error:
        return f"CuPy: {error}"
    return "" if echolux.gpu_count() else "libecholux finds no GPU"


if __name__ == "__main__":
    reason = missing()
    if reason and os.environ.get("ECHOLUX_REQUIRE_GPU") != "1":
        print(f"skipped: {reason}")
        sys.exit(77)
    unittest.main(defaultTest="OnGpu")
