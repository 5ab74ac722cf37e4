// SPDX-License-Identifier: GPL-3.0-or-later
// Places that a pipeline asks for, and places in use.
#include "app/session/environment.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

namespace echolux {
namespace {

std::string cpuInstead(const std::string& reason) {
    return fmt::format("The pipeline asks for CUDA; the CPU computes it: {}.", reason);
}

} // namespace

GpuCount GpuCount::now() {
    GpuCount gpus;
    gpus.count = static_cast<int>(device::probe(&gpus.whyNone).size());
    return gpus;
}

EnvironmentAnswer answerTo(const EnvironmentConfig& asked, const BackendChoice& running,
                           const GpuCount& gpus) {
    using Target = EnvironmentAnswer::Target;
    if (asked.backend == "cpu") {
        if (running.backend == Backend::Cpu) return {};
        return {Target{Backend::Cpu, 0}, {}};
    }
    const bool wantsCuda = asked.backend == "cuda";
    if (!wantsCuda && (running.backend == Backend::Cpu || !asked.device)) return {};
    if (gpus.count == 0) return {std::nullopt, cpuInstead(gpus.whyNone)};
    const bool runsOnCuda = running.backend == Backend::Cuda;
    const auto gpu = asked.device.value_or(runsOnCuda ? running.gpu : 0);
    if (gpu >= gpus.count) {
        throw Error(gpus.count == 1
                        ? fmt::format("The pipeline asks for GPU number {}, but this machine has "
                                      "only number 0; write device = 0 under [environment].",
                                      gpu)
                        : fmt::format("The pipeline asks for GPU number {}, but this machine has "
                                      "numbers 0 to {}; write one of them under [environment].",
                                      gpu, gpus.count - 1));
    }
    if (runsOnCuda && gpu == running.gpu) return {};
    return {Target{Backend::Cuda, static_cast<int>(gpu)}, {}};
}

BackendChoice chooseBackend(const std::string& backend, std::optional<int> gpu,
                            const EnvironmentConfig& environment, std::string& warning) {
    const int number = gpu.value_or(static_cast<int>(environment.device.value_or(0)));
    if (!backend.empty()) return chooseBackend(backend, number);
    if (environment.backend == "cpu") return chooseBackend("cpu");
    BackendChoice choice = chooseBackend("auto", number);
    if (environment.backend == "cuda" && choice.backend == Backend::Cpu)
        warning = cpuInstead(choice.reason);
    return choice;
}

} // namespace echolux
