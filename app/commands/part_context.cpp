// SPDX-License-Identifier: GPL-3.0-or-later
// Names program, processor and plugins.
#include "app/commands/part_context.hpp"

#include "app/command_line/version.hpp"
#include "app/commands/info_json.hpp"
#include "app/pipeline/plugins.hpp"
#include "gpu/exec/processor_form.hpp"

#include <fmt/format.h>

#include <string>

namespace echolux {
namespace {

/// NOTE: FFTW chooses its code by the processor, whatever the form of the stages.
std::string newestInstructions() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") > 0) return "AVX-512";
    if (__builtin_cpu_supports("avx2") > 0) return "AVX2";
    if (__builtin_cpu_supports("avx") > 0) return "AVX";
    return "SSE2";
#else
    return "no AVX";
#endif
}

std::string processor() {
    const std::string has = fmt::format("a processor with {}", newestInstructions());
    return processorForm().empty() ? has : fmt::format("{}, by {}", has, processorForm());
}

std::string factsOf(const RecordingInfo& info) {
    nlohmann::json facts = toJson(info);
    facts.erase("path");
    std::string text = facts.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    for (const Plugin& plugin : pluginsInUse()) text += plugin.sha256 + '\n';
    return text;
}

} // namespace

PartContext partContext(int gpu) {
    PartContext context;
    const std::string version = versionText();
    context.program = version.substr(0, version.find('\n'));
    context.computedOn = [gpu](Backend backend) {
        return backend == Backend::Cuda ? chooseBackend("cuda", gpu).device : processor();
    };
    context.facts = factsOf;
    for (const Plugin& plugin : pluginsInUse()) context.plugins.push_back(plugin.path);
    return context;
}

} // namespace echolux
