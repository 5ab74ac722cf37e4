// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings and pipelines side by side, for `echolux figure` and `echolux report`.
#pragma once

#include "app/command_line/options.hpp"
#include "app/commands/measured_frames.hpp"
#include "app/paper/figure.hpp"
#include "app/paper/report.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

/// The recording and its pipeline, what stands beside it, and the look of the figure.
struct PaperOptions {
    ImagingOptions imaging;
    MeasureOptions measure;
    OutputOptions output;
    FrameOption frame;
    std::vector<std::string> beside;    ///< further recordings
    std::vector<std::string> pipelines; ///< further pipelines, for every recording
    std::string range;                  ///< "-60:0"
    bool noColourBar = false;
    bool noNames = false;
    FigureStyle style;

    void addTo(CLI::App& command, const std::string& output);
    std::vector<std::string> recordings() const;
    /// Throws Error where `file` is one of the recordings, or exists and --force was not given.
    void refuseOutput(const std::filesystem::path& file) const;
    FigureStyle checkedStyle() const; ///< throws Error for sizes that cannot be drawn
};

/// Every recording through every pipeline, imaged and measured, without hashes. Throws Error where
/// one is refused. A recording without measurements has none; those that --measure names must be
/// readable.
std::vector<ReportSide> sidesOf(const PaperOptions& options);

} // namespace echolux
