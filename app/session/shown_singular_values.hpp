// SPDX-License-Identifier: GPL-3.0-or-later
// The singular values of the shown ensemble, found where it lies.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "app/session/look_request.hpp"
#include "gpu/flow/singular_parts.hpp"
#include "gpu/memory/buffer.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

struct SingularLook {
    std::string asked; ///< id of the stage `clutter_filter`
    std::vector<flow::SingularValue> values;
    flow::SingularRange kept = {}; ///< by the stage's parameters
    double frameTimeS = 0.0;       ///< from frame to frame; 0: unknown
};

/// The first active stage `clutter_filter` that works by singular values, or null.
const StageState* singularStage(const Snapshot& snapshot);
/// The stage whose first output that stage reads. Empty where there is none.
std::optional<std::string> ensembleStage(const Snapshot& snapshot);

/// Finds them only when asked, on a stream of its own. The values alone are copied to the host.
class ShownSingularValues : public LookRequest<std::string, SingularLook> {
public:
    explicit ShownSingularValues(Backend backend);

    /// Pipeline thread. Answers the request. `ensemble` is what reaches `stage`, in compute memory.
    /// Without it there is no answer.
    void find(const StageState& stage, const ConstTensorView& ensemble);

private:
    Backend m_backend;
    Stream m_stream;
    Buffer m_memory; ///< in compute memory
    Buffer m_parts;  ///< the same: spatial vectors, as large as the ensemble
    Buffer m_staging;
};

} // namespace echolux
