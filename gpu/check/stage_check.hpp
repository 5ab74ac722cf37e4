// SPDX-License-Identifier: GPL-3.0-or-later
// What every stage must do, whatever it computes: checked on generated frames and parameters. The
// tests check the built-in stages so, and `echolux stages --test` those of a plugin.
#pragma once

#include "gpu/check/stage_cases.hpp"

#include <functional>
#include <string>
#include <vector>

namespace echolux::check {

/// One sentence per violation, with the case that shows it; empty: the stage passes. A check ends
/// with the first case that fails.
using Findings = std::vector<std::string>;

/// Outputs are finite, or NaN where they have gaps, the same in a second run, and not all zero. No
/// output, workspace or state is written past its end, and nothing is read that was not written.
Findings isFiniteAndRepeatable(const StageType& type);
/// An output does not depend on which other outputs are read.
Findings outputsAreIndependent(const StageType& type);
/// A frame that is run again gives what it gave.
Findings repeatsFrames(const StageType& type);
/// Frames with NaN and infinity break nothing; the outputs are free.
Findings survivesNanAndInfinity(const StageType& type);
/// After a live edit the outputs are those of a new instance with these values.
Findings liveEditsEqualAFreshStart(const StageType& type);
/// Ids, labels, helps, ranges and defaults of the type and of its parameters.
Findings hasASoundTable(const StageType& type);
/// True where the stage need not read the whole input at this port.
using ReadsInPart = std::function<bool(const StageCase& each, std::size_t port)>;
/// What the type declares of its work (StageType::work) can be true, on both backends, whichever
/// outputs are read. Counts are finite and not negative, and a card can launch the kernels.
/// Together they touch the inputs, but for those of which `inPart` holds, and the read outputs.
/// None touches more different bytes than twice the stage's memory: each is read and written.
Findings declaresSoundWork(const StageType& type, const ReadsInPart& inPart = {});
/// Both backends agree within the tolerance of the type. Needs a GPU. Cases for which `skips` holds
/// are left out.
Findings backendsAgree(const StageType& type,
                       const std::function<bool(const StageCase&)>& skips = {});

struct NamedCheck {
    const char* name; ///< what the check shows, for a report
    Findings (*run)(const StageType& type);
};
/// All but backendsAgree(), which needs a GPU.
const std::vector<NamedCheck>& hostChecks();

} // namespace echolux::check
