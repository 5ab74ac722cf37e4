#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""reached.py COMMIT: prints the programs of unit tests that what changed since COMMIT can reach, one per line.

A program is reached where one of its tests, or a source of the folder that it tests, is or includes a changed file,
over any number of includes. For tests, a changed source counts as its header. How things are built reaches all programs;
so does a COMMIT that the history does not have."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("app", "gpu", "render", "ui", "tests", "resources")
SOURCES, HEADERS = {".cpp", ".cu", ".c"}, {".hpp", ".cuh", ".h", ".def"}
HOW_IT_IS_BUILT = r"(.*/)?CMakeLists\.txt|.*\.cmake|CMakePresets\.json|tests/(run\.sh|reached\.py)|app/setup/.*|tests/support/main\.cpp"


def programs():
    """Folder of each program of unit tests, by its name."""
    calls = re.findall(r"^echolux_tests\((\S+) unit\b", (ROOT / "tests/CMakeLists.txt").read_text(), re.M)
    return {"tests_" + folder.replace("/", "_"): folder for folder in calls}


def room_of(folder):
    """The folder of the sources that the tests in `folder` test: of the same name, or that of a folder around it."""
    while not any((ROOT / above / folder).is_dir() for above in ("app", "gpu", "")) and "/" in folder:
        folder = folder.rpartition("/")[0]
    return folder


def read_files():
    """What each file of the source includes, as paths below the root."""
    files = {}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in SOURCES | HEADERS:
                files[path.relative_to(ROOT).as_posix()] = re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.M)
    named = {}
    for name in files:
        named.setdefault(Path(name).name, []).append(name)
    for name, included in files.items():
        # NOTE: a few public headers are found by folders of their own.
        files[name] = {found for each in included
                       for found in ([each] if each in files else named.get(each, []))}
    return files


def closure(files, changed):
    """The files that are or include, over any number of includes, one of `changed`."""
    users = {}
    for name, included in files.items():
        for each in included:
            users.setdefault(each, set()).add(name)
    found, left = set(), list(changed)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += users.get(name, ())
    return found


def reached(changed, files=None):
    """Names of the programs that a change of the files `changed` reaches."""
    every = programs()
    if any(re.fullmatch(HOW_IT_IS_BUILT, name) for name in changed):
        return sorted(every)
    files = files or read_files()
    headers = {f"{Path(name).with_suffix('')}{ending}" for name in changed for ending in HEADERS}
    built, tested = closure(files, changed), closure(files, {*changed, *headers})
    names = []
    for name, folder in every.items():
        tests, sources = re.compile(rf"tests/{folder}/[^/]*"), re.compile(rf"((app|gpu)/)?{room_of(folder)}/")
        if any(tests.fullmatch(each) for each in tested) or any(sources.match(each) for each in built):
            names.append(name)
    return sorted(names)


def changed_since(commit):
    """Paths, or nothing where the history does not say."""
    done = subprocess.run(["git", "diff", "--name-only", "--no-renames", commit, "--"], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else None


if __name__ == "__main__":
    since = changed_since(sys.argv[1])
    print("\n".join(sorted(programs()) if since is None else reached(since)))
