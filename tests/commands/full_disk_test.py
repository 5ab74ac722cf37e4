#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""full_disk_test.py ECHOLUX: what commands do where a disk is full, and where they are interrupted.

Each command that writes runs with a limit that lets its file grow to almost nothing, and, where mounts are allowed, on a
full tmpfs: it ends with a sentence and 2, the file that stood there stays, and nothing else is left. Each command that
prints runs into /dev/full. Commands that take long are interrupted: nothing is left of their files, nor of their programs."""
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CINE, SPECTRA = str(ROOT / "testdata/phantom_cine.echolux.h5"), str(ROOT / "testdata/retina_cine.echolux.h5")
ECHOLUX = str(Path(sys.argv.pop(1)).resolve())
FORMER = b"what stood here\n"
IMAGING = f"{CINE} --backend cpu"
MEASURED = f"measure {IMAGING} --pipeline rf --measure shapes.toml"
# OUT is the written file, and its ending is the first word.
WRITERS = """
.csv        {MEASURED} -o OUT --force
.json       {MEASURED} -o OUT --force
.toml       {MEASURED} --write-measurements OUT --force
.csv        {MEASURED} --histograms OUT --force
.csv        sweep {IMAGING} --pipeline rf --measure shapes.toml --over beamform.speed_of_sound=1500:1580:40 -o OUT --force
.csv        run rf {IMAGING} --frames 2 --timing OUT --force
.json       run rf {IMAGING} --frames 2 --timing OUT --force
.npy        run rf {IMAGING} --frames 2 --write image=OUT --force
.png        run rf {IMAGING} --frames 2 --write image=OUT --force
.png        render {IMAGING} -o OUT --force
.json       bench das --problem D1 --repeat 1 --backend cpu --json OUT
.toml       microbench --backend cpu --seconds 0.2 -o OUT --force
.pdf        figure {IMAGING} -o OUT --force
.html       report {IMAGING} --measure shapes.toml -o OUT --force
.echolux.h5 simulate plane-wave --elements 16 --angles 0 --depth 20 --frames 2 -o OUT --force
.echolux.h5 record simulator:echoes?elements=16&waves=1&depth=20&density=1 --frames 200 --backend cpu -o OUT --force
""" + "".join(f"{ending} export {{IMAGING}} --frames 1:2 -o OUT --force\n" for ending in
              (".png", ".tif", ".gif", ".mp4", ".webm", ".npy", ".npz", ".mat", ".csv", ".nii.gz", ".nrrd", ".mha")) + "".join(
    f"{ending} export {{IMAGING}} --output-of recording -o OUT --force\n" for ending in (".echolux.h5", ".uff", ".hdf5"))
PRINTERS = """
info {CINE}
info --json {CINE}
stages --json
pipelines
help formats
{MEASURED}
run rf {IMAGING} --frames 2
predict rf {CINE} --device h100 --no-measuring
--version
"""


def words(line, out=None):
    text = line.format(IMAGING=IMAGING, MEASURED=MEASURED.format(IMAGING=IMAGING), CINE=CINE)
    return [ECHOLUX] + [str(out) if word == "OUT" else word.replace("OUT", str(out)) for word in text.split()]


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        shutil.copy(ROOT / "tests/commands/shapes.toml", self.folder)

    def check(self, folder, run, before=lambda: None):
        for line in WRITERS.strip().splitlines():
            ending, command = line.split(maxsplit=1)
            with self.subTest(command=command):
                (folder / "ballast").unlink(missing_ok=True)
                out = folder / f"out{ending}"
                out.write_bytes(FORMER)
                before()
                done = run(words(command, out))
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertRegex(done.stderr, r"(?m)^echolux: .*(cannot be written|Cannot write|disk)", done.stdout)
                self.assertEqual(out.read_bytes(), FORMER)
                left = {each.name for each in folder.iterdir()} - {out.name, "shapes.toml", "ballast"}
                self.assertEqual(left, set())
                out.unlink()


class FullDisk(Folder):
    def test_files_that_may_not_grow(self):
        def limited():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

        self.check(self.folder, lambda command: subprocess.run(
            command, cwd=self.folder, text=True, capture_output=True, preexec_fn=limited, restore_signals=False,
            env={**os.environ, "ECHOLUX_READ_INSIDE": "1"}))  # shared memory counts as a file

    def test_a_full_file_system(self):
        # The commands see the mount alone, so nothing of it is left behind.
        if not shutil.which("unshare") or subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
            self.skipTest("no mount is allowed here")
        script = os.path.abspath(__file__)
        done = subprocess.run(["unshare", "-rm", sys.executable, script, ECHOLUX, "OnTmpfs.check_all"],
                              text=True, capture_output=True, env={**os.environ, "FULL_DISK": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_output_that_nobody_can_take(self):
        for line in PRINTERS.strip().splitlines():
            with self.subTest(command=line), open("/dev/full", "w") as full:
                done = subprocess.run(words(line), cwd=self.folder, text=True, stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("No space left", done.stderr)


class OnTmpfs(Folder):
    """What `unshare` starts."""

    def check_all(self):
        folder = Path(os.environ["FULL_DISK"]) / "full"
        folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], check=True)
        shutil.copy(Path(os.environ["FULL_DISK"]) / "shapes.toml", folder)

        def fill():
            with open(folder / "ballast", "wb", buffering=0) as ballast:
                try:
                    while ballast.write(bytes(4096)) == 4096:
                        pass
                except OSError:
                    pass

        self.check(folder, lambda command: subprocess.run(command, cwd=folder, text=True, capture_output=True), fill)


class Interrupted(Folder):
    def setUp(self):
        super().setUp()
        self.take = self.folder / "take.echolux.h5"
        subprocess.run(words("simulate plane-wave --elements 32 --angles 0 --depth 30 --frames 400 -o OUT", self.take),
                       check=True, stdout=subprocess.DEVNULL)

    def files(self):
        return {str(each.relative_to(self.folder)) for each in self.folder.rglob("*")}

    def end(self, command, kind, started):
        """The exit status after a signal that follows `started`."""
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as program:
            until = time.monotonic() + 60
            while not started() and program.poll() is None and time.monotonic() < until:
                time.sleep(0.01)
            program.send_signal(kind)
            program.communicate()
            return program.returncode

    def test_exports_leave_nothing(self):
        before = self.files()
        for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for ending in (".mp4", ".npz", ".tif", ".mat"):
                with self.subTest(kind=kind, ending=ending):
                    status = self.end(words(f"export {self.take} --backend cpu --frames 1:400 -o OUT", self.folder / f"out{ending}"),
                                      kind, lambda: self.files() != before)
                    self.assertEqual(status, -kind)
                    self.assertEqual(self.files(), before)

    def test_a_batch_leaves_neither_files_nor_programs(self):
        takes = [str(self.folder / f"take{copy}.echolux.h5") for copy in range(3)]
        for take in takes:
            os.symlink(self.take, take)
        before = self.files()
        status = self.end([ECHOLUX, "batch", "rf", *takes, "--backend", "cpu", "--write", "mp4", "--jobs", "2", "-o", "results"],
                          signal.SIGTERM, lambda: any(".partial" in name for name in self.files()))
        self.assertEqual(status, -signal.SIGTERM)
        self.assertFalse([name for name in self.files() - before if ".partial" in name])
        running = subprocess.run(["pgrep", "-f", str(self.folder)], text=True, capture_output=True).stdout
        self.assertEqual(running, "")


if __name__ == "__main__":
    unittest.main()
