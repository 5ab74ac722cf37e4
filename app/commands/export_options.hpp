// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the commands that write frames: their range, and the look of pictures.
#pragma once

#include "app/export/export.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

class QGuiApplication;

namespace CLI {
class App;
}

namespace echolux {

struct LookOptions {
    ExportLook look;
    std::string range;
    double framesPerSecond = 0.0;
    std::optional<double> columnMm;

    void addTo(CLI::App& command);
    /// With the range. Throws Error where that makes no sense.
    ExportLook value() const;
    std::optional<double> columnM() const;
    /// Keeps fonts while pictures with labels are drawn; null where none are.
    std::shared_ptr<QGuiApplication> fonts() const;
};

/// "7" or "first:last", counted from 1; empty text: null. Throws Error for other texts.
std::optional<ExportFrames> framesIn(const std::string& text);

/// "png, tif, ..." of all files that an export can write.
std::string exportEndingNames();

/// Says on a terminal how many frames are done, and always goes on.
ExportProgress shownProgress();

/// Prints remarks to stderr and written files to stdout.
void printResult(const ExportResult& result);

} // namespace echolux
