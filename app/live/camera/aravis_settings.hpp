// SPDX-License-Identifier: GPL-3.0-or-later
// Sets a camera up as an address asks, and reads how it is set.
#pragma once

#include "app/live/camera/aravis_object.hpp"
#include "app/live/camera/camera_device.hpp"

#include <string>

namespace echolux {

struct AravisSettings {
    CameraFacts facts;
    ArvPixelFormat format = 0;
};

/// `camera` must not run. Throws Error with one sentence where it refuses a setting, or sends
/// pixels that are no codes.
AravisSettings applySettings(ArvCamera& camera, const CameraSetup& setup,
                             const std::string& address);

} // namespace echolux
