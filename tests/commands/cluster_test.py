# SPDX-License-Identifier: GPL-3.0-or-later
"""The Snakemake workflow gives the files of one process, also where jobs are lost, goes on after it was killed, and images
anew what changed.

cluster_test.py ECHOLUX SNAKEFILE RECORDING. Ends with 77 where Snakemake is missing."""
import filecmp
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
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


def environment_of(folder, program_folder):
    return {**os.environ, "PATH": f"{program_folder}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(folder)}


def snakemake(snakefile, folder, program_folder, out, more, recordings="data/*.h5", pipeline="rf", write="--write npz,npy"):
    options = " ".join([write] + GRID)
    command = ["snakemake", "-s", snakefile, "--directory", str(folder), "--nocolor", "--config", f"pipeline={pipeline}",
               f"recordings={recordings}", f"out={out}", f"options={options}"] + more
    run = subprocess.run(command, env=environment_of(folder, program_folder), text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    return run.returncode, run.stdout


def check(what, holds, output=""):
    if not holds:
        sys.exit(f"{what}\n{output}")


def documented(snakefile):
    """The command of the page `echolux help output`, word by word."""
    page = (Path(snakefile).parents[1] / "help/output.md").read_text()
    return shlex.split(re.search(r"^snakemake .*$", page, re.M)[0])


def resumes_after_a_kill(snakefile, folder, programs):
    """Kills Snakemake while a part is computed; then the documented command goes on, once with --unlock, once without."""
    (folder / "resources/cluster").mkdir(parents=True)
    (folder / "resources/cluster/Snakefile").symlink_to(snakefile)
    command = [word.replace("frames_per_job=200", "frames_per_job=12").replace("--write", " ".join(GRID + ["--write"]))
               for word in documented(snakefile)]
    # A program that takes its time with the second half of a recording.
    programs["slow"].mkdir()
    (programs["slow"] / "echolux").write_text(
        '#!/bin/sh\ncase "$*" in *"--frames 25:32"*) touch "$BEGUN"; sleep 5 ;; esac\nexec "$ECHOLUX" "$@"\n')
    (programs["slow"] / "echolux").chmod(0o755)
    begun = folder / "begun"
    slow = {**environment_of(folder, programs["slow"]), "BEGUN": str(begun)}
    with open(folder / "said", "w+") as said:
        running = subprocess.Popen(command, cwd=folder, env=slow, stdout=said, stderr=subprocess.STDOUT)
    end = time.monotonic() + 300
    while not begun.exists():
        check("no part was begun", running.poll() is None and time.monotonic() < end, (folder / "said").read_text())
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    check("all was done before the kill", not all((folder / "results" / f"{name}.done").exists() for name in ("a b.h5", "c.h5")))
    plain = environment_of(folder, programs["plain"])
    for more in (["--unlock"], []):
        run = subprocess.run(command + more, cwd=folder, env=plain, text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        check(f"it does not go on {more}", run.returncode == 0, run.stdout)
    for name in ("a b.h5", "c.h5"):
        check("it is not done", json.loads((folder / "results" / f"{name}.batch.json").read_text())["status"] == "done")
        check("files are missing", all((folder / "results" / f"{name}.{ending}").exists() for ending in ("png", "npz", "html")))


def what_changed_is_done_again(snakefile, folder, plain, recording):
    """Recordings of one name in two folders; edits of pipeline, measurements and sidecar; a recording that is damaged."""
    for place in ("one", "two"):
        (folder / "twins" / place).mkdir(parents=True)
        shutil.copy(recording, folder / "twins" / place / "twin.h5")
    (folder / "twins/two/broken.h5").write_text("no recording")
    pipeline, measured = folder / "mine.toml", folder / "m.toml"
    pipeline.write_bytes(subprocess.run([plain / "echolux", "pipelines", "rf"], check=True, stdout=subprocess.PIPE).stdout)
    measured.write_text('[[measurement]]\nname = "wire"\nkind = "point"\nplaces = [[-7.0, 18.0]]\n')

    def run(*more):
        return snakemake(snakefile, folder, plain, "twins_out", ["--cores", "2", "--keep-going", *more], "twins/**/*.h5",
                         "mine.toml", "--write png --measure m.toml")

    code, said = run()
    check("a damaged recording is no failure", code != 0, said)
    for place in ("one", "two"):
        result = json.loads((folder / "twins_out" / place / "twin.h5.batch.json").read_text())
        check("a twin was dropped", result["status"] == "done" and result["recording"] == f"twins/{place}/twin.h5")
    failed = json.loads((folder / "twins_out/broken.h5.batch.json").read_text())
    check("the failure is not kept", failed["status"] == "failed" and "broken.h5" in failed["error"])
    (folder / "twins/two/broken.h5").unlink()
    check("it is done again", "Nothing to be done" in run()[1])

    def edited(what, file, text):
        file.write_text(text)
        before = (folder / "twins_out/one/twin.h5.batch.json").read_text()
        code, said = run()
        check(f"an edit of the {what} is not seen", code == 0 and "Nothing to be done" not in said, said)
        check(f"the {what} has no effect", (folder / "twins_out/one/twin.h5.batch.json").read_text() != before, said)

    text = pipeline.read_text()
    edited("pipeline", pipeline, text + "\n# another\n")
    edited("measurements", measured, measured.read_text().replace("-7.0", "-6.9"))
    sidecar = folder / "twins/one/twin.toml"  # without [data] it describes something else, but it may come to describe it
    edited("sidecar", sidecar, "# none\n")


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
            result = json.loads((folder / "shared" / f"{each}.batch.json").read_text())
            check("not done", result["status"] == "done")
            check("not joined", sum(" join " in command for command in result["commands"]) == 2)
            check("parts were left", not (folder / "shared" / f"{each}.parts").exists())
        code, said = snakemake(snakefile, folder, losing, "shared", shared)
        check("it is done again", code == 0 and "Nothing to be done" in said, said)
        profile = str(Path(snakefile).parent / "slurm")
        code, said = snakemake(snakefile, folder, plain, "far", ["frames_per_job=12", "--profile", profile, "-n"])
        check("the profile is refused", code == 0, said)
        resumes_after_a_kill(snakefile, folder, {"plain": plain, "slow": folder / "slow"})
        what_changed_is_done_again(snakefile, folder, plain, recording)
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(os.path.abspath, sys.argv[1:])))
