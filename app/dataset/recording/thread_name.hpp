// SPDX-License-Identifier: GPL-3.0-or-later
// Names the calling thread for debuggers and profilers.
#pragma once

#include <pthread.h>

namespace echolux {

/// At most 15 characters are kept.
inline void nameThisThread(const char* name) { pthread_setname_np(pthread_self(), name); }

} // namespace echolux
