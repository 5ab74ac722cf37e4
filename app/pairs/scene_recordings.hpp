// SPDX-License-Identifier: GPL-3.0-or-later
// The recordings of the table of pairs, written when they are first asked for.
#pragma once

#include "app/pairs/acquisitions.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace echolux::pairs {

enum class Signal { Rf, Iq };
std::string_view nameOf(Signal signal);

/// One row of the table.
struct Acquired {
    const ArrayRow* array = nullptr;
    const TransmitRow* transmit = nullptr;
    Signal signal = Signal::Rf;
};

class SceneRecordings {
public:
    /// `folder` exists; the files stay there.
    explicit SceneRecordings(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    /// The file of a scene. RF are the codes of a converter; IQ are the same codes, mixed down with
    /// phase zero at each record's first sample, low-passed, and every second one of them.
    const std::filesystem::path& fileOf(const Acquired& acquired, Scene scene);

private:
    void write(const Acquired& acquired, Scene scene);

    std::filesystem::path m_folder;
    std::map<std::string, std::filesystem::path> m_files;
};

} // namespace echolux::pairs
