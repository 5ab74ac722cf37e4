// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the window from start to end.
#pragma once

#include "app/session/prepared_engine.hpp"
#include "gpu/exec/exec.hpp"

#include <string>
#include <vector>

namespace echolux {

struct WindowRun {
    BackendChoice backend;
    int inFlight = EnginePlace::kUsualInFlight; ///< number of frames in flight on CUDA
    std::string version;                        ///< version of the program
    OpenRequest recording;                      ///< recording, screenshot or session; empty: none
    double speed = 1.0; ///< relative to the recorded rate; 0: as fast as possible
    std::vector<std::string> publish = {};  ///< addresses, see publishTarget()
    std::vector<std::string> commands = {}; ///< entries of a session, done after the first image
    std::vector<std::string> listen = {};   ///< where other programs send entries, see ControlDesk
    std::string session;                    ///< file in which the session is recorded; empty: none
    std::string size;                       ///< "1280x800"; empty: the remembered size
    double exitAfterS = 0.0;                ///< 0: run until the user closes the window
    std::string screenshot; ///< with exitAfterS: PNG to write on closing; empty: none
    std::string stats;      ///< with exitAfterS: JSON file for the readouts; empty: none
};

/// Returns when the window is closed. Throws Error where there is no display, where the recording
/// cannot be opened, where a command is unknown or cannot act, or where a result cannot be written.
/// A bad recording is found before a window is shown, unless that takes long. The window asks for
/// the sizes of headerless data, unless exitAfterS is set.
void runWindow(const WindowRun& run);

} // namespace echolux
