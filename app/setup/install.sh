#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# install.sh app|tests: installs the packages of packages.txt that are missing; with `app`, without
# those that only tests need. Touches neither network nor privileges where nothing is missing.
set -euo pipefail
who=${1:-app}
list=$(dirname "${BASH_SOURCE[0]}")/packages.txt

if ! command -v dpkg-query >/dev/null; then
  echo "This is not a Debian system: install what $list names, by your own means." >&2
  exit 0
fi

mapfile -t wanted < <(awk -v who="$who" '!/^#/ && NF && (who == "tests" || $2 == "app") { print $1 }' "$list")
present=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${wanted[@]}" 2>/dev/null | awk '/^ii/ { print $2 }' || true)
mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}" | sort) <(sort <<<"$present"))
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "These packages are missing: ${missing[*]}; install them as root, or install sudo." >&2
    exit 2
  fi
  as_root=(sudo)
fi
echo "Installing ${missing[*]}" >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q </dev/null >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
  "${missing[@]}" </dev/null >&2
