// SPDX-License-Identifier: GPL-3.0-or-later
// Cameras by their addresses:
//   camera:NAME?lines=N&rate=HZ&exposure=US&format=Mono12&wavelength=NM&bandwidth=NM&spacing=UM
//   camera:NAME?sidecar=FILE
#pragma once

#include "app/live/live_source.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace echolux {

bool isCameraAddress(std::string_view address);
/// Throws Error for an option that does not exist, and as openAravisCamera() and CameraSource do.
/// camera:list throws an Error that names all cameras.
std::unique_ptr<LiveSource> cameraSource(const std::string& address);

} // namespace echolux
