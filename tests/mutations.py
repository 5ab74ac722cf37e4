#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs every command that reads a file on randomly damaged copies of files, in as many processes
as there are processors. A run passes if it ends within its time with status 0 or 2.

  tests/mutations.py PROGRAM FILES... [--runs 2000] [--seed 1] [--keep FOLDER]

Build PROGRAM with the preset `asan`: without it, writes outside memory often go unnoticed.
Damaged files on which a run failed stay in FOLDER, each named by its seed."""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SECONDS = 60
RECORDING = (
    "info {file}",
    "render {file} -o {out}.png --backend cpu",
    "export {file} -o {out}.npz --backend cpu",
    "run {pipeline} {file} --write image={out}.npy --backend cpu",
    "aberration {file} -o {out}.npz --backend cpu",
    "calibrate k --mirror {file} -o {out}.toml",
    "calibrate dispersion {file} -o {out}.toml --backend cpu",
)
CALIBRATION = (
    "info {oct} --calibration {file}",
    "render {oct} --calibration {file} -o {out}.png --backend cpu",
)
PIPELINE = (
    "run {file} {oct} --backend cpu",
    "render {cine} --pipeline {file} -o {out}.png --backend cpu",
)
TESTDATA = pathlib.Path(__file__).resolve().parent.parent / "testdata"


def command_on(file: pathlib.Path, folder: pathlib.Path, chance: random.Random) -> list[str]:
    commands = RECORDING
    if "calibration" in file.name:
        commands = CALIBRATION
    elif file.suffix in (".toml", ".cfg"):
        commands = PIPELINE
    return chance.choice(commands).format(
        file=file, out=folder / "out", pipeline=chance.choice(("rf", "oct", "recorded_image")),
        oct=TESTDATA / "retina_cine.echolux.h5",
        cine=TESTDATA / "phantom_cine.echolux.h5").split()


def damaged(data: bytes, chance: random.Random) -> bytes:
    """One to eight places: a bit, a byte, a number of the extremes, a hole, a copy, or an end."""
    result = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        if not result:
            break
        # Headers matter more than samples.
        reach = len(result) if chance.random() < 0.5 else min(len(result), 4096)
        at = chance.randrange(reach)
        kind = chance.randrange(6)
        if kind == 0:
            result[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            result[at] = chance.randrange(256)
        elif kind == 2:
            word = chance.choice((b"\xff" * 8, b"\0" * 8, b"\xff" * 4, b"\x7f" + b"\xff" * 3,
                                  b"\0\0\0\x80", b"\1\0\0\0", b"\0\0\xf8\x7f"))
            result[at:at + len(word)] = word
        elif kind == 3:
            del result[at:at + chance.randint(1, 64)]
        elif kind == 4:
            size = chance.randint(1, 64)
            result[at:at] = result[at:at + size]
        elif chance.random() < 0.3:
            del result[at:]
    return bytes(result)


def ends_well(program: str, source: pathlib.Path, seed: int, keep: pathlib.Path | None) -> str:
    """Returns an empty string, or how the run failed."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file = folder / source.name
        file.write_bytes(damaged(source.read_bytes(), chance))
        for beside in source.parent.glob(source.name + ".toml"):
            shutil.copy(beside, folder)
        words = command_on(file, folder, chance)
        try:
            run = subprocess.run([program, *words], capture_output=True, timeout=SECONDS)
            if run.returncode in (0, 2):
                return ""
            failed = f"status {run.returncode}: {run.stderr.decode(errors='replace')[-3000:]}"
        except subprocess.TimeoutExpired:
            failed = f"no end within {SECONDS} s"
        if keep:
            shutil.copy(file, keep / f"{seed}_{source.name}")
        return f"seed {seed}, {' '.join(words)}: {failed}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    asked = parser.parse_args()
    if asked.keep:
        asked.keep.mkdir(parents=True, exist_ok=True)
    seeds = range(asked.seed, asked.seed + asked.runs)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [failure for failure in pool.map(
            lambda seed: ends_well(asked.program, asked.files[seed % len(asked.files)], seed,
                                   asked.keep), seeds) if failure]
    print(*failures, sep="\n")
    print(f"{asked.runs} runs, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
