#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python client: frames to `echolux record`, and frames of `echolux serve`, to the byte."""
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../app/live/client"))
import numpy as np

from echolux_live import Reader, Writer

ECHOLUX, CINE = sys.argv[1:3]
NAME = f"python-{os.getpid()}"
TEXT = """sound_speed = 1540
probe.pitch = 0.3e-3
transmit.angles = [0]
signal = { sampling_frequency = 20e6, centre_frequency = 5e6, frame_rate = 100 }
[data]
dtype = "<i2"
shape = [8, 64]
axes = ["channel", "sample"]
"""


def until(condition):
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.01)


def frame(number):
    return np.arange(512, dtype=np.int16).reshape(8, 64) + np.int16(number)


def frames_are_recorded():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "live.echolux.h5")
        stop = threading.Event()

        def write():
            with Writer(NAME, 1024, TEXT, blocks=True) as out:
                number = 0
                while not stop.is_set():
                    out.write(frame(number), number=number)
                    number += 1
                    time.sleep(1e-3)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            done = subprocess.run([ECHOLUX, "record", "shared:" + NAME, "-o", file, "--frames",
                                   "30"], capture_output=True, text=True, timeout=300)
        finally:
            stop.set()
            writer.join()
        assert done.returncode == 0, done.stderr
        assert "30 frames" in done.stdout and "lost at the source 0" in done.stdout, done.stdout
        exported = os.path.join(folder, "frames.npy")
        subprocess.run([ECHOLUX, "export", file, "--output-of", "recording", "-o", exported],
                       check=True, capture_output=True, timeout=300)
        frames = np.load(exported).reshape(30, 8, 64)
        first = int(frames[0, 0, 0])
        for n in range(30):
            assert np.array_equal(frames[n], frame(first + n)), n


def frames_are_served():
    server = subprocess.Popen([ECHOLUX, "serve", CINE, "--name", NAME, "--rate", "500", "--block"],
                              stdout=subprocess.PIPE, text=True)
    try:
        assert "shared:" + NAME in server.stdout.readline()
        reader = Reader(NAME)
        assert reader.description.startswith(b"\x89HDF")
        seen = []
        for number, samples in reader:
            assert samples.size == reader.frame_bytes
            seen.append((number, int(samples.astype(np.int64).sum())))
            if len(seen) == 40:
                break
        reader.close()
        numbers = [number for number, _ in seen]
        assert numbers == list(range(numbers[0], numbers[0] + 40)) and reader.lost == 0, numbers
        server.send_signal(2)
        assert "frames/s" in server.communicate(timeout=120)[0]
    finally:
        server.kill()
    assert not os.path.exists("/dev/shm/echolux-" + NAME)


def memory_that_is_laid_out_anew_is_followed():
    with Writer(NAME, 1024, TEXT) as out:
        out.write(frame(0))
        reader = Reader(NAME)
        frames = iter(reader)
        assert next(frames)[0] == 0
        out._header["generation"] += np.uint64(1)
        text = np.frombuffer(reader.description, np.uint8).copy()
        text[-1] = ord(" ")
        out._bytes[4096:4096 + text.size] = text  # another description
        out._next = 0
        out._header["published"] = 0
        out._header["generation"] += np.uint64(1)
        for number in range(3):
            out.write(frame(100 + number), number=number)
        for number in range(3):
            seen, samples = next(frames)
            assert seen == number and samples.view(np.int16)[0] == 100 + number
        assert reader.description.endswith(b" ") and reader.lost == 0
        out._next = 0  # a counter that is set back, and a reader that is too slow: there are 16 slots
        out._header["published"] = 0
        for number in range(20):
            out.write(frame(number), number=number)
        assert next(frames)[0] == 4 and reader.lost == 1, "3 is lost; 0 to 2 were read under these numbers"
        reader.close()


def places_are_recorded():
    """Through the program: each frame keeps its number, its clock and its place; the rate is that of the clock."""
    quarter = np.sqrt(0.5)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "placed.echolux.h5")
        stop = threading.Event()

        def write():
            with Writer(NAME, 1024, TEXT, blocks=True) as out:
                number = 0
                while not stop.is_set():
                    out.write(frame(number), number=number, time_ns=10**9 + number * 10**8,
                              position=(0.1, 0.001 * number, -0.2), rotation=(quarter, 0, 0, quarter))
                    number += 1
                    time.sleep(1e-3)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            subprocess.run([ECHOLUX, "record", "shared:" + NAME, "-o", file, "--frames", "12"], check=True,
                           capture_output=True, timeout=300)
        finally:
            stop.set()
            writer.join()
        said = json.loads(subprocess.run([ECHOLUX, "info", file, "--json", "--stamps"], check=True, capture_output=True,
                                         timeout=300).stdout)
        stamps = said["stamps"]
        assert abs(said["frame_rate_hz"] - 10) < 1e-6 and any("10" in each for each in said["warnings"]), said["warnings"]
        for number, device, pose in zip(stamps["number"], stamps["device_time_ns"], stamps["pose"]):
            assert device == 10**9 + number * 10**8
            # A quarter turn about z: lateral becomes y, elevation -x.
            expected = [[0, -1, 0, 0.1], [1, 0, 0, 0.001 * number], [0, 0, 1, -0.2]]
            np.testing.assert_allclose(np.reshape(pose, (3, 4)), expected, atol=1e-6)
        archive = os.path.join(folder, "placed.npz")
        subprocess.run([ECHOLUX, "export", file, "--output-of", "recording", "--frames", "3:7", "-o", archive], check=True,
                       capture_output=True, timeout=300)
        with np.load(archive) as arrays:
            np.testing.assert_allclose(arrays["time"], 0.1 * np.arange(5), atol=1e-9)
            np.testing.assert_allclose(arrays["device_time"], np.array(stamps["device_time_ns"][2:7]) * 1e-9, rtol=1e-12)
            np.testing.assert_allclose(arrays["arrival"], np.array(stamps["arrival_ns"][2:7]) * 1e-9, rtol=1e-12)
            np.testing.assert_allclose(arrays["frame_pose"].reshape(5, 12), stamps["pose"][2:7], atol=1e-12)
        table = subprocess.run([ECHOLUX, "info", file, "--stamps"], check=True, capture_output=True, text=True,
                               timeout=300).stdout.splitlines()
        assert len(table) == 13 and table[0].startswith("frame,number,device_time_ns,arrival_ns,space,x_lateral"), table[0]


def wrong_words_are_refused():
    for name, size in (("", 8), ("a/b", 8), (NAME, 0)):
        try:
            Writer(name, size, TEXT)
        except ValueError:
            continue
        raise AssertionError((name, size))
    with Writer(NAME, 1024, TEXT) as out:
        try:
            out.write(np.zeros(3))
        except ValueError as error:
            assert "1024 bytes" in str(error)
        else:
            raise AssertionError("a frame of a wrong size was taken")


frames_are_recorded()
frames_are_served()
memory_that_is_laid_out_anew_is_followed()
places_are_recorded()
wrong_words_are_refused()
print("ok")
