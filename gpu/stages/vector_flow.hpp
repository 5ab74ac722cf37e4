// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the stage vector_flow, which pipelines set from the recording's transmits.
#pragma once

namespace echolux {

struct VectorFlowParams {
    double firstRad = -0.17453292519943295; ///< steering of the wave that the first input saw
    double secondRad = 0.17453292519943295;
    bool measuresFrequency = false;
};

} // namespace echolux
