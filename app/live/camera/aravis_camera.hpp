// SPDX-License-Identifier: GPL-3.0-or-later
// Cameras of GigE Vision and USB3 Vision, by Aravis where the program was built with it.
#pragma once

#include "app/live/camera/camera_device.hpp"

#include <memory>
#include <string>
#include <vector>

namespace echolux {

/// This name stands for a camera that Aravis simulates: it makes a moving ramp.
inline constexpr const char* kFakeCamera = "fake";

/// Finds the camera, sets it up and starts it. `address`: for errors. Throws Error with one
/// sentence where there is no such camera, where another program uses it, where it cannot be set
/// so, or where the program was built without Aravis.
std::unique_ptr<CameraDevice> openAravisCamera(const CameraSetup& setup,
                                               const std::string& address);

/// One text for each camera that is found now: its name, maker and model. Waits for answers, about
/// a second. Throws Error where the program was built without Aravis.
std::vector<std::string> camerasFound();

} // namespace echolux
