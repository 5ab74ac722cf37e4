// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the checks and prints them.
#include "app/commands/stage_report.hpp"

#include "app/pipeline/plugins.hpp"
#include "gpu/check/stage_check.hpp"
#include "gpu/core/error.hpp"
#include "gpu/exec/device_api.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace echolux {
namespace {

/// Prints the line of one check; returns how many findings there are.
std::size_t report(const std::string& stage, const char* check, const check::Findings& findings) {
    fmt::print("{:<24}{:<42}{}\n", stage, check, findings.empty() ? "passed" : "FAILED");
    for (const std::string& finding : findings) fmt::print("    {}\n", finding);
    std::fflush(stdout);
    return findings.size();
}

} // namespace

void testPlugin(const std::string& library) {
    const Plugin plugin = allowPlugin(findPlugin(library, {})); // the command line names it
    std::string noGpu;
    const bool hasGpu = !device::probe(&noGpu).empty();
    fmt::print("{} {} ({})\n", plugin.name, plugin.version,
               plugin.hasCuda ? "CPU and CUDA" : "CPU");
    std::size_t failures = 0;
    for (const std::string& id : plugin.stages) {
        const StageType& type = stageType(id);
        for (const check::NamedCheck& each : check::hostChecks())
            failures += report(id, each.name, each.run(type));
        constexpr const char* kParity = "the backends agree";
        if (type.hasCuda && hasGpu)
            failures += report(id, kParity, check::backendsAgree(type));
        else
            fmt::print("{:<24}{:<42}not tried: {}\n", id, kParity,
                       type.hasCuda ? noGpu : "the stage has no CUDA form");
    }
    if (failures > 0)
        throw Error(
            fmt::format("{} checks of the plugin {} failed; see above.", failures, plugin.name));
}

} // namespace echolux
