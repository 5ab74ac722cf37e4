// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one stage on host data: gpu/check/stage_run.hpp, for tests.
#pragma once

#include "gpu/check/stage_run.hpp"

namespace echolux::test {
using namespace check;
} // namespace echolux::test
