// SPDX-License-Identifier: GPL-3.0-or-later
// Whether parts make one file: sentences that say why not.
#pragma once

#include "app/export/part_file.hpp"

#include <filesystem>
#include <vector>

namespace echolux {

struct NamedPart {
    std::filesystem::path path;
    PartHead head;
};

/// The heads of the parts, in the order of their frames. Throws Error where a file is no part, and
/// where parts were not made of the same recording in the same way.
std::vector<NamedPart> agreeingParts(const std::vector<std::filesystem::path>& paths);

/// Throws Error where the parts, in order, are not the raw frames `wanted`, each once.
void checkCoverage(const std::vector<NamedPart>& parts, const ExportFrames& wanted);

/// Throws Error where a part was not made of what is here now. `now` needs what all parts share.
void checkStillTrue(const NamedPart& part, const PartHead& now);

} // namespace echolux
