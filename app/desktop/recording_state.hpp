// SPDX-License-Identifier: GPL-3.0-or-later
// State in which a recording was left: what an opening of the undo list goes back to.
#pragma once

#include "app/session/prepared_engine.hpp"
#include "ui/parameters/display_group.hpp"

#include <QString>

#include <optional>

namespace echolux {

struct RecordingState {
    OpenRequest asked; ///< the request that first opened it
    PipelineConfig pipeline;
    std::optional<Calibration> calibration; ///< replaces the recording's own facts
    QString origin;                         ///< the file whose calibration was in force
    DisplayChoice display;
    BackendChoice backend; ///< the backend that computed it
};

} // namespace echolux
