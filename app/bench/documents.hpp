// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux bench documents`: measures the tables of published documents again. Defines a row, and
// names the function for each table.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace echolux {

/// How far the timed runs of an entry lie apart, in its unit.
struct Spread {
    double mean = 0.0;
    double least = 0.0;
    double most = 0.0;
    double deviation = 0.0; ///< standard deviation of the sample; 0 of a single run
};
Spread spreadOf(const std::vector<double>& times); ///< at least one

/// One figure of a document, and the same figure measured here.
struct DocumentEntry {
    std::string table = {};
    std::string entry = {};
    std::string unit = {};
    std::optional<double> published = {}; ///< empty: the document has no such figure
    std::optional<double> measured = {};  ///< empty: not run, for the reason in `note`
    /// By the performance model: the published figure, of the document's device and kernels, and
    /// the measured one.
    std::optional<double> predictedThere = {};
    std::optional<double> predictedHere = {};
    std::optional<Spread> spread = {}; ///< of the runs whose median is `measured`
    /// Greatest difference between the result and a reference in double precision, divided by the
    /// greatest magnitude. Where it exceeds `allowed`, the figure does not count.
    std::optional<double> deviation = {};
    double allowed = 0.0;
    /// Counts only data that must be read and written once.
    std::optional<double> gigabytesPerS = {};
    std::string note = {};

    /// Factor by which the measured figure is better than the published one: above 1 means faster,
    /// nearer or fewer. Empty where one of them is missing, and for times and rates of reduced
    /// problems, because these have no published counterpart.
    std::optional<double> ratio(bool reduced) const;
    /// Puts in the median and the spread.
    void setRuns(const std::vector<double>& times);
    bool isWrong() const { return deviation && !(*deviation <= allowed); }
};

/// Depths of an A-scan: `first`, counted from 0, to the one before `end`.
struct ScanDepths {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// Where an OCT recording shows a sample, and where only noise.
struct NoiseRegions {
    std::string recording;
    ScanDepths signal;
    ScanDepths noise;
};

/// Where the measurements run, and the receiver of their figures.
struct DocumentBench {
    Exec exec;
    int repeat = 1;
    bool reduced = false; ///< smaller problems
    std::function<void(const DocumentEntry&)> take;
    std::optional<NoiseRegions> regions = {}; ///< for benchOctNoise()
};

/// S0: CUDA by examples: delay and sum (Jarosik, Lewandowski, Yiu, IEEE UFFC-JS 2024).
void benchCourseDelays(const DocumentBench& bench);
void benchCourseSums(const DocumentBench& bench);
void benchCourseConstants(const DocumentBench& bench);

/// S1: Gronvold 2008: table 1; tables 2 and 5; block sizes and sizes of the problem (tables 3 and
/// 4, figure 4.7, section 4.5.6); 4xUP (section 4.5.2); forms that it considers (sections
/// 3.2.7, 4.1.4, 4.7); table 6.
void benchBandwidth(const DocumentBench& bench);
void benchScanLines(const DocumentBench& bench);
void benchScanBlocks(const DocumentBench& bench);
void benchFourTimesUp(const DocumentBench& bench);
void benchScanForms(const DocumentBench& bench);
void benchRealTime(const DocumentBench& bench);

/// S2: Herikstad 2009: table 5.2; known screens.
void benchAberration(const DocumentBench& bench);

/// S3: van Bavel 2013: table 4.1, travel times; its own kernels.
void benchPlaneWave(const DocumentBench& bench);
void benchFrameworkKernels(const DocumentBench& bench);

/// S4: Tschupp 2019: the tables of section 3; gridding (2.3.4) and factors (2.3.6); signal to noise
/// (3.1).
void benchOctStreams(const DocumentBench& bench);
void benchOctGridding(const DocumentBench& bench);
void benchOctNoise(const DocumentBench& bench);
/// Throws Error where the recording cannot be read or has no such depths, before anything is
/// measured.
void checkNoiseRegions(const NoiseRegions& regions);

void addBenchDocuments(CLI::App& bench);

} // namespace echolux
