#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""manual_test.py ECHOLUX: the manual is built without a warning and with every picture of the gallery; all its links lead
somewhere, and no page fetches anything from a network. Status 77 where Sphinx, MyST or Furo is missing."""
import os
import re
import struct
import subprocess
import sys
import tempfile
import tomllib
import zlib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
LOADED = {"img": "src", "script": "src", "link": "href"}  # what a browser fetches with a page


class Page(HTMLParser):
    """The links and places of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.ids.update(found[each] for each in ("id", "name") if found.get(each))
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        if tag in LOADED and found.get(LOADED[tag]):
            self.loaded.append(found[LOADED[tag]])


def dead_ends(folder):
    """Links and loaded files of all pages that lead nowhere, and what would be fetched from elsewhere."""
    pages = {path: Page(path) for path in folder.rglob("*.html")}
    found = []
    for path, page in pages.items():
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            name = f"{path.relative_to(folder)}: {link}"
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    found.append(f"{name} is fetched from a network")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                found.append(f"{name} is not there")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                found.append(f"{name} names a place that is not there")
    return found, len(pages)


def values_of(path):
    """Width and height of a PNG, and how many values its bytes have: few for a picture without content."""
    data, at, packed = path.read_bytes(), 8, b""
    size = struct.unpack(">II", data[16:24])
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    return size, len(set(zlib.decompress(packed)))


def check(folder):
    wrong, count = dead_ends(folder)
    for page in sorted((ROOT / "resources/help").glob("*.md")):
        if not (folder / f"reference/{page.stem}.html").exists():
            wrong.append(f"resources/help/{page.name} has no page")
    pictures = tomllib.loads((ROOT / "manual/gallery.toml").read_text())["picture"]
    shown = (folder / "gallery.html").read_text()
    for picture in pictures:
        name = f"{picture['name']}.png"
        if name not in shown:
            wrong.append(f"the gallery does not show {name}")
            continue
        (width, height), values = values_of(folder / "_images" / name)
        if min(width, height) < 150 or values < 40:
            wrong.append(f"{name} of {width} x {height} pixels has {values} values: it shows nothing")
    header = (ROOT / "app/library/echolux.h").read_text()
    described = (folder / "c.html").read_text()
    wrong += [f"c.html lacks {name}" for name in re.findall(r"^ECHOLUX_API .*?(echolux_\w+)\(", header, re.M)
              if f'id="c.{name}"' not in described]
    return wrong, count, len(pictures)


def main(echolux):
    with tempfile.TemporaryDirectory() as name:
        built = subprocess.run([ROOT / "manual/build.sh", f"{name}/html", os.path.abspath(echolux)], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(built.stdout, end="")
        if built.returncode != 0:
            sys.exit(built.returncode)
        wrong, pages, pictures = check(Path(name) / "html")
    if wrong:
        sys.exit("\n".join(wrong))
    if pages < 25 or pictures < 12:
        sys.exit(f"only {pages} pages and {pictures} pictures were found")
    print(f"{pages} pages and {pictures} pictures are whole")


if __name__ == "__main__":
    main(sys.argv[1])
