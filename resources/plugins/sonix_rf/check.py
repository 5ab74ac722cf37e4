#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check.py ECHOLUX PLUGIN: writes .rf files by the published layout and looks at what the program reads.
Needs Python alone."""
import json
import os
import struct
import subprocess
import sys
import tempfile

LINES, SAMPLES, FRAMES = 3, 16, 2


def header(frames=FRAMES):
    corners = (0, 0, 639, 0, 639, 479, 0, 479)
    return struct.pack("<19i", 16, frames, LINES, SAMPLES, 16, *corners, 2, 5_000_000, 40_000_000, 25, LINES, 0)


def sample(frame, line, depth):
    return 1000 * frame + 100 * line + depth - 500


def frame_bytes(frame):
    return struct.pack(f"<{LINES * SAMPLES}h", *(sample(frame, line, depth) for line in range(LINES) for depth in range(SAMPLES)))


def npy_values(path):
    data = open(path, "rb").read()
    length = struct.unpack_from("<H", data, 8)[0]
    assert b"'<i2'" in data[: 10 + length] or b"'<f4'" in data[: 10 + length], data[: 10 + length]
    code = "h" if b"'<i2'" in data[: 10 + length] else "f"
    body = data[10 + length :]
    return struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body)


def main(echolux, plugin):
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_CONFIG_HOME=folder)

        def run(*arguments):
            return subprocess.run([echolux, *arguments], env=environment, capture_output=True, text=True)

        def info(name, contents):
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(contents)
            return path, run("info", "--json", "--plugin", plugin, path)

        _, refused = info("a.rf", header() + frame_bytes(0) + frame_bytes(1))
        assert refused.returncode == 2 and "plugins allow" in refused.stderr, refused.stderr
        allowed = run("plugins", "allow", plugin)
        assert allowed.returncode == 0, allowed.stderr

        plain = header() + frame_bytes(0) + frame_bytes(1)
        tagged = header() + b"".join(struct.pack("<i", i) + frame_bytes(i) for i in range(FRAMES))
        for name, contents in (("plain.rf", plain), ("tagged.rf", tagged)):
            path, told = info(name, contents)
            assert told.returncode == 0, told.stderr
            facts = json.loads(told.stdout)
            assert facts["format"] == "Ultrasonix RF", facts
            assert [(axis["name"], axis["size"]) for axis in facts["axes"]] == [("depth", SAMPLES), ("lateral", LINES)], facts
            assert (facts["frames"], facts["frame_rate_hz"], facts["centre_frequency_hz"]) == (FRAMES, 25, 5e6), facts
            out = os.path.join(folder, name + ".npy")
            written = run("export", path, "--plugin", plugin, "--output-of", "recording", "-o", out)
            assert written.returncode == 0, written.stderr
            expected = [sample(f, line, depth) for f in range(FRAMES) for depth in range(SAMPLES) for line in range(LINES)]
            assert list(npy_values(out)) == expected, npy_values(out)

        both = [os.path.join(folder, name) for name in ("plain.rf", "tagged.rf")]
        batch = run("batch", "auto", *both, "-o", os.path.join(folder, "out"), "--write", "npz", "--plugin", plugin)
        assert batch.returncode == 0 and "2 done" in batch.stdout, batch.stdout + batch.stderr

        _, cut = info("cut.rf", plain[:-1])
        assert cut.returncode == 2 and "cut off" in cut.stderr and "sonix_rf" in cut.stderr, cut.stderr
        _, other = info("other.rf", b"\x07" * 200)
        assert other.returncode == 2, other.stdout


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
