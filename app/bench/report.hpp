// SPDX-License-Identifier: GPL-3.0-or-later
// Options that benches share, and where their figures go.
#pragma once

#include "gpu/core/whole_file.hpp"
#include "gpu/exec/exec.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

struct BenchOptions {
    std::string backend = "auto";
    int gpu = 0;
    std::string json;
    std::vector<std::string> problems;
    int repeat = 0;        ///< 0: 21 on CUDA, 3 on the CPU
    bool sweep = false;    ///< das
    bool separate = false; ///< oct
    bool original = false; ///< oct
};

/// The backend of the measurement, and where the report goes.
struct BenchRun {
    BackendChoice choice;
    bool cpu;
    int repeat;
    std::optional<PartialFile> json;
    nlohmann::ordered_json report;

    BenchRun(const BenchOptions& options, const char* bench);
    void printHead(const char* what, const char* reduction) const;
    void finish(); ///< writes the report where a file was asked for
};

/// `example`: of problems.
void addCommon(CLI::App& bench, const std::shared_ptr<BenchOptions>& options,
               const std::string& example);

} // namespace echolux
