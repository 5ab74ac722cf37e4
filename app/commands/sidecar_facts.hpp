// SPDX-License-Identifier: GPL-3.0-or-later
// The facts of a description, each once: its option, its question, and its text in the units that
// people use.
#pragma once

#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/raw_import.hpp"

#include <functional>
#include <string>
#include <vector>

namespace echolux {

template <class Import> struct ImportFact {
    std::string key;      ///< of the option, without the dashes
    std::string question; ///< what it is, with its unit
    /// Empty: unknown.
    std::function<std::string(const Import&)> text;
    /// Returns what is wrong with a text that cannot be taken, a clause; else nothing.
    std::function<std::string(Import&, const std::string&)> take;
    /// Whether it means something for such a description.
    std::function<bool(const Import&)> applies;
    bool required = false; ///< where it applies: nothing can be assumed
};

/// In the order in which they are taken and asked for.
const std::vector<ImportFact<ChannelImport>>& channelFacts();
const std::vector<ImportFact<RawImport>>& spectraFacts();
const std::vector<ImportFact<ImageImport>>& imageFacts();

} // namespace echolux
