#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""faults_test.py ECHOLUX FAILING_MALLOC [--every N] [--sample N] [--only COMMAND...] [--kind KIND...]: faults, one at a time.

The n-th read, write, fsync, rename or mapping (by strace) or the n-th allocation (by a preloaded library) of a command fails,
for n = 1, 1 + N, ... until a run has fewer; --sample takes N allocations by chance instead. Each run ends with 0 and what it
should have written, or with 2 and a sentence, and then the file that stood there stays and nothing else is left. Faults before
main() do not count. Libraries of others that end the program themselves are counted apart. Skipped (77) where strace may not
trace."""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CINE = str(ROOT / "testdata/phantom_cine.echolux.h5")
IMAGING = f"{CINE} --backend cpu"
COMMANDS = {
    "info": ("", f"info {CINE}"),
    "info --json": ("", f"info --json {CINE}"),
    "measure": (".csv", f"measure {IMAGING} --pipeline rf --measure shapes.toml -o OUT --force"),
    "render": (".npy", f"render {IMAGING} -o OUT --force"),
    "run": (".csv", f"run rf {IMAGING} --frames 2 --timing OUT --force"),
    "export npz": (".npz", f"export {IMAGING} --frames 1:2 -o OUT --force"),
    "export tif": (".tif", f"export {IMAGING} --frames 1:2 -o OUT --force"),
    "export mat": (".mat", f"export {IMAGING} --frames 1:2 -o OUT --force"),
    "record": (".echolux.h5", "record simulator:echoes?elements=16&waves=1&depth=20&density=1 --frames 5 --backend cpu -o OUT --force"),
    "simulate": (".echolux.h5", "simulate plane-wave --elements 16 --angles 0 --depth 20 --frames 2 -o OUT --force"),
    "batch": ("", f"batch rf {CINE} --write npz --frames 1:1 -o results"),
}
CALLS = {"read": "read,pread64", "write": "write,pwrite64,writev", "fsync": "fsync,fdatasync",
         "rename": "rename,renameat,renameat2", "mmap": "mmap"}
ERRORS = {"read": "EIO", "write": "ENOSPC", "fsync": "EIO", "rename": "EACCES", "mmap": "ENOMEM"}
# Libraries of others that end the program where they get no memory, by the calls that led to the allocation.
ENDING = {
    "libhdf5": "where its stack of errors cannot be allocated, it calls itself without end (1.10.8)",
    "libcrypto": "libzip names its files by it; it uses the lock that it could not make (OpenSSL 3.0)",
    "libtomlplusplus": "its parser makes texts in functions that may not throw (3.3)",
    "json_value::destroy": "the destructor of nlohmann::json allocates (3.11.2)",
}
FORMER = b"what stood here\n"


class Command:
    def __init__(self, program, line, ending):
        self.folder = Path(tempfile.mkdtemp())
        shutil.copy(ROOT / "tests/commands/shapes.toml", self.folder)
        self.out = self.folder / f"out{ending}" if ending else None
        self.words = [program] + [str(self.out) if word == "OUT" else word for word in line.split()]
        self.log = self.folder.with_suffix(".log")
        self.run([])  # without faults
        self.size = self.out.stat().st_size if self.out else 0

    def run(self, before, environment={}, **more):
        if self.out: self.out.write_bytes(FORMER)
        shutil.rmtree(self.folder / "results", ignore_errors=True)
        for left in self.folder.rglob("*.partial*"): left.unlink()
        return subprocess.run(before + self.words, cwd=self.folder, text=True, errors="replace", capture_output=True, timeout=120,
                              env={**os.environ, **environment, "QT_QPA_PLATFORM": "offscreen"}, **more)

    def wrong(self, done):
        """What is wrong with a run in which something failed, or None."""
        said = done.stderr.strip().splitlines()
        if done.returncode == 0:
            return "said that it succeeded, but its file is another" if self.out and self.out.stat().st_size != self.size and \
                self.out.suffix in (".npy", ".tif") else None
        if done.returncode != 2: return f"ended with {done.returncode}: {done.stderr[-300:]}"
        if not said or not any(line.startswith("echolux: ") for line in said): return f"gave no sentence: {done.stderr[-300:]}"
        if re.search(r"bad_alloc|std::|basic_|filesystem error", done.stderr): return f"spoke in C++: {said[-1]}"
        if "frames before it are kept" in said[-1]: return None  # a recording that ends early
        # What fails behind the last write finds the whole file.
        if self.out and self.out.read_bytes() != FORMER and self.out.stat().st_size != self.size: return f"changed the file that stood there: {said[-1]}"
        left = {each.name for each in self.folder.rglob("*") if ".partial" in each.name}
        return f"left {left}: {said[-1]}" if left else None


def injected(command, kind, number, malloc):
    """A run with one fault, and whether there was one."""
    if kind == "allocation":
        reader, writer = os.pipe()
        os.set_inheritable(writer, True)
        with os.fdopen(reader) as told:
            try:
                done = command.run([], {"LD_PRELOAD": malloc, "FAIL_ALLOCATION": str(number), "TELL_ALLOCATIONS": str(writer)},
                                   pass_fds=[writer])
            finally:
                os.close(writer)
            done.calls = told.read().splitlines()
        return done, not (done.calls and done.calls[0].isdigit())
    log = command.log
    done = command.run(["strace", "-f", "-qq", "-o", str(log), "-e", f"trace={CALLS[kind]},pipe2",
                        "-e", f"inject={CALLS[kind]}:error={ERRORS[kind]}:when={number}"])
    lines = log.read_text(errors="replace").splitlines()
    faults = [line for line in lines if "(INJECTED)" in line]
    main = next((i for i, line in enumerate(lines) if "pipe2(" in line), len(lines))
    # Nobody hears what fails before main(), nor a sentence that cannot be written.
    deaf = any(lines.index(line) < main for line in faults) or any(" write(2, " in line for line in faults)
    return None if deaf else done, bool(faults)


def numbers(asked, kind, command):
    """Which faults: without end, or a sample."""
    if kind == "allocation" and asked.sample:
        done, _ = injected(command, kind, 10**9, asked.malloc)
        count = max(int(line) for line in done.calls)
        yield from sorted(random.Random(asked.seed).sample(range(1, count + 1), min(count, asked.sample)))
        return
    number = 1
    while True:
        yield number
        number += asked.every


def named(calls):
    """The calls with functions of the program by their names, the latest first."""
    for line in calls:
        at = re.match(r"(.*/echolux)\(\+(0x[0-9a-f]+)\)", line)
        if at: line = subprocess.run(["addr2line", "-Cfse", at[1], at[2]], capture_output=True, text=True).stdout.splitlines()[0]
        while re.search("<[^<>]*>", line): line = re.sub("<[^<>]*>", "", line)
        yield line.partition("[0x")[0][:120]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("echolux")
    options.add_argument("malloc")
    options.add_argument("--every", type=int, default=1)
    options.add_argument("--sample", type=int, default=0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", nargs="*", choices=COMMANDS, default=list(COMMANDS))
    options.add_argument("--kind", nargs="*", choices=(*CALLS, "allocation"), default=(*CALLS, "allocation"))
    asked = options.parse_args()
    asked.malloc = str(Path(asked.malloc).resolve())
    if not shutil.which("strace") or subprocess.run(["strace", "-qq", "-o", os.devnull, "true"], capture_output=True).returncode:
        print("strace may not trace here")
        return 77
    bad = 0
    for name, (ending, line) in COMMANDS.items():
        if name not in asked.only: continue
        command = Command(str(Path(asked.echolux).resolve()), line, ending)
        for kind in (*CALLS, "allocation"):
            if kind not in asked.kind: continue
            runs = found = apart = 0
            for number in numbers(asked, kind, command):
                try:
                    done, happened = injected(command, kind, number, asked.malloc)
                    wrong = command.wrong(done) if done else None
                except subprocess.TimeoutExpired:
                    done, happened, wrong = None, True, "did not end"
                runs += 1
                if not happened: break
                calls = list(named(done.calls)) if wrong and done and kind == "allocation" else []
                ended = done and (done.returncode not in (0, 2) or "recordings failed" in done.stderr)  # the latter: a job of a batch
                if calls and ended and any(library in line for library in ENDING for line in calls):
                    apart += 1
                elif wrong:
                    found += 1
                    print(f"{name}, {kind} {number}: {wrong}", *calls[2:14], sep="\n    ", flush=True)
            bad += found
            print(f"{name}, {kind}: {runs} runs, {found} wrong" + (f", {apart} ended by libraries of others" if apart else ""), flush=True)
        shutil.rmtree(command.folder, ignore_errors=True)
        command.log.unlink(missing_ok=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
