// SPDX-License-Identifier: GPL-3.0-or-later
// The facts of a description, each defined once: its option, its question, and its text in the
// units that users see.
#pragma once

#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/raw_import.hpp"

#include <functional>
#include <string>
#include <vector>

namespace echolux {

template <class Import> struct ImportFact {
    std::string key;      ///< name of the option, without the dashes
    std::string question; ///< meaning of the fact, with its unit
    /// Empty: unknown.
    std::function<std::string(const Import&)> text;
    /// Sets the fact from a text. Returns what is wrong with the text, a clause; or nothing.
    std::function<std::string(Import&, const std::string&)> take;
    /// True where the fact has a meaning for this description.
    std::function<bool(const Import&)> applies;
    bool required = false; ///< where it applies, it must be given: there is no default
};

/// In the order in which they are read and asked for.
const std::vector<ImportFact<ChannelImport>>& channelFacts();
const std::vector<ImportFact<RawImport>>& spectraFacts();
const std::vector<ImportFact<ImageImport>>& imageFacts();

} // namespace echolux
