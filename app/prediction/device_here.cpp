// SPDX-License-Identifier: GPL-3.0-or-later
// Looks for devices by the names that the system reports.
#include "app/prediction/device_here.hpp"

#include "app/prediction/device_file.hpp"
#include "gpu/core/error.hpp"
#include "gpu/microbench/microbench.hpp"

#include <fmt/format.h>

#include <string>

namespace echolux {

std::optional<BackendChoice> placeOf(const model::Device& device) {
    if (device.isCpu) {
        if (device.name != microbench::processorName()) return std::nullopt;
        return chooseBackend("cpu", 0);
    }
    for (const device::Info& card : device::probe())
        if (isCalled(device, card.name)) return chooseBackend("cuda", card.ordinal);
    return std::nullopt;
}

model::Device deviceHere(Backend backend) {
    if (backend == Backend::Cpu)
        return microbench::measureHost(microbench::kUsualHostSeconds).device;
    const std::string name = device::current().name;
    if (const model::Device* known = shippedDeviceCalled(name)) return *known;
    throw Error(fmt::format("No device file is known for the {}; write one with 'echolux "
                            "microbench -o card.toml', then give '--device card.toml'.",
                            name));
}

} // namespace echolux
