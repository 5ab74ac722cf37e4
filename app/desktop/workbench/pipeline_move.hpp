// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline that asks for another backend or GPU than the one in use.
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
    QString file; ///< file of the pipeline, also where it is an edit of that file; empty: none
    /// Receives the reason where the move fails. Empty: the message bar shows the reason.
    std::function<void(const QString&)> refused = {};
    /// Called just before the move; false cancels it.
    std::function<bool()> isMeant = {};

    QString placeName() const; ///< "CUDA, GPU 1"
};

} // namespace echolux
