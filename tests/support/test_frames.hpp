// SPDX-License-Identifier: GPL-3.0-or-later
// Plausible frames: gpu/check/plausible_frames.hpp, for tests.
#pragma once

#include "gpu/check/plausible_frames.hpp"

namespace echolux::test {
using namespace check;
} // namespace echolux::test
