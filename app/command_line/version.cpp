// SPDX-License-Identifier: GPL-3.0-or-later
// Puts together what CMake found at build time and what is here now.
#include "app/command_line/version.hpp"

#include "gpu/exec/exec.hpp"
#include "gpu/exec/processor_form.hpp"

#include <fmt/format.h>

namespace echolux {

std::string versionText() {
    std::string noGpu;
    const auto gpus = device::probe(&noGpu);
    std::string here;
    for (const device::Info& gpu : gpus) here += (here.empty() ? "" : ", ") + gpu.name;
    std::string cpu = chooseBackend("cpu").device;
    if (!processorForm().empty()) cpu += fmt::format(" by {}", processorForm());
    return fmt::format("Echolux {}{}\n"
                       "Backends: {}, {}; GPUs here: {}\n"
                       "Built with: {}",
                       ECHOLUX_VERSION, ECHOLUX_COMMIT, cpu,
                       device::compiledWithCuda() ? "CUDA" : "no CUDA",
                       here.empty() ? "none (" + noGpu + ")" : here, ECHOLUX_BUILT_WITH);
}

} // namespace echolux
