#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every command of the README, of the help pages and of the manual is there and runs, in the order of its page, in a folder where the
page's own commands have made what later ones use.

pages_test.py ECHOLUX           commands without a window
pages_test.py ECHOLUX --view    commands that open one, each for a moment
pages_test.py --plugins BUILD   `echolux help plugins`, word for word, from the installation of BUILD on

A new command of a page fails here until it runs, or stands in ELSEWHERE with the test that runs it."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "resources/help").glob("*.md")), *sorted((ROOT / "manual").rglob("[a-z]*.md"))]
CINE, SPECTRA = str(ROOT / "testdata/phantom_cine.echolux.h5"), str(ROOT / "testdata/retina_cine.echolux.h5")

# What stands on a page for something that the reader chooses.
CHOSEN = {
    "FILE": CINE, "RECORDING": CINE, "SPECTRA": SPECTRA, "PIPELINE": "rf", "M.toml": "m.toml", "OUT.csv": "out.csv",
    "OUT.pdf": "out.pdf", "OUT.html": "out.html", "DIR": "results", "ID": "beamform", "TYPE": "beamform", "OUT": "out.npz",
    "FILE.echolux.h5": "take.echolux.h5", "ADDRESS": "simulator:echoes?elements=16&waves=1&depth=20&density=1",
    "VIEW=image.png": "image=view.png", "FILES...": CINE, "...": "simulator:echoes?elements=16&waves=1&depth=20&density=1 -o images.echolux.h5 --frames 2",
}
CHOSEN_ON = {
    "calibration": {"FILE": SPECTRA},
    "flow": {"FILE": "vessel.echolux.h5"},
    "live": {"FILE": "take.echolux.h5", "NAME": f"pages-{os.getpid()}", "igtl:PORT": "igtl:18999", "zmq:PORT": "zmq:18998"},
    "measure": {"NAME": "picmus_numerical", "OUT.csv": "out.csv"},
    "plugins": {"FILE": "build/lee_filter.so", "FILE.py": "root.py", "LIBRARY": "build/lee_filter.so"},
    "predictions": {"NAME": "h100"},
    "questions": {"wire.toml": "m.toml"},
}
# Options that make a command short, or have it end; the first beginning that fits counts.
SHORT = [
    ("view", "--exit-after 0.1 --backend cpu"),
    ("record", "--frames 2 --backend cpu --force"),
    ("serve", "--frames 2"),
    ("bench oct", "--repeat 1 --problem O3 --backend cpu"),
    ("bench bubbles", "--repeat 1"),
    ("microbench", "--seconds 0.2"),
    ("sweep", "--force"),
    ("report", "--force"),
    ("simulate oct", "--frames 16 --lines 32"),
    ("simulate cube", "--columns 12 --rows 12 --scatterers 50"),
    ("simulate full-matrix", "--elements 16 --depth 20"),
    ("simulate diverging", "--frames 2 --elements 16 --depth 20"),
    ("simulate plane-wave --phantom vessel", "--frames 160 --elements 16 --angles 0 --depth 20"),
    ("simulate plane-wave --phantom inclusion", "--frames 4 --elements 16 --angles 0 --depth 20"),
    ("simulate plane-wave", "--frames 4 --elements 16 --angles 0 --depth 20"),
    ("export vessel.echolux.h5", "--backend cpu"),
    ("predict", "--no-measuring"),
    ("batch", "--write png"),
]
# Commands that no line here can run, and what runs them.
ELSEWHERE = {
    r"^app/run\.sh$": "tests/newcomer.sh",
    r"^tests/(run|newcomer)\.sh": "tests/newcomer.sh",
    r"^tests/coverage\.sh": "by hand: it needs clang 16 and half an hour",
    r"^app/setup/(install|package|wheel)\.sh": "tests/package.sh, tests/wheel.sh",
    r"^cmake --(preset package|build build/package)": "tests/package.sh",
    r"^cmake (-B build|--build build$)": "this test with --plugins",
    r"^apt install": "tests/package.sh",
    r"^pip install": "tests/wheel.sh",
    r"^cmake --install": "this test with --plugins",
    r"^snakemake ": "tests/commands/cluster_test.py",
    r"--source (camera|'camera|igtl|zmq|sonix):?": "tests/live/network_sources_test.cpp, tests/live/aravis_camera_test.cpp: they need a device or a sender",
    r"--source ADDRESS$": "the addresses behind it on the same page",
    r"--plugin build/": "resources/plugins/sonix_rf/check.py",
    r"^echolux (export|join) .*\.part\b|--split 100": "tests/commands/join_test.cpp",
    r"^echolux run two\.toml": "tests/commands/run_test.cpp: files that the page shows",
    r"^echolux aberration FILE$": "help aberration: it needs a screen, as the cube behind it has",
    r"^echolux calibrate background FILE --lines 4096": "tests/commands/calibrate_test.cpp: a recording of 4096 lines",
    r"^echolux measure --histograms": "tests/commands/measure_test.cpp",
    r"^echolux (plugins (allow|forget)|stages --test)": "this test with --plugins",
    r"^echolux export FILE --output-of upper@": "tests/session/oct_surfaces_test.cpp: a pipeline with this stage",
    r"^echolux send probe": "tests/commands/send_test.py: it needs a window that listens",
    r"^echolux sidecar FILE$": "tests/commands/sidecar_test.cpp: it asks",
}
COVERED = {"documents": "tests/commands/documents_page_test.cpp", "ladder": "tests/bench/ladder_page_test.cpp"}
# The names are those of the page on measuring.
MEASURED = """[[measurement]]
name = "wire"
kind = "point"
places = [[-7.0, 18.0]]
[[measurement]]
name = "tissue"
kind = "rectangle"
places = [[-6.0, 19.5], [-4.0, 22.0]]
"""
PROGRAMS = r"(echolux|app/[a-z_/]+\.sh|tests/[a-z_]+\.sh|cmake|pip|apt|snakemake)"


def commands_of(page):
    """The commands of a page in its order."""
    text = re.sub(r" *\\\n\s*", " ", page.read_text())
    found = []
    for match in re.finditer(r"^```(\w*)\n(.*?)^```|^ {4}(\S[^\n]*)$|`([^`\n]+(?:\n[^`\n]+)?)`", text, re.M | re.S):
        language, block, indented, inline = match.groups()
        lines = block.splitlines() if block is not None and language in ("", "sh") else [indented or inline or ""]
        for line in lines:
            line = re.sub(r"\s{2,}#.*$", "", " ".join(line.split()) if inline else line).strip()
            for each in line.split(" && "):
                if re.match(PROGRAMS + r"( |$)", each) and each not in ("echolux", *found):
                    found.append(each)
    return found


def files_of(page):
    """Name and text of the files that the reader is told to write: a block behind the paragraph that names it."""
    return re.findall(r"`(\w+\.(?:toml|session))`[^`]*\n\n```(?:toml|text)\n(.*?)^```", page.read_text(), re.M | re.S)


def words_of(command, page):
    """The words that the program gets, with what the reader chooses."""
    chosen = {**CHOSEN, **CHOSEN_ON.get(page.stem, {})}
    command = re.sub(r"\s*\[[^\]]*\]", "", command)  # options that may be left out
    words = []
    for word in shlex.split(re.sub(r"^(echolux|app/run\.sh)\s*", "", command)):
        if word == "ARGS":
            continue
        head, equals, value = word.partition("=")
        if word in chosen:
            words += shlex.split(chosen[word]) if word == "..." else [chosen[word]]
        elif equals and value in chosen:
            words.append(f"{head}={chosen[value]}")
        elif word.startswith("testdata/"):
            words.append(str(ROOT / word))
        else:
            words.append(word)
    return words


def shortened(words):
    """With the options that let the command end soon, unless it has them."""
    whole = " ".join(words)
    options = next((shlex.split(each) for begin, each in SHORT if whole.startswith(begin)), [])
    has = any(each in words for each in options if each.startswith("--") and each != "--backend")
    return words if has or "--help" in words else words + options


def is_mention(words):
    """True where a page only names the command, or an option of it: without values behind it, it would refuse."""
    return 0 < len(words) <= 3 and all(re.fullmatch(r"(--)?[a-z][a-z0-9-]*", word) for word in words) and words[0] != "--version" and words[0] not in (
        "help", "stages", "pipelines", "plugins")


def run_pages(echolux, views):
    failures, count, begin = [], 0, time.monotonic()
    unused, alike = set(ELSEWHERE), set()
    for reason in [*ELSEWHERE.values(), *COVERED.values()]:
        failures += [f"there is no {file}" for file in re.findall(r"(?:tests|resources)/[\w/.]+\.\w+", reason)
                     if not (ROOT / file).exists()]
    for page in PAGES:
        if page.stem in COVERED:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "m.toml").write_text(MEASURED)
            rf = subprocess.run([echolux, "pipelines", "rf"], check=True, stdout=subprocess.PIPE).stdout
            (folder / "mine.toml").write_bytes(rf)
            for session in ("scene",) if views else ("mine", "scene"):
                (folder / f"{session}.session").write_text(f"echolux session 1\nrecording.open {CINE}\nparameters.beamform.f_number 2\n")
            if ROOT / "manual" in page.parents:
                (folder / "testdata").symlink_to(ROOT / "testdata")
                for file, text in files_of(page):
                    (folder / file).write_text(text)
            environment = {**os.environ, "XDG_CONFIG_HOME": name, "XDG_DATA_HOME": name, "OMP_NUM_THREADS": "1"}
            for command in commands_of(page):
                excuse = next((each for each in ELSEWHERE if re.search(each, command)), None)
                if excuse is not None:
                    unused.discard(excuse)
                    continue
                if not re.match(r"(echolux|app/run\.sh)\b", command):
                    failures.append(f"{page.name}: nothing runs '{command}'")
                    continue
                words = words_of(command, page)
                opens = words[:1] == ["view"] and len(words) > 1
                if not words or opens and not views or views and not opens and words[0] not in ("simulate", "record"):
                    continue
                named = [word for word in words if word.startswith("--")] if is_mention(words) else []
                if is_mention(words):
                    words = [word for word in words if word not in named] + ["--help"]
                words = shortened(words)
                if (*words, *named) in alike:
                    continue
                before = set(os.listdir(folder))
                started = time.monotonic()
                done = subprocess.run([echolux, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
                count += 1
                print(f"{time.monotonic() - started:6.2f} s  {page.stem}: {' '.join(words)}", flush=True)
                if done.returncode != 0 or any(each not in done.stdout for each in named):
                    failures.append(f"{page.name}: '{command}' ({' '.join(words)})\n  {done.stdout.strip()[-600:]}")
                elif set(os.listdir(folder)) == before and before.isdisjoint(words):  # the same on every page
                    alike.add((*words, *named))
    if not views:
        failures += [f"no page has a command like {each} any more: take it out of ELSEWHERE" for each in sorted(unused)]
    print(f"{count} commands in {time.monotonic() - begin:.0f} s")
    if failures:
        sys.exit("\n".join(failures))
    if count < (12 if views else 60):
        sys.exit("the commands were not found")


def run_plugin_page(build):
    """The block from `cmake --install` on, in a home of its own."""
    page = (ROOT / "resources/help/plugins.md").read_text()
    block = next(each for each in re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S) if "cmake --install" in each)
    script = block.replace("build/release", shlex.quote(str(Path(build).resolve()))).replace("RECORDING", shlex.quote(CINE))
    script = re.sub(r"(\S*echolux) view (.*)", r'on_virtual_display \1 view \2 --exit-after 1 --backend cpu', script)
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home}
        environment.pop("DESTDIR", None)
        display = shlex.quote(str(ROOT / "app/setup/virtual_display.sh"))
        run = subprocess.run(["bash", "-euxc", f". {display}\ncd\n" + script.replace("cmake --install", f"cd {shlex.quote(str(ROOT))}; cmake --install").replace("\ncp -r", "\ncd; cp -r")],
                             env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0 or not (Path(home) / "echolux/bin/echolux").exists():
            sys.exit(run.stdout[-4000:])
        print("the page's commands run")


if __name__ == "__main__":
    if sys.argv[1] == "--plugins":
        run_plugin_page(sys.argv[2])
    else:
        run_pages(os.path.abspath(sys.argv[1]), "--view" in sys.argv[2:])
