// SPDX-License-Identifier: GPL-3.0-or-later
// magnitude_log: y = 20 log10|X| dB, where 0 dB is a fringe of amplitude 1 code, for any number of
// samples, padding and window; or y = |X|. X = 0 and NaN give kNothingDb, or 0 for |X|. The limits
// only set which levels are black and white. The output keeps levels beyond them, for measurements
// and other limits.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/oct/oct_formula.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

using oct::MagnitudeLogParams;
using Scale = oct::MagnitudeScale;

constexpr double kLeastDb = -120.0;
constexpr double kMostDb = 140.0;

double amplitudeOf(double db) { return std::pow(10.0, db / 20.0); }

struct ToDecibels {
    const Complex* in;
    float* out;

    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = oct::decibels(in[i]); }
};

struct ToMagnitude {
    const Complex* in;
    float* out;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float magnitude = sqrtf(norm(in[i]));
        out[i] = magnitude > 0.0F ? magnitude : 0.0F;
    }
};

class MagnitudeLog final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<MagnitudeLogParams>();
        const oct::Limits db = oct::limitsDb(values);
        StagePlan plan{.outputs = {input}};
        plan.outputs[0].dtype = DType::F32;
        plan.outputs[0].valueKind =
            values.scale == Scale::Decibels ? ValueKind::Level : ValueKind::Amplitude;
        const bool codes = input.spectrometer == nullptr || input.spectrometer->countsCodes;
        if (values.scale == Scale::Decibels) {
            plan.outputs[0].valueRange = {db.low, db.high, "dB",
                                          codes ? "1 code" : "1 recorded unit"};
        } else {
            plan.outputs[0].valueRange = {amplitudeOf(db.low), amplitudeOf(db.high),
                                          codes ? "codes" : "", ""};
        }
        return plan;
    }

    void update(const Exec&, const Params& params) override {
        m_scale = params.as<MagnitudeLogParams>().scale;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const auto* in = input.as<Complex>();
        auto* out = output.as<float>();
        const std::int64_t count = input.spec->count();
        if (m_scale == Scale::Decibels) {
            forEach(exec, "magnitude_log", count, ToDecibels{in, out});
        } else {
            forEach(exec, "magnitude_log", count, ToMagnitude{in, out});
        }
    }

private:
    Scale m_scale = Scale::Decibels;
};

ParamRow limit(const char* key, const char* label, const char* help) {
    return {.key = key,
            .label = label,
            .unit = "dB",
            .min = kLeastDb,
            .max = kMostDb,
            .step = 0.5,
            .help = help};
}

/// The limits that suit the recording where these are known, in whole decibels.
Params magnitudeLogDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    const auto& levels = input.suggestedLevels;
    if (!levels || !(levels->darkDb < levels->brightDb)) return params;
    auto& values = params.as<MagnitudeLogParams>();
    values.minDb = std::clamp(std::round(levels->darkDb), kLeastDb, kMostDb);
    values.maxDb = std::clamp(std::round(levels->brightDb), kLeastDb, kMostDb);
    return params;
}

ParamTable magnitudeLogTable() {
    using P = MagnitudeLogParams;
    return ParamTable::of<P>()
        .choice(&P::scale, {{"decibels", "Decibels"}, {"linear", "Linear"}},
                {.key = "scale",
                 .label = "Scale",
                 .help = "Decibels above a fringe of amplitude 1 code, or the amplitude itself."})
        .real(&P::minDb, limit("min_db", "Minimum",
                               "Level that is shown black. Setting it also sets the display's "
                               "Minimum, which can be changed separately afterwards."))
        .real(&P::maxDb, limit("max_db", "Maximum",
                               "Level that is shown white. Setting it also sets the display's "
                               "Maximum, which can be changed separately afterwards."))
        .build();
}

/// Counts ToDecibels (log10f: a polynomial of nine FFMA) or ToMagnitude (a root refined by three).
std::vector<model::Kernel> magnitudeLogWork(const PlannedStage& stage) {
    const bool decibels = stage.params.as<MagnitudeLogParams>().scale == Scale::Decibels;
    const double root = stage.backend == Backend::Cpu ? kHostRoot : 1.0;
    const double call = stage.backend == Backend::Cpu ? kHostLog10 : 0.0;
    return {forEachWork(stage.backend, "magnitude_log", stage.inputs[0].count(),
                        {.bytesRead = 8.0,
                         .bytesWritten = 4.0,
                         .counts = {.ffma = decibels ? 11.0 : 4.0,
                                    .fmul = 2.0,
                                    .fadd = 2.0,
                                    .special = decibels ? 0.0 : root,
                                    .offsets = decibels ? 8.0 + call : 1.0}})};
}

} // namespace

namespace stages {
const StageType& magnitude_log() {
    static const StageType kType{
        .id = "magnitude_log",
        .label = "Magnitude, log",
        .help = "Amplitude of the A-scans in decibels.",
        .work = magnitudeLogWork,
        .table = magnitudeLogTable(),
        .inputs = {{{DType::ComplexF32}, {AxisName::Lateral, AxisName::Depth}, true}},
        .bypassable = false,
        .tolerance = {1e-6, 1e-3},
        .form = RecordedForm::Envelope,
        .defaults = magnitudeLogDefaults,
        .code = codeOf<MagnitudeLog>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
