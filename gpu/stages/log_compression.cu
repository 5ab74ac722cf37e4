// SPDX-License-Identifier: GPL-3.0-or-later
// log_compression: y = 20 log10(|a| / ref) + gain in dB. y below `reject` becomes -range, and y is
// clamped to [-range, 0]. ref is a fixed amplitude, or the running maximum, which falls by at most
// `decay` dB per frame. |a| = 0, ref = 0 and NaN give -range; NaN stays NaN in images where it
// means no data. Channel data shows one transmit.
#include "gpu/exec/for_each.hpp"
#include "gpu/stage/one_transmit.hpp"
#include "gpu/stage/running_maximum.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <cmath>

namespace echolux {
namespace {

enum class Reference { RunningMaximum, Fixed };

struct LogCompressionParams {
    double rangeDb = 60.0;
    double gainDb = 0.0;
    double rejectDb = -120.0;
    Reference reference = Reference::RunningMaximum;
    double decayDb = 0.1;
    double fixedReference = 1.0;
    std::int64_t transmit = 1;
};

struct LogCompress {
    const float* in;
    float* out;
    const float* runningReference; ///< null: fixedReference
    float fixedReference;
    float rangeDb;
    float gainDb;
    float rejectDb;
    bool hasGaps;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float reference = runningReference != nullptr ? *runningReference : fixedReference;
        const float ratio = fabsf(in[i]) / reference;
        float y = -rangeDb;
        if (reference > 0.0F && ratio > 0.0F) {
            const float db = 20.0F * log10f(ratio) + gainDb;
            if (db >= rejectDb) y = fminf(fmaxf(db, -rangeDb), 0.0F);
        }
        out[i] = hasGaps && std::isnan(in[i]) ? in[i] : y;
    }
};

class LogCompression final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const auto& values = params.as<LogCompressionParams>();
        FrameSpec output = shownOf("log_compression", input, values.transmit);
        output.valueKind = ValueKind::Level;
        output.cycle = 0.0;
        output.valueRange = {-values.rangeDb, 0.0, "dB",
                             values.reference == Reference::Fixed
                                 ? fmt::format("amplitude {:g}", values.fixedReference)
                                 : "running maximum"};
        return {.outputs = {output},
                .workspaceBytes = runningMaximumWorkspaceBytes(),
                .stateBytes = kRunningMaximumStateBytes};
    }

    void update(const Exec&, const Params& params) override {
        const auto& values = params.as<LogCompressionParams>();
        m_running = values.reference == Reference::RunningMaximum;
        m_decay = static_cast<float>(std::pow(10.0, -values.decayDb / 20.0));
        m_fixedReference = static_cast<float>(values.fixedReference);
        m_rangeDb = static_cast<float>(values.rangeDb);
        m_gainDb = static_cast<float>(values.gainDb);
        m_rejectDb = static_cast<float>(values.rejectDb);
        m_transmit = values.transmit;
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const std::int64_t count = output.spec->count();
        const float* shown = input.as<float>() + shownFrom(*input.spec, m_transmit);
        const float* running = nullptr;
        if (m_running) {
            running = followMaximum(exec, "log_compression", shown, count, m_decay, workspace);
        } else {
            keepMaximum(exec, "log_compression", workspace);
        }
        forEach(exec, "log_compression", count,
                LogCompress{shown, output.as<float>(), running, m_fixedReference, m_rangeDb,
                            m_gainDb, m_rejectDb, input.spec->hasGaps});
    }

private:
    bool m_running = true;
    float m_decay = 1.0F;
    float m_fixedReference = 1.0F;
    float m_rangeDb = 60.0F;
    float m_gainDb = 0.0F;
    float m_rejectDb = -120.0F;
    std::int64_t m_transmit = 1; ///< from 1
};

ParamTable logCompressionTable() {
    using P = LogCompressionParams;
    return ParamTable::of<P>()
        .real(&P::rangeDb,
              {.key = "range_db",
               .label = "Dynamic range",
               .unit = "dB",
               .min = 10.0,
               .max = 120.0,
               .step = 1.0,
               .help = "Range of levels below 0 dB that the image keeps; fainter echoes are set to "
                       "the lowest. Setting it also sets the display's Minimum, which can be "
                       "changed separately afterwards."})
        .real(&P::gainDb, {.key = "gain_db",
                           .label = "Gain",
                           .unit = "dB",
                           .min = -60.0,
                           .max = 60.0,
                           .step = 0.5,
                           .help = "Brightens (positive) or darkens the whole image."})
        .real(&P::rejectDb, {.key = "reject_db",
                             .label = "Reject below",
                             .unit = "dB",
                             .min = -120.0,
                             .max = 0.0,
                             .step = 1.0,
                             .help = "Echoes fainter than this get the lowest level of the dynamic "
                                     "range and become black; other echoes keep their brightness. "
                                     "The display's Minimum darkens all echoes."})
        .choice(&P::reference, {{"running_maximum", "Running maximum"}, {"fixed", "Fixed"}},
                {.key = "reference",
                 .label = "0 dB is",
                 .help = "Amplitude that counts as 0 dB: that of the brightest pixel so far, or a "
                         "fixed value."})
        .real(&P::decayDb, {.key = "decay_db",
                            .label = "Decay",
                            .unit = "dB",
                            .min = 0.0,
                            .max = 20.0,
                            .step = 0.1,
                            .help = "How far the running maximum falls per frame while the image "
                                    "is darker; a large value makes the brightness pump.",
                            .onlyWith = {"reference", "running_maximum"}})
        .real(&P::fixedReference, {.key = "fixed_reference",
                                   .label = "Fixed reference",
                                   .min = 1e-12,
                                   .max = 1e12,
                                   .step = 0.01,
                                   .scale = ParamScale::Log,
                                   .help = "Amplitude that counts as 0 dB where 0 dB is fixed.",
                                   .onlyWith = {"reference", "fixed"}})
        .integer(&P::transmit, transmitRow())
        .build();
}

Params logCompressionDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    params.as<LogCompressionParams>().transmit = usualTransmit(input);
    return params;
}

/// Counts LogCompress: a division (reciprocal and four FFMA), log10f (its exponent, a polynomial of
/// nine FFMA), comparisons and limits.
std::vector<model::Kernel> logCompressionWork(const PlannedStage& stage) {
    const std::int64_t count = stage.plan.outputs[0].count();
    const bool running =
        stage.params.as<LogCompressionParams>().reference == Reference::RunningMaximum;
    std::vector<model::Kernel> kernels;
    if (running) kernels = followMaximumWork(stage.backend, "log_compression", count);
    const double call = stage.backend == Backend::Cpu ? kHostLog10 : 0.0;
    kernels.push_back(forEachWork(
        stage.backend, "log_compression", count,
        {.bytesRead = 4.0,
         .bytesWritten = 4.0,
         .counts = {
             .ffma = 14.0, .fmul = 2.0, .fadd = 6.0, .special = 1.0, .offsets = 8.0 + call}}));
    return kernels;
}

} // namespace

namespace stages {
const StageType& log_compression() {
    static const StageType kType{
        .id = "log_compression",
        .label = "Log compression",
        .help = "Amplitude in decibels below a reference.",
        .work = logCompressionWork,
        .table = logCompressionTable(),
        .inputs = {{{DType::F32}}},
        .tolerance = {0.0, 1e-3},
        .defaults = logCompressionDefaults,
        .code = codeOf<LogCompression>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
