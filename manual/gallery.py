#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gallery.py FOLDER [PROGRAM]: writes the gallery's page into FOLDER and, by the commands of gallery.toml, its pictures into
FOLDER/pictures. The commands run in FOLDER/pictures, where `testdata` leads to the bundled recordings; windows open on a
virtual display."""
import os
import shlex
import subprocess
import sys
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
DISPLAY = HERE.parent / "app/setup/virtual_display.sh"
ENVIRONMENT = {"CUDA_VISIBLE_DEVICES": "", "LC_ALL": "C.UTF-8"}  # the CPU makes them on every machine


def pictures():
    return tomllib.loads((HERE / "gallery.toml").read_text())["picture"]


def commands_of(picture):
    """The commands of a picture, a line each."""
    return picture["commands"].replace("\\\n", "").strip().splitlines()


def make(picture, program, folder):
    """Runs the commands of a picture; returns the seconds that they took."""
    begin = time.monotonic()
    environment = {**os.environ, **ENVIRONMENT, "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    for name, text in picture.get("files", {}).items():
        (folder / name).write_text(text)
    for command in commands_of(picture):
        words = [program, *shlex.split(command)[1:]]
        if words[1] == "view":
            words = ["bash", "-c", '. "$0" && on_virtual_display "$@"', DISPLAY, *words]
        done = subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"gallery.toml, {picture['name']}: '{command}' failed:\n{done.stdout}")
    if not (folder / f"{picture['name']}.png").exists():
        sys.exit(f"gallery.toml: the commands of {picture['name']} do not write {picture['name']}.png.")
    return time.monotonic() - begin


def make_all(program, folder):
    """Makes all pictures in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "testdata").exists():
        (folder / "testdata").symlink_to(HERE.parent / "testdata")
    for picture in pictures():
        print(f"{make(picture, os.path.abspath(program), folder):6.2f} s  {picture['name']}", flush=True)


def page(with_pictures):
    out = [(HERE / "gallery.md").read_text()]
    for picture in pictures():
        out.append(f"## {picture['title']}\n\n{picture['text']}\n")
        if with_pictures:
            out.append(f"![{picture['title']}](pictures/{picture['name']}.png)\n")
        for text in (*picture.get("files", {}).values(), picture["commands"]):
            out.append(f"```\n{text.strip()}\n```\n")
    return "\n".join(out)


if __name__ == "__main__":
    folder, programs = Path(sys.argv[1]), sys.argv[2:]
    if programs:
        make_all(programs[0], folder / "pictures")
    (folder / "gallery.md").write_text(page(bool(programs)))
