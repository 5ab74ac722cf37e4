// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the stage m_mode.
#pragma once

#include <cstdint>

namespace echolux {

struct MModeParams {
    double lateralM = 0.0;
    std::int64_t lines = 256;
};

} // namespace echolux
