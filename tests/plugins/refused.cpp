// SPDX-License-Identifier: GPL-3.0-or-later
// A plugin that is refused when it is loaded: compiled once for each reason.
#include "tests/plugins/copy_stage.hpp"

#include <stdexcept>

namespace {

const StageType& copyStage() {
#if defined(REFUSED_THROWS)
    throw std::runtime_error("no licence");
#endif
    static const StageType kType = typeOf<Copy>(REFUSED_ID);
    return kType;
}

} // namespace

ECHOLUX_PLUGIN("Refused", "1.0", &copyStage())
