// SPDX-License-Identifier: GPL-3.0-or-later
// magnitude_log: y = max(20 log10|X|, min) dB, where 0 dB is a fringe of amplitude 1 code, for any
// number of samples, padding and window; or y = |X|, no less than the same limit as an amplitude.
// Nothing and NaN give the limit. The maximum only says what becomes white: peaks beyond it keep
// their height for whoever measures them.
#include "gpu/core/complex.hpp"
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stages/oct_formula.hpp"
#include "gpu/stages/oct_params.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

using oct::MagnitudeLogParams;
using Scale = oct::MagnitudeScale;

double amplitudeOf(double db) { return std::pow(10.0, db / 20.0); }

struct ToDecibels {
    const Complex* in;
    float* out;
    float low;

    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = oct::decibels(in[i], low); }
};

struct ToMagnitude {
    const Complex* in;
    float* out;
    float low;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float magnitude = sqrtf(norm(in[i]));
        out[i] = magnitude > low ? magnitude : low;
    }
};

class MagnitudeLog final : public Stage {
public:
    StagePlan plan(const FrameSpec& input, const Params& params) const override {
        const auto& values = params.as<MagnitudeLogParams>();
        const oct::Limits db = oct::limitsDb(values);
        StagePlan plan{.output = input};
        plan.output.dtype = DType::F32;
        if (values.scale == Scale::Decibels) {
            plan.output.valueRange = {db.low, db.high, "dB", "fringe amplitude of 1 code"};
        } else {
            plan.output.valueRange = {amplitudeOf(db.low), amplitudeOf(db.high), "", "codes"};
        }
        return plan;
    }

    void update(const Exec&, const Params& params) override {
        const auto& values = params.as<MagnitudeLogParams>();
        const oct::Limits db = oct::limitsDb(values);
        m_scale = values.scale;
        const bool linear = m_scale == Scale::Linear;
        m_low = static_cast<float>(linear ? amplitudeOf(db.low) : db.low);
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const auto* in = input.as<Complex>();
        auto* out = output.as<float>();
        const std::int64_t count = input.spec->count();
        if (m_scale == Scale::Decibels) {
            forEach(exec, "magnitude_log", count, ToDecibels{in, out, m_low});
        } else {
            forEach(exec, "magnitude_log", count, ToMagnitude{in, out, m_low});
        }
    }

private:
    Scale m_scale = Scale::Decibels;
    float m_low = 0.0F;
};

ParamRow limit(const char* key, const char* label, const char* help) {
    return {.key = key,
            .label = label,
            .unit = "dB",
            .min = -60.0,
            .max = 140.0,
            .step = 0.5,
            .help = help};
}

ParamTable table() {
    using P = MagnitudeLogParams;
    return ParamTable::of<P>()
        .choice(&P::scale, {{"decibels", "Decibels"}, {"linear", "Linear"}},
                {.key = "scale",
                 .label = "Scale",
                 .help = "Decibels above a fringe of amplitude 1 code, or the amplitude itself."})
        .real(&P::minDb, limit("min_db", "Minimum", "Level that becomes black."))
        .real(&P::maxDb, limit("max_db", "Maximum", "Level that becomes white."))
        .build();
}

} // namespace

namespace stages {
const StageType& magnitude_log() {
    static const StageType kType{
        .id = "magnitude_log",
        .label = "Magnitude, log",
        .help = "Amplitude of the A-lines in decibels.",
        .table = table(),
        .input = {{DType::ComplexF32}, {AxisName::Lateral, AxisName::Depth}, true},
        .bypassable = false,
        .tolerance = {1e-6, 1e-3},
        .create = []() -> std::unique_ptr<Stage> { return std::make_unique<MagnitudeLog>(); },
    };
    return kType;
}
} // namespace stages
} // namespace echolux
