// SPDX-License-Identifier: GPL-3.0-or-later
// background_subtract: y[line][n] = x[line][n] - strength * b[n]. b is a recorded spectrum in the
// input's units, as recorded or smoothed, or the mean over the frame's first lines or all of them.
// The mean takes only finite values at each sample, so a line with a NaN spoils no other line.
#include "gpu/exec/for_each.hpp"
#include "gpu/oct/oct_formula.hpp"
#include "gpu/oct/oct_limits.hpp"
#include "gpu/oct/oct_params.hpp"
#include "gpu/oct/oct_tables.hpp"
#include "gpu/stage/compute_table.hpp"
#include "gpu/stage/stage.hpp"
#include "gpu/stage/stage_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace echolux {
namespace {

using oct::BackgroundParams;
using Source = oct::BackgroundSource;

constexpr const char* kBackgroundSubtractId = "background_subtract";
constexpr std::int64_t kChunks = 32; ///< partial means per frame

struct PartialSum {
    double sum;
    std::int64_t count; ///< of finite values
};

/// Sums the lines of chunk i / length at sample i % length.
struct SumChunk {
    const float* in;
    PartialSum* partial;
    oct::Lines lines;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t chunk = i / lines.length;
        const std::int64_t n = i % lines.length;
        const std::int64_t end = (chunk + 1) * lines.count / kChunks;
        PartialSum all{0.0, 0};
        for (std::int64_t line = chunk * lines.count / kChunks; line < end; ++line) {
            const float value = in[line * lines.length + n];
            if (!oct::isFinite(value)) continue;
            all.sum += value;
            ++all.count;
        }
        partial[i] = all;
    }
};

/// The mean is 0 where no line has a finite value.
struct MeanOfChunks {
    const PartialSum* partial;
    float* mean;
    std::int64_t length;

    ECHOLUX_HD void operator()(std::int64_t n) const {
        PartialSum all{0.0, 0};
        for (std::int64_t chunk = 0; chunk < kChunks; ++chunk) {
            all.sum += partial[chunk * length + n].sum;
            all.count += partial[chunk * length + n].count;
        }
        mean[n] =
            all.count > 0 ? static_cast<float>(all.sum / static_cast<double>(all.count)) : 0.0F;
    }
};

std::size_t meanBytes(std::int64_t length) {
    const std::size_t sums = static_cast<std::size_t>(kChunks * length) * sizeof(PartialSum);
    return sums + static_cast<std::size_t>(length) * sizeof(float);
}

struct SubtractBackground {
    const float* in;
    const float* background;
    float* out;
    std::int64_t length;
    float strength;

    ECHOLUX_HD void operator()(std::int64_t line, std::int64_t n) const {
        const std::int64_t i = line * length + n;
        out[i] = in[i] - strength * background[n];
    }
};

class BackgroundSubtract final : public Filter {
public:
    static StagePlan plan(const FrameSpec& input, const Params& params) {
        const oct::Lines lines = oct::linesOf(input);
        const Source source = params.as<BackgroundParams>().source;
        if (source == Source::Recording) check(input, lines);
        const std::int64_t held = source == Source::Recording ? lines.length : 0;
        return {.outputs = {input},
                .workspaceBytes = source == Source::FrameMean ? meanBytes(lines.length) : 0,
                .heldBytes = static_cast<std::size_t>(held) * sizeof(float),
                .mixesBscans = source == Source::FrameMean};
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan&,
                 const Params& params) override {
        m_source = params.as<BackgroundParams>().source;
        if (m_source != Source::Recording) return;
        m_spectrometer = input.spectrometer;
        m_recorded.allocate(exec, input.spectrometer->background.size());
    }

    void update(const Exec& exec, const Params& params) override {
        m_values = params.as<BackgroundParams>();
        if (m_source != Source::Recording) return;
        m_recorded.set(exec, oct::condensedBackground(m_spectrometer->background, m_values.points));
    }

    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace& workspace) override {
        const oct::Lines lines = oct::linesOf(*input.spec);
        if (m_source == Source::None)
            return copyWithin(exec, output.data, input.data, input.spec->bytes());
        if (m_source == Source::Recording)
            return subtract(exec, input.as<float>(), m_recorded.data(), output.as<float>(), lines);
        auto* partial = static_cast<PartialSum*>(workspace.data);
        auto* mean = reinterpret_cast<float*>(partial + kChunks * lines.length);
        const std::int64_t frames = input.spec->isEnsemble() ? input.spec->axes.front().size : 1;
        oct::Lines each = lines; // of one frame of an ensemble
        each.count = lines.count / frames;
        oct::Lines meaned = lines;
        meaned.count = oct::firstLines(m_values.lines, each.count);
        for (std::int64_t f = 0; f < frames; ++f) {
            const std::int64_t at = f * each.count * each.length;
            forEach(exec, kBackgroundSubtractId, kChunks * lines.length,
                    SumChunk{input.as<float>() + at, partial, meaned});
            forEach(exec, kBackgroundSubtractId, lines.length,
                    MeanOfChunks{partial, mean, lines.length});
            subtract(exec, input.as<float>() + at, mean, output.as<float>() + at, each);
        }
    }

private:
    void subtract(const Exec& exec, const float* in, const float* background, float* out,
                  const oct::Lines& lines) const {
        forEachInLines(exec, kBackgroundSubtractId, lines.count, lines.length,
                       SubtractBackground{in, background, out, lines.length,
                                          static_cast<float>(m_values.strength)});
    }

    static void check(const FrameSpec& input, const oct::Lines& lines) {
        if (input.spectrometer == nullptr || input.spectrometer->background.empty()) {
            throw Error("Stage 'background_subtract': the recording has no background spectrum; "
                        "capture or load one, or choose source = frame_mean.");
        }
        const std::vector<float>& background = input.spectrometer->background;
        if (static_cast<std::int64_t>(background.size()) != lines.length) {
            throw Error(fmt::format("Stage 'background_subtract': the background has {} values, "
                                    "but the lines have {} samples; load the one that belongs to "
                                    "this recording, or choose source = frame_mean.",
                                    background.size(), lines.length));
        }
        const auto bad =
            std::ranges::find_if_not(background, [](float b) { return std::isfinite(b); });
        if (bad != background.end()) {
            throw Error(fmt::format("Stage 'background_subtract': value {} of the background is "
                                    "not a number; capture or load another one, or choose source "
                                    "= frame_mean.",
                                    bad - background.begin()));
        }
    }

    Source m_source = Source::None;
    BackgroundParams m_values;
    std::shared_ptr<const Spectrometer> m_spectrometer;
    ComputeTable<float> m_recorded;
};

/// A recorded background is used where there is one. The mean of a frame is never the default,
/// because it removes flat reflectors, mirrors and single lines.
Params backgroundSubtractDefaults(const StageType& type, const FrameSpec& input) {
    Params params(type.table);
    const bool recorded = input.spectrometer != nullptr && !input.spectrometer->background.empty();
    if (recorded) params.as<BackgroundParams>().source = Source::Recording;
    return params;
}

ParamTable backgroundSubtractTable() {
    using P = BackgroundParams;
    return ParamTable::of<P>()
        .choice(&P::source,
                {{"recording", "Recorded spectrum"},
                 {"frame_mean", "Mean of the frame"},
                 {"none", "Nothing"}},
                {.key = "source",
                 .label = "Background",
                 .kind = ParamKind::Structural,
                 .help = "Spectrum that is subtracted; the mean of the frame also removes "
                         "everything that all its lines share, including flat reflectors."})
        .integer(&P::lines,
                 {.key = "lines",
                  .label = "Lines",
                  .min = 0,
                  .max = 65536,
                  .step = 1,
                  .help = "Number of lines, from the frame's first on, that are averaged; 0: all.",
                  .onlyWith = {"source", "frame_mean"}})
        .real(&P::strength, {.key = "strength",
                             .label = "Strength",
                             .min = 0.0,
                             .max = 2.0,
                             .step = 0.01,
                             .help = "Factor on the background; 1 subtracts it as it is."})
        .integer(&P::points,
                 {.key = "points",
                  .label = "Points",
                  .min = 0,
                  .max = oct::kLongestLine,
                  .step = 1,
                  .help = "Smooths the recorded background: only so many means of it are kept, "
                          "with straight lines between them. About 100 keep its shape and lose "
                          "the noise of its capture. 0: as it was recorded.",
                  .onlyWith = {"source", "recording"}})
        .build();
}

/// Counts SubtractBackground, and before it, for the mean of the frame, SumChunk (an addition in
/// double precision counts as two) and MeanOfChunks.
std::vector<model::Kernel> backgroundSubtractWork(const PlannedStage& stage) {
    const FrameSpec& input = stage.inputs[0];
    const auto& values = stage.params.as<BackgroundParams>();
    if (values.source == Source::None) return {copyWork(kBackgroundSubtractId, input.bytes())};
    const oct::Lines lines = oct::linesOf(input);
    std::vector<model::Kernel> kernels;
    if (values.source == Source::FrameMean) {
        const double each = static_cast<double>(oct::firstLines(values.lines, lines.count)) /
                            static_cast<double>(kChunks);
        kernels.push_back(forEachWork(stage.backend, kBackgroundSubtractId, kChunks * lines.length,
                                      {.bytesRead = 4.0 * each,
                                       .bytesWritten = 16.0,
                                       .counts = {.fadd = 3.0 * each, .offsets = 6.0 * each},
                                       .divisions = 3.0}));
        constexpr auto kEach = static_cast<double>(kChunks);
        kernels.push_back(forEachWork(stage.backend, kBackgroundSubtractId, lines.length,
                                      {.bytesRead = 16.0 * kEach,
                                       .bytesWritten = 4.0,
                                       .counts = {.fadd = 2.0 * kEach, .offsets = 5.0 * kEach}}));
    }
    kernels.push_back(forEachInLinesWork(
        stage.backend, kBackgroundSubtractId, lines.count * lines.length,
        {.bytesRead = 8.0, .bytesWritten = 4.0, .distinctRead = 4.0, .counts = {.ffma = 1.0}}));
    return kernels;
}

} // namespace

namespace stages {
const StageType& background_subtract() {
    static const StageType kType{
        .id = kBackgroundSubtractId,
        .label = "Background",
        .help = "Subtracts the background: the spectrum without a sample.",
        .work = backgroundSubtractWork,
        .table = backgroundSubtractTable(),
        .inputs = {orEnsembles({{DType::F32}, {AxisName::Lateral, AxisName::Sample}, true})},
        .tolerance = {1e-5, 1e-6},
        .role = Role::SubtractsBackground,
        .defaults = backgroundSubtractDefaults,
        .code = codeOf<BackgroundSubtract>(),
    };
    return kType;
}
} // namespace stages
} // namespace echolux
