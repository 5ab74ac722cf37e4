// SPDX-License-Identifier: GPL-3.0-or-later
// A parameter's value as text.
#pragma once

#include "gpu/stage/param_table.hpp"

#include <QString>

namespace echolux {

/// "1480 m/s", "on", "Hann", "0.0, 2.0, 4.0 dB", "3 of 8".
QString paramText(const ParamRow& row, const ParamValue& value);

} // namespace echolux
