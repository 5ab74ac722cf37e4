// SPDX-License-Identifier: GPL-3.0-or-later
// For predictions: kernels are chosen for a device that need not be here.
#pragma once

#include <cstddef>

namespace echolux::device {

/// While it lives, sharedBytesEverywhere() tells the calling thread the shared memory per block of
/// the device that it plans for. So layouts and fusions are those that run there.
class PlannedDevice {
public:
    explicit PlannedDevice(std::size_t sharedBytesPerBlock);
    PlannedDevice(const PlannedDevice&) = delete;
    PlannedDevice& operator=(const PlannedDevice&) = delete;
    ~PlannedDevice();

private:
    std::size_t m_former;
};

} // namespace echolux::device
