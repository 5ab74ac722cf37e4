# SPDX-License-Identifier: GPL-3.0-or-later
"""The Snakemake workflow gives the files of one process, also where jobs are lost.

cluster_test.py ECHOLUX SNAKEFILE RECORDING. Ends with 77 where Snakemake is missing."""
import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIP = 77
GRID = [f"--set beamform.{setting}" for setting in
        ("lateral_min=-8e-3", "lateral_max=8e-3", "depth_max=30e-3", "pixel_lateral=1e-3", "pixel_depth=1e-3")]
# The first export of each part ends like one whose machine was lost.
LOSING = """#!/bin/sh
last=$(printf '%s ' "$@" | cksum | tr -d ' ')
case "$*" in
*.part*--force) if [ "$1" = export ] && mkdir "$LOST/$last" 2>/dev/null; then kill -9 $$; fi ;;
esac
exec "$ECHOLUX" "$@"
"""


def snakemake(snakefile, folder, program_folder, out, more):
    environment = {**os.environ, "PATH": f"{program_folder}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(folder)}
    options = " ".join(["--write npz,npy"] + GRID)
    command = ["snakemake", "-s", snakefile, "--directory", str(folder), "--nocolor", "--config", "pipeline=rf",
               "recordings=data/*.h5", f"out={out}", f"options={options}"] + more
    run = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.returncode, run.stdout


def check(what, holds, output=""):
    if not holds:
        sys.exit(f"{what}\n{output}")


def main(echolux, snakefile, recording):
    if shutil.which("snakemake") is None:
        print("skipped: Snakemake is not installed")
        return SKIP
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data").mkdir()
        (folder / "lost").mkdir()
        names = ["a b.h5", "c.h5"]
        for each in names:
            shutil.copy(recording, folder / "data" / each)
        plain = folder / "bin"
        plain.mkdir()
        (plain / "echolux").symlink_to(echolux)
        losing = folder / "losing"
        losing.mkdir()
        (losing / "echolux").write_text(LOSING)
        (losing / "echolux").chmod(0o755)
        os.environ.update(ECHOLUX=echolux, LOST=str(folder / "lost"))

        whole, said = snakemake(snakefile, folder, plain, "whole", ["--cores", "2"])
        check("one job each failed", whole == 0, said)
        shared = ["frames_per_job=12", "--cores", "2"]
        code, said = snakemake(snakefile, folder, losing, "shared", shared)
        check("shared frames failed", code == 0, said)
        check("no job was lost", len(os.listdir(folder / "lost")) == 6, said)
        for each in names:
            for ending in ("npz", "npy"):
                file = f"{each}.{ending}"
                check(f"{file} has other bytes",
                      filecmp.cmp(folder / "whole" / file, folder / "shared" / file, shallow=False))
            result = json.loads((folder / "shared" / f"{each}.json").read_text())
            check("not done", result["status"] == "done")
            check("not joined", sum(" join " in command for command in result["commands"]) == 2)
            check("parts were left", not (folder / "shared" / f"{each}.parts").exists())
        code, said = snakemake(snakefile, folder, losing, "shared", shared)
        check("it is done again", code == 0 and "Nothing to be done" in said, said)
        profile = str(Path(snakefile).parent / "slurm")
        code, said = snakemake(snakefile, folder, plain, "far", ["frames_per_job=12", "--profile", profile, "-n"])
        check("the profile is refused", code == 0, said)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
