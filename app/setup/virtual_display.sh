# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced: on_virtual_display COMMAND... runs it on a software-rendered screen of its own.
on_virtual_display() {
  LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb \
    xvfb-run --auto-servernum --server-args="-screen 0 1280x800x24" "$@"
}
