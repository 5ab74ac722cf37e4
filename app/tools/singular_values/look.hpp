// SPDX-License-Identifier: GPL-3.0-or-later
// The singular values of the shown ensemble, found where it lies.
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "app/session/look/asked_look.hpp"
#include "gpu/flow/singular_parts.hpp"
#include "gpu/memory/buffer.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

struct SingularValues {
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
/// There is no answer where the ensemble is not kept.
class SingularLook : public AskedLook<std::string, SingularValues> {
public:
    explicit SingularLook(const LookPlace& place);

    static std::vector<std::string> outputs(const Snapshot& snapshot);

private:
    std::shared_ptr<const SingularValues> look(const std::string& wanted,
                                               const LookFrame& frame) override;

    Backend m_backend;
    Stream m_stream;
    Buffer m_memory; ///< in compute memory
    Buffer m_parts;  ///< the same: spatial vectors, as large as the ensemble
    Buffer m_staging;
};

} // namespace echolux
