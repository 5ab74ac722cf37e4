// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline that asks for another backend or GPU than the one that runs.
#pragma once

#include "app/desktop/workbench/step_name.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/environment.hpp"

#include <QString>

#include <functional>

namespace echolux {

struct PipelineMove {
    PipelineConfig pipeline;
    EnvironmentAnswer::Target place;
    StepName name;
    QString file; ///< it came from, or is an edit of; empty: none
    /// Told why it could not be, in place of the message bar.
    std::function<void(const QString&)> refused = {};
    /// Asked last: false gives it up.
    std::function<bool()> isMeant = {};

    QString placeName() const; ///< "CUDA, GPU 1"
};

} // namespace echolux
