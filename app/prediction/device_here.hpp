// SPDX-License-Identifier: GPL-3.0-or-later
// The devices of this machine, as the performance model knows them.
#pragma once

#include "gpu/exec/exec.hpp"
#include "gpu/model/device.hpp"

#include <optional>

namespace echolux {

/// Where this machine has the device.
std::optional<BackendChoice> placeOf(const model::Device& device);

/// The calling thread's device. A processor is measured, a card is looked up. Throws Error where no
/// device file is known for the card.
model::Device deviceHere(Backend backend);

} // namespace echolux
