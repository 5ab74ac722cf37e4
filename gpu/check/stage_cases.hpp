// SPDX-License-Identifier: GPL-3.0-or-later
// Random but repeatable cases for any stage, made from its type alone: frames that its ports take,
// in awkward shapes, and values that its parameter table allows.
#pragma once

#include "gpu/check/bubble_cases.hpp"
#include "gpu/check/case_random.hpp"
#include "gpu/check/plausible_frames.hpp"
#include "gpu/check/stage_run.hpp"
#include "gpu/core/sector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace echolux::check {

struct StageCase {
    const StageType* type = nullptr;
    unsigned seed = 0;
    std::vector<FrameSpec> inputs; ///< one per port
    Params params;

    /// What a failure needs to be repeated.
    std::string describe() const {
        std::string text = "stage " + type->id + ", seed " + std::to_string(seed);
        for (const FrameSpec& input : inputs) text += ", input " + input.describe();
        text += ", fs " + std::to_string(inputs.front().samplingFrequencyHz() / 1e6) + " MHz";
        for (const ParamRow& row : type->table.rows())
            text += ", " + row.key + " = " + ParamTable::format(params.get(row.key));
        return text;
    }
};

class CaseMaker : private CaseRandom {
public:
    explicit CaseMaker(unsigned seed) : CaseRandom(seed), m_seed(seed) {}

    /// Empty where plan refuses the values, or where the output or the workspace is too large for a
    /// test.
    std::optional<StageCase> make(const StageType& type) {
        StageCase made{&type, m_seed, {spec(type.inputs[0])}, {}};
        if (type.id == "pulse_inversion") sendAgain(made.inputs.front());
        try {
            checkPort(type, made.inputs.front());
            for (std::size_t port = 1; port < type.inputs.size(); ++port)
                made.inputs.push_back(furtherSpec(type, port, made.inputs.front()));
            made.params = type.defaultsFor(made.inputs.front());
            for (const ParamRow& row : type.table.rows()) {
                if (chance(0.6)) made.params.set(type.id, row.key, value(row, made));
            }
            const StagePlan plan = type.plan(made.inputs, made.params);
            constexpr std::int64_t kLargestOutput = 30000;
            constexpr std::size_t kLargestWorkspace = 4U << 20U; // [bytes]
            if (plan.outputs[0].count() > kLargestOutput) return {};
            if (plan.workspaceBytes > kLargestWorkspace) return {};
        } catch (const Error&) {
            return {};
        }
        return made;
    }

    HostFrame frame(const FrameSpec& spec) {
        HostFrame made(spec);
        if (spec.dtype == DType::F32 || spec.dtype == DType::ComplexF32) {
            for (float& value : made.as<float>()) value = static_cast<float>(uniform(-1.0, 1.0));
            if (spec.axes.back().name == AxisName::Depth) fade(made);
        } else {
            for (std::byte& byte : made.bytes) byte = static_cast<std::byte>(whole(0, 255));
        }
        return made;
    }

    HostFrames frames(const StageCase& of) {
        HostFrames made;
        for (const FrameSpec& spec : of.inputs) {
            const bool isList = spec.find(AxisName::Bubble) != nullptr;
            made.push_back(isList              ? bubblesOf(*this, spec, of.inputs.back())
                           : holdsDepths(spec) ? depthsIn(of.inputs.front(), spec)
                                               : frame(spec));
        }
        return made;
    }

private:
    /// A-scans get weaker by 26 dB on their way down, so that some depths hold more than others.
    static void fade(HostFrame& frame) {
        constexpr double kLeast = 0.05;
        const std::int64_t depths = frame.spec.axes.back().size;
        const std::int64_t each = isComplex(frame.spec.dtype) ? 2 : 1;
        std::int64_t i = 0;
        for (float& value : frame.as<float>()) {
            const auto share = static_cast<double>(i++ / each % depths) /
                               static_cast<double>(std::max<std::int64_t>(depths - 1, 1));
            value *= static_cast<float>(std::pow(kLeast, share));
        }
    }

    /// A depth for each line of another frame, and no image.
    static bool holdsDepths(const FrameSpec& spec) {
        return spec.axes.back().name == AxisName::Lateral && spec.find(AxisName::Depth) == nullptr;
    }
    /// Some lie beside the image.
    HostFrame depthsIn(const FrameSpec& image, const FrameSpec& spec) {
        HostFrame made(spec);
        const Axis& depth = *image.find(AxisName::Depth);
        for (float& value : made.as<float>())
            value = static_cast<float>(depth.origin + depth.spacing * uniform(-0.1, 1.1) *
                                                          static_cast<double>(depth.size));
        return made;
    }

    /// Mostly as the first port's, since several frames are hardly taken that share nothing.
    FrameSpec furtherSpec(const StageType& type, std::size_t port, const FrameSpec& first) {
        const bool other = chance(0.2);
        if (type.inputs[port].axes == std::vector{AxisName::Lateral}) {
            FrameSpec list = first;
            list.axes.pop_back();
            return list;
        }
        try {
            checkPort(type, first, port);
        } catch (const Error&) {
            return spec(type.inputs[port]);
        }
        return other ? spec(type.inputs[port]) : first;
    }

    FrameSpec rawOrImage(const Port& port) {
        if (!port.axes.empty() && port.axes.front() == AxisName::Bubble) return bubbleList(*this);
        const bool lines = !port.axes.empty() && port.axes.front() == AxisName::Lateral;
        if (lines) return octFrame(port.axes.back(), port.stacks);
        if (!port.axes.empty() && port.axes.front() == AxisName::Channel) return delayedFrame();
        const bool channels =
            port.axes.empty() ? chance(0.5) : port.axes.back() == AxisName::Sample;
        return channels ? channelFrame() : imageFrame();
    }

    /// Of one frame, where the port takes that, or of several.
    FrameSpec together(const Port& port) {
        const bool always = !port.axes.empty() && port.axes.front() == AxisName::Frame;
        if (always && port.axes[1] == AxisName::Lateral) {
            const std::int64_t bands = port.bands && chance(0.4) ? whole(2, 4) : 1;
            FrameSpec spec = ensembleOf(octFrame(port.axes.back(), false), bands * whole(2, 5));
            spec.bands = bands;
            return spec;
        }
        if (always && chance(0.3)) return ensembleOf(imageFrame(), whole(2, 5));
        const FrameSpec frame = rawOrImage(port);
        if (frame.find(AxisName::Elevation) != nullptr) return frame; // never both
        const bool several = always || (port.ensembles && chance(0.25));
        return several ? ensembleOf(frame, whole(2, 5)) : frame;
    }

    FrameSpec spec(const Port& port) {
        FrameSpec spec = together(port);
        spec.dtype = oneOf(port.dtypes);
        if (isComplex(spec.dtype)) spec.demodulationFrequencyHz = spec.centreFrequencyHz;
        switch (spec.dtype) {
        case DType::U8: spec.codeOffset = 128.0; break;
        case DType::U16: spec.codeOffset = 32768.0; break;
        case DType::Packed12: spec.codeOffset = 2048.0; break;
        default: break;
        }
        if (spec.dtype != DType::F32 && spec.dtype != DType::ComplexF32)
            spec.codeScale = uniform(1e-3, 1.0);
        if (spec.dtype == DType::F32 && spec.sector != nullptr) describeValues(spec);
        spec.isOneWay = soundsAlone() && spec.acquisition == nullptr;
        return spec;
    }

    /// Whether nothing is sent. Draws nothing, so that other cases stay as they are.
    bool soundsAlone() const { return m_seed % 8 == 5; }

    /// Says of some images in beam space what frame() fills them with: levels, or places on a
    /// circle. Draws nothing, so that other cases stay as they are.
    void describeValues(FrameSpec& spec) const {
        if (m_seed % 4 == 1) {
            spec.valueKind = ValueKind::Level;
            spec.valueRange = {-1.0, 1.0, "dB", ""};
        } else if (m_seed % 4 == 2) {
            spec.valueKind = ValueKind::Cyclic;
            spec.cycle = 2.0;
            spec.valueRange = {-1.0, 1.0, "cm/s", ""};
        } else if (m_seed % 4 == 3) {
            spec.valueKind = ValueKind::Amplitude;
        }
    }

    FrameSpec channelFrame() {
        using Shape = std::array<std::int64_t, 3>;
        static const std::vector<Shape> kShapes{{1, 1, 1},   {1, 1, 7},   {2, 1, 61},
                                                {1, 3, 500}, {3, 5, 127}, {2, 16, 200},
                                                {7, 2, 64},  {1, 33, 311}};
        static const std::vector<double> kSamplingHz{20e6, 20e6 / 3, 31.25e6};
        const Shape shape = oneOf(kShapes);
        FrameSpec spec = channelSpec(shape[0], shape[1], shape[2], oneOf(kSamplingHz));
        auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
        if (chance(0.3)) vary(acquisition->probe);
        for (Transmit& transmit : acquisition->transmits) vary(transmit, acquisition->probe);
        if (chance(0.2)) walk(*acquisition, shape[0], shape[1]);
        if (chance(0.3)) {
            for (std::int64_t i = 0; i < shape[0] * shape[1]; ++i)
                acquisition->receiveWeights.push_back(static_cast<float>(whole(0, 2)));
            if (acquisition->receiveWeights.back() == 2.0F) overRange(*acquisition, shape[1]);
        }
        spec.acquisition = acquisition;
        return spec;
    }

    /// All transmits send the first wave, as with several pulses.
    static void sendAgain(FrameSpec& spec) {
        auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
        for (Transmit& transmit : acquisition->transmits) transmit = acquisition->transmits.front();
        auto& heard = acquisition->receiveElements;
        const auto channels = static_cast<std::size_t>(spec.sizeOf(AxisName::Channel));
        for (std::size_t i = channels; i < heard.size(); ++i) heard[i] = heard[i - channels];
        spec.acquisition = acquisition;
    }

    /// A curved array, a matrix, or lines that cross.
    void vary(Probe& probe) {
        const std::int64_t kind = whole(0, 2);
        const std::int64_t rows = whole(2, 4);
        for (std::size_t i = 0; i < probe.elements.size(); ++i) {
            Point& p = probe.elements[i];
            const auto row = static_cast<double>(static_cast<std::int64_t>(i) % rows);
            if (kind == 0) p.z = 5.0 * p.x * p.x;
            if (kind == 1) p.y = 0.3e-3 * row;
            if (kind != 2) continue;
            const bool crosses = i % 2 == 1;
            probe.longAxes.push_back(crosses ? LongAxis::Lateral : LongAxis::Elevation);
            if (crosses) std::swap(p.x, p.y);
        }
    }

    /// Each channel hears another element in each transmit, or none; some elements fire.
    void walk(Acquisition& acquisition, std::int64_t transmits, std::int64_t channels) {
        const std::int64_t shift = whole(0, channels - 1);
        for (std::int64_t i = 0; i < transmits * channels; ++i) {
            const std::int64_t e = (i % channels + shift * (i / channels)) % channels;
            acquisition.receiveElements.push_back(chance(0.1) ? -1 : static_cast<std::int32_t>(e));
        }
        for (Transmit& transmit : acquisition.transmits) {
            for (std::int64_t e = 0; e < channels; ++e)
                transmit.apodization.push_back(e == shift || chance(0.5) ? 1.0F : 0.0F);
        }
    }

    /// Draws nothing, so that other cases stay as they are.
    static void overRange(Acquisition& acquisition, std::int64_t channels) {
        constexpr std::int64_t kSteps = 3;
        for (std::int64_t i = 0; i < channels * kSteps; ++i)
            acquisition.rangeWeights.values.push_back(0.25F * static_cast<float>(i % 7));
        acquisition.rangeWeights.firstM = 1e-3;
        acquisition.rangeWeights.stepM = 4e-3;
    }

    void vary(Transmit& transmit, const Probe& probe) {
        transmit.wave = static_cast<Wave>(whole(0, 3));
        transmit.firstSampleS = uniform(-1e-6, 3e-6);
        transmit.iqPhaseZeroS = uniform(-1e-6, 1e-6);
        transmit.angleRad = uniform(-0.3, 0.3);
        const double x = uniform(-5e-3, 5e-3);
        if (transmit.wave == Wave::Diverging) transmit.source = {x, 0.0, uniform(-20e-3, -2e-3)};
        if (transmit.wave == Wave::Focused) transmit.source = {x, 0.0, uniform(2e-3, 20e-3)};
        if (transmit.wave == Wave::Element) transmit.source = oneOf(probe.elements);
        if (soundsAlone()) transmit.wave = Wave::None;
    }

    FrameSpec imageFrame() {
        using Shape = std::array<std::int64_t, 2>;
        static const std::vector<Shape> kShapes{{1, 1},   {1, 17},   {31, 1}, {2, 3},
                                                {37, 53}, {128, 96}, {113, 7}};
        const Shape shape = oneOf(kShapes);
        FrameSpec spec = imageSpec(shape[0], shape[1]);
        if (chance(0.5)) spec = inBeamSpace(spec);
        return spec;
    }

    FrameSpec delayedFrame() {
        FrameSpec spec = imageFrame();
        spec.axes.insert(spec.axes.begin(), {AxisName::Channel, whole(1, 9), 1.0, 0.0, ""});
        return spec;
    }

    FrameSpec inBeamSpace(FrameSpec spec) {
        const std::int64_t lines = spec.axes.back().size;
        const double step = uniform(0.1, 1.4) / static_cast<double>(lines);
        const double first = uniform(-0.8, 0.1);
        Sector sector{uniform(-1e-3, 1e-3), uniform(-40e-3, 0.0), uniform(0.0, 40e-3), {}};
        for (std::int64_t i = 0; i < lines; ++i)
            sector.anglesRad.push_back(first + step * static_cast<double>(i));
        if (chance(0.3)) {
            const double pitch = uniform(0.1e-3, 0.6e-3);
            for (std::int64_t i = 0; i < lines; ++i)
                sector.starts.push_back({pitch * static_cast<double>(i), 0.0, uniform(0.0, 1e-5)});
        }
        spec.axes.back() = lateralAxisOf(sector);
        spec.sector = std::make_shared<Sector>(std::move(sector));
        return spec;
    }

    /// Spectra, or A-scans along depth; an elevation of 0 stands for none.
    FrameSpec octFrame(AxisName along, bool stacks) {
        using Shape = std::array<std::int64_t, 3>;
        static const std::vector<Shape> kShapes{{0, 1, 2},   {0, 1, 64},  {0, 5, 61}, {0, 37, 128},
                                                {1, 3, 255}, {2, 20, 40}, {3, 7, 33}, {0, 2, 512}};
        const Shape shape = oneOf(kShapes);
        FrameSpec spec = octSpec(stacks ? shape[0] : 0, shape[1], shape[2]);
        if (along == AxisName::Depth) {
            spec.axes.back() = {AxisName::Depth, shape[2], 3e-6, 0.0, "m"};
        } else if (chance(0.7)) {
            spec.spectrometer = calibrated(*spec.spectrometer, shape[2]);
        }
        return spec;
    }

    std::shared_ptr<const Spectrometer> calibrated(const Spectrometer& from, std::int64_t samples) {
        auto made = std::make_shared<Spectrometer>(from);
        const double bend = uniform(-0.3, 0.3);
        const bool falling = chance(0.2);
        for (std::int64_t m = 0; m < samples; ++m) {
            const double u = static_cast<double>(m) / static_cast<double>(samples - 1);
            const double r = static_cast<double>(samples - 1) * (u + bend * u * (1.0 - u));
            made->background.push_back(static_cast<float>(uniform(-1.0, 1.0)));
            made->resampling.push_back(falling ? static_cast<double>(samples - 1) - r : r);
            made->dispersionRad.push_back(uniform(-3.0, 3.0));
        }
        return made;
    }

    ParamValue value(const ParamRow& row, const StageCase& made) {
        switch (row.type) {
        case ParamType::Flag: return chance(0.5);
        case ParamType::Choice: return oneOf(row.choices).id;
        case ParamType::Text: return made.params.get(row.key);
        case ParamType::Real: return number(row, std::get<double>(made.params.get(row.key)));
        case ParamType::Integer: {
            if (row.scale == ParamScale::Log)
                return static_cast<std::int64_t>(
                    std::llround(std::exp(uniform(std::log(row.min), std::log(row.max)))));
            const auto any = whole(static_cast<std::int64_t>(std::ceil(row.min)),
                                   static_cast<std::int64_t>(std::floor(row.max)));
            return row.oddOnly && any % 2 == 0 ? any - 1 : any;
        }
        case ParamType::Mask: {
            if (chance(0.3)) return std::string(oneOf(Mask::kWords));
            std::vector<double> mask(
                static_cast<std::size_t>(made.inputs.front().sizeOf(AxisName::Transmit)));
            for (double& on : mask) on = chance(0.7) ? 1.0 : 0.0;
            return mask;
        }
        case ParamType::RealList: {
            std::vector<double> list(row.listLabels.empty() ? static_cast<std::size_t>(whole(1, 9))
                                                            : row.listLabels.size());
            for (double& entry : list) entry = uniform(row.min, row.max);
            return list;
        }
        }
        return {};
    }

    /// Anywhere in the range, or in the neighbourhood of what suits the data.
    double number(const ParamRow& row, double usual) {
        if (chance(0.7)) {
            const double near = usual != 0.0 ? usual * std::exp(uniform(-0.4, 0.4))
                                             : uniform(-0.02, 0.02) * (row.max - row.min);
            return std::clamp(near, row.min, row.max);
        }
        if (row.scale == ParamScale::Log)
            return std::clamp(std::exp(uniform(std::log(row.min), std::log(row.max))), row.min,
                              row.max);
        return uniform(row.min, row.max);
    }

    unsigned m_seed;
};

inline constexpr int kFramesPerCase = 3; ///< stages with state see a sequence

inline constexpr int kLeastCases = 20;
inline constexpr unsigned kMostSeeds = 300;

/// Calls `check(case, sequence)`, a set of frames per point in time, for accepted cases of `type`,
/// made from the seeds 1, 2, ..., and returns how many there were. Fewer than kLeastCases say
/// little about the stage.
inline int
forEachCase(const StageType& type,
            const std::function<void(const StageCase&, const std::vector<HostFrames>&)>& check) {
    constexpr int kWanted = 40;
    int accepted = 0;
    for (unsigned seed = 1; seed <= kMostSeeds && accepted < kWanted; ++seed) {
        CaseMaker maker(seed);
        const std::optional<StageCase> made = maker.make(type);
        if (!made) continue;
        ++accepted;
        std::vector<HostFrames> sequence;
        const bool keepsState = type.plan(made->inputs, made->params).stateBytes > 0;
        for (int i = 0; i < (keepsState ? kFramesPerCase : 1); ++i)
            sequence.push_back(maker.frames(*made));
        check(*made, sequence);
    }
    return accepted;
}

} // namespace echolux::check
