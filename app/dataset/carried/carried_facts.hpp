// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording's file says and Echolux does not use, so that others need not miss it.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// Numbers or texts by a name.
struct CarriedFact {
    std::string name;        ///< "metadata/credit"; without '/': a fact of the whole file
    ArrayLayout layout = {}; ///< row-major; no axes: a single value. Of texts its shape counts
    std::vector<std::byte> numbers = {}; ///< in the byte order of this machine
    std::vector<std::string> texts = {}; ///< empty: numbers
    std::string unit = {};
    std::string description = {};
    bool perFrame = false; ///< the first axis counts the frames of the recording

    /// "640 values from 1 to 4 V", "'phantom'"
    std::string inWords() const;
};

struct CarriedFacts {
    std::string family; ///< the files to which they belong: "zea", "npz"; empty: there are none
    std::vector<CarriedFact> facts = {};
    std::vector<std::string> left = {}; ///< names of facts that are too large or cannot be read

    const CarriedFact* find(std::string_view name) const; ///< null where there is none
    /// The text of a fact that is one text; empty otherwise.
    std::string text(std::string_view name) const;
};

/// A recording that can be asked for its facts while it is open.
class CarryingFile {
public:
    virtual ~CarryingFile() = default;
    virtual CarriedFacts carried() const = 0;
};

/// The facts of a recording, read from its file. Throws Error where the file is gone.
CarriedFacts carriedFacts(const Recording& recording);

/// False where it has none without a look at its file.
bool mayCarryFacts(const RecordingInfo& info);
/// The same in this process, whatever the file does to it; see app/dataset/guarded.
CarriedFacts carriedFactsHere(const RecordingInfo& info);

/// The facts of frames `first` to `first` + `count` - 1.
CarriedFacts ofFrames(CarriedFacts facts, std::int64_t first, std::int64_t count);

} // namespace echolux
