// SPDX-License-Identifier: GPL-3.0-or-later
// MUST recordings: the defaults of the toolbox, and the conversion of its clock (t = 0 where
// TXdelay is 0) to the common clock.
#include "app/dataset/formats/must.hpp"

#include "app/dataset/formats/must_probe.hpp"
#include "app/dataset/formats/must_signals.hpp"
#include "app/dataset/formats/must_transmits.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/transmit/beam_origins.hpp"
#include "app/dataset/transmit/transmit_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace echolux {

namespace {

using NamedVariable = std::pair<std::string, MatValue>;

bool isParameters(const MatValue& value) {
    return value.kind == MatValue::Kind::Struct &&
           (value.field("fs") != nullptr || value.field("pitch") != nullptr);
}

bool isSignals(const NamedVariable& variable) {
    const auto& [name, value] = variable;
    return signalCount(value) > 1 &&
           (startsIgnoringCase(name, "RF") || startsIgnoringCase(name, "IQ"));
}

/// The array of signals: the one named RF* or IQ*, else the largest.
const NamedVariable* findSignals(const MatVariables& variables) {
    const auto named = std::ranges::find_if(variables, isSignals);
    if (named != variables.end()) return &*named;
    const NamedVariable* largest = nullptr;
    constexpr std::int64_t kFewestSamples = 1024;
    for (const NamedVariable& variable : variables)
        if (signalCount(variable.second) >= kFewestSamples &&
            (largest == nullptr || signalCount(variable.second) > signalCount(largest->second)))
            largest = &variable;
    return largest;
}

/// RF2 belongs to param2: finds the struct with the same ending, else the first struct.
const NamedVariable* findParameters(const MatVariables& variables, const std::string& signals) {
    const NamedVariable* first = nullptr;
    const std::string ending = signals.substr(std::min<std::size_t>(2, signals.size()));
    for (const NamedVariable& variable : variables) {
        if (!isParameters(variable.second)) continue;
        if (first == nullptr) first = &variable;
        if (!ending.empty() && variable.first.ends_with(ending)) return &variable;
    }
    return first;
}

class MustReader {
public:
    MustReader(const std::filesystem::path& path, const MatValue& parameters,
               const std::string& name)
        : m_fields(path, parameters, name), m_name(name) {
        m_info.path = path;
    }

    std::unique_ptr<Recording> build(const std::string& name, MatValue stored,
                                     const std::string& version) {
        m_info.format = fmt::format("MUST .mat ({})", version);
        MatValue signals = stackedSignals(m_info.path, name, std::move(stored), m_info.warnings);
        while (signals.dims.size() > 2 && signals.dims.back() == 1) signals.dims.pop_back();
        if (signals.dims.size() > 4)
            throw error(fmt::format("its signals have {} dimensions ({}), but samples x elements x "
                                    "transmits x frames are at most 4",
                                    signals.dims.size(), signals.describe()));
        signals.dims.resize(4, 1);
        const auto channels = static_cast<std::size_t>(signals.dims[1]);
        readParameters(channels);
        MustFirings firings =
            readMustFirings(m_info.path, m_fields.all(), m_name, m_acquisition.probe.elements,
                            m_acquisition.soundSpeedMps, static_cast<std::size_t>(signals.dims[2]));
        std::ranges::move(firings.warnings, std::back_inserter(m_info.warnings));
        arrangeThirdAxis(signals.dims, firings.transmits);
        describe(signals, firings);
        const ArrayMapping mapping{
            .axes = {ArrayAxis::Sample, ArrayAxis::Channel, ArrayAxis::Transmit, ArrayAxis::Frame}};
        const ArrayLayout layout = signals.layout();
        m_extents = extentsOf(m_info.path, layout, mapping);
        m_info.frameCount = m_extents.frames;
        const auto acquisition = m_info.frame.acquisition;
        const double fc = m_info.frame.centreFrequencyHz;
        m_info.frame = frameSpecOf(layout, m_extents, m_fs);
        m_info.frame.acquisition = acquisition;
        m_info.frame.centreFrequencyHz = fc;
        if (m_extents.pairs) m_info.frame.demodulationFrequencyHz = fc;
        if (m_info.frame.dtype == DType::U8 || m_info.frame.dtype == DType::U16)
            noteOffsetBinary(signals);
        noteSampling();
        return makeArrayRecording(std::move(m_info),
                                  std::make_unique<MemoryArray>(std::move(signals.bytes), layout),
                                  mapping);
    }

private:
    Error error(const std::string& what) const { return fileError(m_info.path, what); }

    void readParameters(std::size_t channels) {
        m_fs = m_fields.positive("fs", std::nullopt);
        constexpr double kSoftTissue = 1540.0; // MUST's default
        m_acquisition.soundSpeedMps = m_fields.positive("c", kSoftTissue);
        std::optional<double> fc = m_fields.number("fc");
        if (!fc) fc = m_fields.number("f0");
        if (!fc) {
            fc = m_fs / 4.0; // MUST samples at 4 fc by default
            m_info.warnings.push_back(fmt::format("'{}' gives no centre frequency; a quarter of "
                                                  "the sampling frequency, {:g} MHz, is assumed.",
                                                  m_name, *fc * 1e-6));
        }
        if (!(*fc > 0.0) || std::isinf(*fc))
            throw error(fmt::format("the centre frequency fc of '{}' is {:g} Hz; correct it and "
                                    "save again",
                                    m_name, *fc));
        m_info.frame.centreFrequencyHz = *fc;
        m_acquisition.probe = readMustProbe(m_fields, channels, m_acquisition.soundSpeedMps, *fc);
        m_info.frameRateHz = m_fields.number("PRF").value_or(0.0);
    }

    /// The third axis counts transmits where each has its delays. It counts frames where there is
    /// one row of delays for all.
    void arrangeThirdAxis(std::vector<std::int64_t>& dims, std::size_t rows) const {
        const auto transmits = static_cast<std::int64_t>(rows);
        if (dims[2] == transmits) return;
        if (transmits == 1 && dims[3] == 1) {
            std::swap(dims[2], dims[3]);
            return;
        }
        throw error(
            fmt::format("'{}' describes {} transmits, but the third axis of the signals has "
                        "{} entries; give one row of TXdelay (or one TXangle) for each",
                        m_name, transmits, dims[2]));
    }

    void describe(const MatValue& signals, const MustFirings& firings) {
        std::vector<double> t0 = m_fields.list("t0");
        if (t0.empty()) t0 = {0.0};
        if (t0.size() == 1) t0.assign(firings.transmits, t0.front());
        if (t0.size() != firings.transmits)
            throw error(fmt::format("t0 of '{}' has {} entries, but there are {} transmits; give "
                                    "one or one for each",
                                    m_name, t0.size(), firings.transmits));
        const bool alike = std::ranges::count(firings.weights, firings.weights.front()) ==
                           std::ssize(firings.weights);
        const double period = 1.0 / m_info.frame.centreFrequencyHz;
        const double half = 0.5 * static_cast<double>(signals.dims[0]) / m_fs;
        for (std::size_t i = 0; i < firings.transmits; ++i) {
            const auto fitted = fitWave(m_acquisition.probe.elements, firings.delaysOf(i),
                                        m_acquisition.soundSpeedMps, period,
                                        0.5 * m_acquisition.soundSpeedMps * (t0[i] + half));
            if (!fitted)
                throw error(fmt::format("the delays of transmit {} in '{}' are those of no plane, "
                                        "diverging, focused or single-element wave, and Echolux "
                                        "cannot image others; check TXdelay (s)",
                                        i + 1, m_name));
            Transmit transmit = fitted->transmit;
            transmit.firstSampleS = t0[i] - fitted->leadS;
            transmit.iqPhaseZeroS = -fitted->leadS;
            if (!alike) {
                const auto weights = firings.weightsOf(i);
                transmit.apodization.assign(weights.begin(), weights.end());
            }
            m_acquisition.transmits.push_back(std::move(transmit));
        }
        const std::size_t cutOff =
            placeBeams(m_acquisition.probe, m_acquisition.soundSpeedMps, m_acquisition.transmits);
        if (cutOff > 0) m_info.notes.emplace_back("Beams", cutOffNote(cutOff));
        compareAngles(firings);
        m_info.frame.acquisition = std::make_shared<const Acquisition>(m_acquisition);
    }

    /// TXdelay is what was sent. A different TXangle gives a warning. NOTE: where their numbers of
    /// transmits differ, the reader of the firings has warned.
    void compareAngles(const MustFirings& firings) {
        const std::vector<double>& stated = firings.statedAngles;
        if (firings.anglesStandForDelays || stated.size() != m_acquisition.transmits.size()) return;
        constexpr double kTolerance = 1e-3;
        for (std::size_t i = 0; i < stated.size(); ++i) {
            const Transmit& transmit = m_acquisition.transmits[i];
            if (transmit.wave != Wave::Plane ||
                std::abs(transmit.angleRad - stated[i]) <= kTolerance)
                continue;
            m_info.warnings.push_back(fmt::format(
                "TXangle says {:.2f} deg for transmit {}, but its TXdelay {:.2f} deg; TXdelay is "
                "used.",
                stated[i] * 180.0 / std::numbers::pi, i + 1,
                transmit.angleRad * 180.0 / std::numbers::pi));
            return;
        }
    }

    void noteOffsetBinary(const MatValue& signals) {
        m_info.frame.codeOffset = visitComponent(signals.type, [&](auto zero) {
            using T = decltype(zero);
            const std::span codes(reinterpret_cast<const T*>(signals.bytes.data()),
                                  signals.bytes.size() / sizeof(T));
            return std::accumulate(codes.begin(), codes.end(), 0.0) /
                   static_cast<double>(codes.size());
        });
        m_info.notes.emplace_back(
            "Zero of the codes",
            fmt::format("{:.2f} (offset binary, mean of all samples)", m_info.frame.codeOffset));
    }

    void noteSampling() {
        const double fc = m_info.frame.centreFrequencyHz;
        if (m_extents.pairs || m_fs >= 2.0 * fc) return;
        m_info.notes.emplace_back("Sampling",
                                  fmt::format("band-pass: {:.4g} MHz is less than twice the centre "
                                              "frequency; demodulate before imaging",
                                              m_fs * 1e-6));
    }

    MustFields m_fields;
    const std::string& m_name;
    RecordingInfo m_info;
    Acquisition m_acquisition;
    ArrayExtents m_extents;
    double m_fs = 0.0;
};

} // namespace

bool looksLikeMust(const MatVariables& variables) {
    return std::ranges::any_of(variables, isSignals) ||
           std::ranges::any_of(variables,
                               [](const NamedVariable& v) { return isParameters(v.second); });
}

std::unique_ptr<Recording> openMust(const std::filesystem::path& path, MatVariables variables,
                                    const std::string& version) {
    const NamedVariable* signals = findSignals(variables);
    const char* otherwise = kSidecarHelps;
    if (signals == nullptr)
        throw fileError(path, fmt::format("it has a struct of parameters but no array of signals "
                                          "(RF, samples x elements x transmits, or a cell array "
                                          "with a matrix for each transmit); save both in one "
                                          "file{}",
                                          otherwise));
    const NamedVariable* parameters = findParameters(variables, signals->first);
    if (parameters == nullptr)
        throw fileError(path, fmt::format("it has the signals '{}' but no struct 'param' with fs "
                                          "and pitch; save both in one file{}",
                                          signals->first, otherwise));
    // Moved instead of copied, because the signals may fill most of the memory.
    auto& [name, values] = variables[static_cast<std::size_t>(signals - variables.data())];
    return MustReader(path, parameters->second, parameters->first)
        .build(name, std::move(values), version);
}

} // namespace echolux
