// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/workbench/running_beams.hpp"

namespace echolux {

std::optional<lab::BeamGeometry> runningBeams(const Snapshot& snapshot) {
    const StageState* beamform = snapshot.findType("beamform");
    if (beamform == nullptr) return std::nullopt;
    return lab::BeamGeometry(beamform->input, beamform->params.as<BeamformParams>());
}

} // namespace echolux
