#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh OUTPUT [PROGRAM]: builds the manual as pages of HTML in the folder OUTPUT, without a network. With PROGRAM, a built
# `echolux`, the gallery has its pictures, and the stages and their parameters have a page. Any warning is an error.
set -euo pipefail
output=${1:?build.sh OUTPUT [PROGRAM]} program=${2:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export ECHOLUX_SOURCE=${here%/*} PYTHONDONTWRITEBYTECODE=1

missing=$(/usr/bin/python3 - <<'PYTHON'
from importlib.util import find_spec
packages = {"sphinx": "python3-sphinx", "myst_parser": "python3-myst-parser", "furo": "furo", "numpy": "python3-numpy"}
print(" ".join(package for module, package in packages.items() if find_spec(module) is None))
PYTHON
)
[ -z "$missing" ] || { echo "The manual needs these packages: $missing" >&2; exit 77; }

pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
cp -r "$here"/{conf.py,*.md,first_hour,static} "$ECHOLUX_SOURCE/resources/screenshots/window.png" "$pages"
cp -r "$ECHOLUX_SOURCE/resources/help" "$pages/reference"
cp "$ECHOLUX_SOURCE/app/GLOSSARY.md" "$pages/words.inc"
/usr/bin/python3 "$here/c_page.py" "$ECHOLUX_SOURCE/app/library/echolux.h" >"$pages/c.rst"
/usr/bin/python3 "$here/c_page.py" "$ECHOLUX_SOURCE/app/live/client/echolux_live.h" >"$pages/c_live.rst"
/usr/bin/python3 "$here/gallery.py" "$pages" ${program:+"$program"}
if [ -n "$program" ]; then
  "$program" stages --markdown | sed 's/^### /## /' >>"$pages/stages.md"
fi
/usr/bin/python3 -m sphinx -q -W --keep-going -d "$pages/.doctrees" -b html "$pages" "$output"
rm -f "$output/.buildinfo" "$output/objects.inv"
echo "The manual begins at $output/index.html"
