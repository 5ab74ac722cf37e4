# SPDX-License-Identifier: GPL-3.0-or-later
# To be sourced: on_virtual_display COMMAND... runs COMMAND on a separate software-rendered screen and returns
# its exit status. NOTE: xvfb-run sometimes returns another status, because of a race when it cleans up.
on_virtual_display() {
  local server display output status=0
  exec {output}< <(exec Xvfb -displayfd 1 -screen 0 1280x800x24 -nolisten tcp 2>/dev/null)
  server=$!
  if ! read -r -t 30 -u "$output" display; then
    echo "The virtual display did not start; check whether Xvfb runs when started by hand." >&2
    return 1
  fi
  DISPLAY=:$display LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb "$@" || status=$?
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  exec {output}<&-
  return $status
}
