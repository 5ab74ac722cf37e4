// SPDX-License-Identifier: GPL-3.0-or-later
// scan_correction: moves lines to where the beam was. Flip: reverses B-scans that were recorded on
// the way back. The number of a B-scan decides: b + stack * frame for B-scan b of a frame's stack,
// all from 0. A frame without an elevation axis is a stack of one. Unwarp: a mirror that swings
// sinusoidally records lines equally spaced in time over the middle `arc` of its half period.
// Output line v is interpolated linearly at u = asin(2 v sin(pi arc / 2)) / (pi arc), u and v from
// -1/2 to 1/2.
#include "gpu/exec/for_each.hpp"
#include "gpu/oct/oct_formula.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/oct/oct_tables.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stage/stage.hpp"

#include <cmath>

namespace echolux {
namespace {

using oct::Flip;
using oct::ScanCorrectionParams;

/// The recorded line that is shown at `line`, in a B-scan of `lines` lines. Lines count from 0.
ECHOLUX_HD std::int64_t turned(Flip flip, std::int64_t bscan, std::int64_t line,
                               std::int64_t lines) {
    const bool odd = bscan % 2 == 1;
    const bool reversed =
        flip == Flip::All || (flip == Flip::Odd && odd) || (flip == Flip::Even && !odd);
    return reversed ? lines - 1 - line : line;
}

/// Correct::arc for these parameters; 0 where lines are not unwarped.
float arcOf(const ScanCorrectionParams& params) {
    return params.unwarp ? static_cast<float>(params.arc) : 0.0F;
}

struct Correct {
    const float* in;
    float* out;
    std::int64_t lines; ///< per B-scan
    std::int64_t depths;
    std::int64_t firstBscan; ///< number of the stack's first B-scan in the recording
    Flip flip;
    float arc; ///< 0: lines stay where they are

    /// `line` counts through the whole stack.
    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t z) const {
        const std::int64_t bscan = line / lines;
        const std::int64_t wanted = turned(flip, firstBscan + bscan, line % lines, lines);
        const float* from = in + bscan * lines * depths + z;
        float value = from[wanted * depths];
        if (arc > 0.0F && lines > 1) {
            const float at = oct::unwarpedLine(wanted, lines, arc);
            std::int64_t below = static_cast<std::int64_t>(at);
            if (below > lines - 2) below = lines - 2;
            const float fraction = at - static_cast<float>(below);
            value =
                (1.0F - fraction) * from[below * depths] + fraction * from[(below + 1) * depths];
        }
        out[line * depths + z] = value;
    }
};

class ScanCorrection final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params&) {
        return {.outputs = {input}, .countsFrames = true};
    }

    void update(const Exec&, const Params& params) override {
        const auto& values = params.as<ScanCorrectionParams>();
        m_flip = values.flip;
        m_arc = arcOf(values);
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const oct::Lines lines = oct::linesOf(*input.spec);
        const std::int64_t firstBscan = workspace.frame * input.spec->sizeOf(AxisName::Elevation);
        forEachInLines(exec, "scan_correction", lines.count, lines.length,
                       Correct{input.as<float>(), output.as<float>(),
                               input.spec->sizeOf(AxisName::Lateral), lines.length, firstBscan,
                               m_flip, m_arc});
    }

private:
    Flip m_flip = Flip::None;
    float m_arc = 0.0F;
};

/// A scan that is recorded as sinusoidal is unwarped by default.
Params scanCorrectionDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    params.as<ScanCorrectionParams>().unwarp =
        input.spectrometer != nullptr && input.spectrometer->sinusoidalScan;
    return params;
}

ParamTable scanCorrectionTable() {
    using P = ScanCorrectionParams;
    return ParamTable::of<P>()
        .choice(&P::flip,
                {{"none", "None"},
                 {"odd", "Second, fourth, ..."},
                 {"even", "First, third, ..."},
                 {"all", "All"}},
                {.key = "flip",
                 .label = "Flip B-scans",
                 .help = "Which B-scans were recorded on the way back and are flipped."})
        .flag(&P::unwarp, {.key = "unwarp",
                           .label = "Sinusoidal unwarp",
                           .help = "Spaces the lines of a sinusoidal scan equally."})
        .real(&P::arc, {.key = "arc",
                        .label = "Arc",
                        .min = 0.05,
                        .max = 1.0,
                        .step = 0.01,
                        .help = "Part of the mirror's half period that the lines cover."})
        .build();
}

std::int64_t recordedLine(const Params& params, std::int64_t bscan, std::int64_t line,
                          std::int64_t lines) {
    const auto& values = params.as<oct::ScanCorrectionParams>();
    const std::int64_t wanted = turned(values.flip, bscan, line, lines);
    const float arc = arcOf(values);
    return arc > 0.0F ? std::lround(oct::unwarpedLine(wanted, lines, arc)) : wanted;
}

/// Counts Correct: two divisions find line and B-scan, which the CPU makes once per line. Without
/// unwarp a sample is moved. With it the place of the line is computed for each sample: a sine, an
/// arc sine, two divisions; then two samples and their mean.
std::vector<model::Kernel> scanCorrectionWork(const PlannedStage& stage) {
    const Backend backend = stage.backend;
    const bool unwarps = arcOf(stage.params.as<ScanCorrectionParams>()) > 0.0F &&
                         stage.inputs[0].sizeOf(AxisName::Lateral) > 1;
    ElementWork each{.bytesRead = 4.0,
                     .bytesWritten = 4.0,
                     .counts = {.offsets = 8.0},
                     .divisions = backend == Backend::Cuda ? 2.0 : 0.0};
    if (unwarps) {
        each.bytesRead = 8.0;
        each.distinctRead = 4.0;
        each.counts =
            addedUp({oneByOne(backend, {.ffma = 1.0, .fmul = 6.0, .fadd = 6.0, .offsets = 20.0}),
                     sineWork(backend), arcSineWork(backend), divisionWork(backend).times(2.0)});
    }
    return {forEachInLinesWork(backend, "scan_correction", stage.inputs[0].count(), each)};
}

} // namespace

namespace stages {
const StageType& scan_correction() {
    static const StageType kType{
        .id = "scan_correction",
        .label = "Scan correction",
        .help = "Flips B-scans that were recorded on the way back, and evens out sinusoidal scans.",
        .work = scanCorrectionWork,
        .table = scanCorrectionTable(),
        .inputs = {{{DType::F32}, {AxisName::Lateral, AxisName::Depth}, true}},
        .tolerance = {1e-4, 1e-5},
        .recordedLine = recordedLine,
        .defaults = scanCorrectionDefaults,
        .code = codeOf<ScanCorrection>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
