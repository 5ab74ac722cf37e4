// SPDX-License-Identifier: GPL-3.0-or-later
// What the reader process does: it parses one file and answers questions about it.
#pragma once

namespace echolux {

/// Answers the questions that come through `socket` until its other end closes. Frames go to the
/// shared memory `memory`. Returns the exit status.
int serveReader(int socket, int memory);

} // namespace echolux
