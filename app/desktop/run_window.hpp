// SPDX-License-Identifier: GPL-3.0-or-later
// The window from start to end.
#pragma once

#include "app/session/prepared_engine.hpp"
#include "gpu/exec/exec.hpp"

#include <string>

namespace echolux {

struct WindowRun {
    BackendChoice backend;
    int inFlight = EnginePlace::kUsualInFlight; ///< frames, on CUDA
    std::string version;                        ///< of the program
    OpenRequest recording;   ///< or a screenshot; without a file: nothing is opened
    double speed = 1.0;      ///< times the recorded rate; 0 = as fast as possible
    std::string size;        ///< "1280x800", or empty: as remembered
    double exitAfterS = 0.0; ///< 0: when somebody closes it
    std::string screenshot;  ///< with exitAfterS: PNG written on closing, or empty
    std::string stats;       ///< with exitAfterS: JSON of the readouts, or empty
};

/// Returns when the window is closed. Throws Error where there is no display, the recording is no
/// good (before a window is shown, unless finding out takes long), or a result cannot be written.
/// Of headerless data the window asks for the sizes, unless it closes itself.
void runWindow(const WindowRun& run);

} // namespace echolux
