// SPDX-License-Identifier: GPL-3.0-or-later
// Device files: TOML to and from model::Device, and the devices that the program knows.
#pragma once

#include "gpu/model/device.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// Reads a device file. `origin` stands at the beginning of errors; `id` of the device is `origin`
/// without folder and ending. Rates of theory that the file does not give follow from its [chip].
/// Throws Error, one sentence that names line, key and remedy, where the text is no device file.
model::Device parseDevice(std::string_view text, const std::string& origin);

/// Throws Error where the file cannot be read, and as parseDevice().
model::Device readDevice(const std::string& path);

/// A device file with every number that is known.
std::string toToml(const model::Device& device);

/// The devices that come with the program, in the order of their names. Read once.
std::span<const model::Device> shippedDevices();

/// A shipped device by its id, or a device file by its path (with the ending .toml). Throws Error,
/// which names the nearest device and all others.
model::Device deviceBy(const std::string& nameOrPath);

/// True where `name` is what the driver calls the device. "NVIDIA " may be missing in either.
bool isCalled(const model::Device& device, std::string_view name);

/// The shipped device that is called so; null where none is.
const model::Device* shippedDeviceCalled(std::string_view name);

} // namespace echolux
