// SPDX-License-Identifier: GPL-3.0-or-later
// The files that the outputs of a batch depend on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

struct BatchNames {
    std::filesystem::path recording;
    /// Pipeline, measurements, plugins, values of --set: what is no file is left out.
    std::vector<std::filesystem::path> named;
    bool measuresBeside = false; ///< the measurements beside the recording count, if there are any
};

/// The recording, what describes it, and what is named; then the files that these name in their
/// texts: samples beside a header, curves of a sidecar, plugins of a pipeline, modules of a plugin
/// in Python. Files are among them that are missing but would count. Each stands once.
/// NOTE: what a plugin opens by itself is not among them.
std::vector<std::filesystem::path> inputsOf(const BatchNames& names);

} // namespace echolux
