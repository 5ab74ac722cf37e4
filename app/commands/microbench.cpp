// SPDX-License-Identifier: GPL-3.0-or-later
// echolux microbench: measures this machine's processor or card, and writes a device file.
#include "gpu/microbench/microbench.hpp"
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/prediction/device_file.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"
#include "gpu/exec/exec.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace echolux {
namespace {

using microbench::Figure;

struct MicrobenchOptions {
    std::string backend = "auto";
    int gpu = 0;
    double seconds = 4.0;
    OutputOptions output;
    bool json = false;
};

std::string tableOf(const microbench::Report& report) {
    std::string text = report.device.name + "\n";
    std::string group;
    for (const Figure& figure : report.figures) {
        if (figure.group != group) {
            group = figure.group;
            text +=
                fmt::format("{:<34} {:>12} {:>12} {:>8}\n", group, "theory", "measured", "ratio");
        }
        const std::string theory = figure.theory > 0.0 ? fmt::format("{:.4g}", figure.theory) : "-";
        const std::string ratio =
            figure.theory > 0.0 ? fmt::format("{:.3f}", figure.measured / figure.theory) : "-";
        text += fmt::format("  {:<32} {:>12} {:>12.4g} {:>8}  {}\n", figure.name, theory,
                            figure.measured, ratio, figure.unit);
    }
    return text + fmt::format("one special function hides {:.1f} floating-point instructions\n",
                              report.device.chip.hiddenInstructions);
}

std::string jsonOf(const microbench::Report& report) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Figure& figure : report.figures) {
        nlohmann::ordered_json one{{"group", figure.group},
                                   {"name", figure.name},
                                   {"unit", figure.unit},
                                   {"measured", figure.measured}};
        if (figure.theory > 0.0) one["theory"] = figure.theory;
        list.push_back(std::move(one));
    }
    nlohmann::ordered_json json{{"device", report.device.name},
                                {"hidden_instructions", report.device.chip.hiddenInstructions}};
    if (report.processorShare > 0.0) json["processor_share"] = report.processorShare;
    json["figures"] = std::move(list);
    return json.dump(2) + "\n";
}

microbench::Report measure(const MicrobenchOptions& options) {
    const BackendChoice choice = chooseBackend(options.backend, options.gpu);
    if (choice.backend == Backend::Cpu) return microbench::measureHost(options.seconds);
    const Stream stream(choice.backend, "microbench");
    return microbench::measureCard({choice.backend, stream.get()},
                                   shippedDeviceCalled(device::current().name));
}

void run(const MicrobenchOptions& options) {
    const std::string& path = options.output.path;
    if (!path.empty()) {
        if (std::filesystem::path(path).extension() != ".toml")
            throw Error(fmt::format("A device file is written as .toml, not as '{}'; write -o "
                                    "card.toml.",
                                    path));
        options.output.refuseExisting(path);
    }
    const microbench::Report report = measure(options);
    if (!path.empty()) writeWhole(path, toToml(report.device));
    if (report.wasBusy())
        printWarnings({fmt::format("Other programs took part of the processor: this one had {:.0f} "
                                   "% of its time, so that measured rates are too low; close them "
                                   "and measure again.",
                                   100.0 * report.processorShare)});
    std::fputs((options.json ? jsonOf(report) : tableOf(report)).c_str(), stdout);
}

} // namespace

void addMicrobench(CLI::App& app) {
    auto options = std::make_shared<MicrobenchOptions>();
    CLI::App* command = app.add_subcommand(
        "microbench", "Measure what this machine's processor or GPU does per second");
    command->footer("Arithmetic, special functions, memory, copies and launches, theory beside "
                    "measurement. 'echolux predict --device FILE' reads the device file. Close "
                    "other programs first: they take part of the machine.");
    command->add_option("-o,--output", options->output.path, "Device file to write (.toml)");
    command->add_flag("--force", options->output.force, "Replace the file where it exists");
    command->add_option("--backend", options->backend, "auto, cuda or cpu")->capture_default_str();
    addDeviceTo(*command, options->gpu);
    command->add_option("--seconds", options->seconds, "About how long the processor is measured")
        ->check(CLI::Range(0.2, 600.0))
        ->capture_default_str();
    command->add_flag("--json", options->json, "As JSON");
    command->callback([options] { run(*options); });
}

} // namespace echolux
