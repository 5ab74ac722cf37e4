// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux bench documents`: the tables of published documents, measured again. What a row holds,
// and who measures which.
#pragma once

#include "gpu/exec/exec.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

/// One figure of a document beside its like here.
struct DocumentEntry {
    std::string table = {};
    std::string entry = {};
    std::string unit = {};
    std::optional<double> published = {}; ///< empty: the document has no such figure
    std::optional<double> measured = {};  ///< empty: not run, for the reason in `note`
    /// Greatest difference of what was computed from a reference in double precision, over the
    /// greatest magnitude; at most `allowed`, or the figure does not count.
    std::optional<double> deviation = {};
    double allowed = 0.0;
    std::optional<double> gigabytesPerS = {}; ///< of what must be read and written once
    std::string note = {};

    /// How many times better than published: above 1 faster, nearer, fewer. Empty without both, and
    /// of times and rates of reduced problems, which compare with nothing published.
    std::optional<double> ratio(bool reduced) const;
    bool isWrong() const { return deviation && !(*deviation <= allowed); }
};

/// What the measurements run on, and who takes their figures.
struct DocumentBench {
    Exec exec;
    int repeat = 1;
    bool reduced = false; ///< smaller problems
    std::function<void(const DocumentEntry&)> take;
};

/// S0: CUDA by examples: delay and sum (Jarosik, Lewandowski, Yiu, IEEE UFFC-JS 2024).
void benchCourseDelays(const DocumentBench& bench);
void benchCourseSums(const DocumentBench& bench);

/// S1: Gronvold 2008. Table 1; tables 2 to 5; table 6.
void benchBandwidth(const DocumentBench& bench);
void benchScanLines(const DocumentBench& bench);
void benchRealTime(const DocumentBench& bench);

/// S2: Herikstad 2009. Table 5.2; known screens.
void benchAberration(const DocumentBench& bench);

void addBenchDocuments(CLI::App& bench);

} // namespace echolux
