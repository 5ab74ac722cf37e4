// SPDX-License-Identifier: GPL-3.0-or-later
// Verasonics workspaces: rows of RcvData are acquisitions, one after the other; columns are
// connector channels. Clock of the file: the first element fires at 0, and the first sample is 2
// startDepth later. On the common clock times are smaller by the lead of the wave, the middle of
// its pulse and the lens.
#include "app/dataset/formats/verasonics.hpp"

#include "app/dataset/formats/verasonics_probe.hpp"
#include "app/dataset/formats/verasonics_sequence.hpp"
#include "app/dataset/formats/verasonics_transmits.hpp"
#include "app/dataset/frames/array_recording.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <span>
#include <utility>

namespace echolux {

namespace {

using Values = VerasonicsValues;

/// The place in the buffer of one channel's samples in one transmit.
struct Line {
    std::size_t column = 0;
    std::size_t firstRow = 0;
    std::size_t rows = 0; ///< 0: silent
};

/// The frames of one buffer, rows x columns x frames with rows contiguous.
class VerasonicsRecording : public Recording {
public:
    VerasonicsRecording(RecordingInfo info, MatValue buffer, std::vector<Line> lines,
                        std::vector<std::size_t> frames, std::size_t rowsPerLine, bool conjugate)
        : m_buffer(std::move(buffer)), m_lines(std::move(lines)), m_frames(std::move(frames)),
          m_rowsPerLine(rowsPerLine), m_conjugate(conjugate) {
        m_info = std::move(info);
        checkRecording(m_info);
    }

    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        checkFrameRequest(m_info, index, out.size());
        const std::size_t frame = m_frames[static_cast<std::size_t>(index)];
        visitComponent(m_buffer.type, [&](auto zero) {
            using In = decltype(zero);
            if constexpr (std::is_same_v<In, std::int16_t>)
                copy<In, std::int16_t>(frame, out);
            else
                copy<In, float>(frame, out);
        });
    }

private:
    template <class In, class Out> void copy(std::size_t frame, std::span<std::byte> bytes) const {
        const auto rows = static_cast<std::size_t>(m_buffer.dims[0]);
        const auto columns = static_cast<std::size_t>(m_buffer.dims[1]);
        const In* in = reinterpret_cast<const In*>(m_buffer.bytes.data()) + frame * rows * columns;
        Out* out = reinterpret_cast<Out*>(bytes.data());
        for (const Line& line : m_lines) {
            const In* from = in + line.column * rows + line.firstRow;
            std::transform(from, from + line.rows, out, [](In v) { return static_cast<Out>(v); });
            std::fill(out + line.rows, out + m_rowsPerLine, Out{});
            if (m_conjugate)
                for (std::size_t n = 1; n < line.rows; n += 2) out[n] = negated(out[n]);
            out += m_rowsPerLine;
        }
    }

    template <class Out> static Out negated(Out value) {
        if constexpr (std::is_same_v<Out, std::int16_t>)
            return value == INT16_MIN ? Out{INT16_MAX} : static_cast<Out>(-value);
        else
            return -value;
    }

    MatValue m_buffer;
    std::vector<Line> m_lines; ///< [transmit][channel]
    std::vector<std::size_t> m_frames;
    std::size_t m_rowsPerLine;
    bool m_conjugate;
};

/// How the samples of an acquisition were taken.
struct Sampling {
    double rateHz = 0.0; ///< of stored numbers
    bool pairs = false;
    double demodulationHz = 0.0;
    std::string mode;

    bool operator==(const Sampling&) const = default;
};

class VerasonicsReader {
public:
    VerasonicsReader(const std::filesystem::path& path, MatVariables variables,
                     const OpenOptions& options)
        : m_path(path), m_options(options), m_variables(std::move(variables)),
          m_values(m_path, m_variables) {}

    std::unique_ptr<Recording> build(const std::string& version) {
        m_info.path = m_path;
        m_info.format = fmt::format("Verasonics workspace ({})", version);
        const std::vector<MatValue*> buffers = listBuffers();
        std::vector<std::size_t> stored;
        for (const MatValue* buffer : buffers)
            stored.push_back(buffer == nullptr ? 0 : static_cast<std::size_t>(buffer->dims[2]));
        m_sequence = readVerasonicsSequence(m_values, stored, m_options);
        m_info.tracks = m_sequence.tracks;
        m_info.track = m_sequence.track;
        m_probe = readVerasonicsProbe(m_values);
        m_buffer = buffers[m_sequence.buffer];
        keepAlikeSampling();
        listLines();
        describeWaves();
        describeFrame();
        for (const auto& warnings : {m_probe.warnings, m_sequence.warnings, m_warnings})
            for (const std::string& warning : warnings)
                if (std::ranges::find(m_info.warnings, warning) == m_info.warnings.end())
                    m_info.warnings.push_back(warning);
        return std::make_unique<VerasonicsRecording>(
            std::move(m_info), std::move(*m_buffer), std::move(m_lines),
            std::move(m_sequence.frames), m_rowsPerLine, m_sampling.pairs);
    }

private:
    Error error(const std::string& what) const { return m_values.error(what); }
    const MatValue& receive(const VerasonicsAcquisition& acquisition) const {
        return m_values.structs("Receive")->structAt(acquisition.receive);
    }

    /// The buffers of RcvData, a cell for each buffer or one array, as rows x columns x frames;
    /// null where a buffer is empty.
    std::vector<MatValue*> listBuffers() {
        MatValue* data = nullptr;
        for (auto& [name, value] : m_variables)
            if (name == "RcvData") data = &value;
        if (data == nullptr)
            throw error("it holds Trans, TX and Receive but no RcvData: only the script was "
                        "saved, or RcvData was too large for version 5; after the run save all "
                        "variables with save(NAME, '-v7.3')");
        std::vector<MatValue*> buffers;
        if (data->kind == MatValue::Kind::Cell)
            for (MatValue& cell : data->cells) buffers.push_back(usable(cell));
        else
            buffers.push_back(usable(*data));
        if (std::ranges::all_of(buffers, [](const MatValue* b) { return b == nullptr; }))
            throw error(fmt::format("its RcvData, {}, holds no samples; save it after the run, "
                                    "with RcvData{{1}} copied from the system",
                                    data->describe()));
        return buffers;
    }

    static MatValue* usable(MatValue& value) {
        const bool numbers = value.kind == MatValue::Kind::Numeric && value.type.components == 1 &&
                             value.dims.size() >= 2 && value.count() > 0;
        while (value.dims.size() > 3 && value.dims.back() == 1) value.dims.pop_back();
        if (!numbers || value.dims.size() > 3) return nullptr;
        value.dims.resize(3, 1);
        return &value;
    }

    Sampling samplingOf(const VerasonicsAcquisition& acquisition) const {
        const MatValue& entry = receive(acquisition);
        Sampling result{.mode = Values::text(entry, "sampleMode")};
        const double megahertz = Values::number(entry, "decimSampleRate").value_or(0.0);
        const double every = Values::number(entry, "quadDecim").value_or(1.0);
        if (!(megahertz > 0.0) || !(every >= 1.0))
            throw error(fmt::format("Receive({}) has no decimSampleRate, which the system sets: "
                                    "the workspace was saved before the sequence ran; run it with "
                                    "VSX and save again",
                                    acquisition.receive + 1));
        result.rateHz = megahertz * 1e6 / every;
        if (result.mode == "BS67BW")
            throw error("its sampleMode is BS67BW, whose samples are neither RF nor pairs of I "
                        "and Q; record with NS200BW, BS100BW or BS50BW");
        result.pairs = result.mode == "BS100BW" || result.mode == "BS50BW";
        if (result.pairs)
            result.demodulationHz =
                1e6 * Values::number(entry, "demodFrequency").value_or(m_probe.frequencyHz * 1e-6);
        return result;
    }

    /// Keeps only acquisitions with the first one's sampling, because a frame has one sampling
    /// frequency.
    void keepAlikeSampling() {
        auto& acquisitions = m_sequence.acquisitions;
        m_sampling = samplingOf(acquisitions.front());
        const std::size_t all = acquisitions.size();
        std::erase_if(acquisitions, [&](const VerasonicsAcquisition& acquisition) {
            return samplingOf(acquisition) != m_sampling;
        });
        if (acquisitions.size() < all)
            m_warnings.push_back(fmt::format("{} of {} acquisitions were sampled otherwise than "
                                             "the first one and are left out.",
                                             all - acquisitions.size(), all));
    }

    /// The elements that an acquisition listened to, with their columns.
    std::vector<std::pair<std::size_t, std::size_t>>
    listeners(const VerasonicsAcquisition& acquisition) const {
        const MatValue& entry = receive(acquisition);
        const std::size_t all = m_probe.probe.elements.size();
        const std::size_t aperture = Values::index(entry, "aperture");
        std::vector<double> weights = Values::list(entry, "Apod");
        const bool unsaid = weights.empty();
        if (unsaid) weights.assign(all, 1.0);
        const std::vector<std::size_t> elements = m_probe.elementsOf(weights.size(), aperture);
        if (elements.empty())
            throw error(fmt::format("Receive({}) has {} weights (Apod), but the probe {} elements; "
                                    "save the whole workspace again",
                                    acquisition.receive + 1, weights.size(), all));
        std::vector<std::pair<std::size_t, std::size_t>> result;
        std::set<std::size_t> columns;
        for (std::size_t i = 0; i < elements.size(); ++i) {
            const auto column = m_probe.columnOf(elements[i], aperture);
            if (weights[i] == 0.0 || !column) continue;
            if (*column >= static_cast<std::size_t>(m_buffer->dims[1]))
                throw error(fmt::format("element {} fills column {}, but RcvData has {}; save "
                                        "Trans.Connector and RcvData of the same run",
                                        elements[i] + 1, *column + 1, m_buffer->dims[1]));
            if (!columns.insert(*column).second)
                throw error(fmt::format("Trans.Connector names column {} for two elements; save "
                                        "the whole workspace again",
                                        *column + 1));
            result.emplace_back(elements[i], *column);
        }
        if (result.empty())
            throw error(fmt::format("no element listens in Receive({}); leave the event out, or "
                                    "correct Receive.Apod and save again",
                                    acquisition.receive + 1));
        return result;
    }

    void listLines() {
        const auto rows = static_cast<std::size_t>(m_buffer->dims[0]);
        std::vector<std::vector<std::pair<std::size_t, std::size_t>>> heard;
        std::size_t sum = 0;
        std::size_t shortest = rows;
        for (VerasonicsAcquisition& acquisition : m_sequence.acquisitions) {
            if (acquisition.rows > rows || acquisition.firstRow > rows - acquisition.rows)
                throw error(fmt::format("Receive({}) ends in row {}, but RcvData has {}; save "
                                        "RcvData and the structs of the same run",
                                        acquisition.receive + 1,
                                        acquisition.firstRow + acquisition.rows, rows));
            if (m_sampling.pairs) acquisition.rows -= acquisition.rows % 2;
            m_rowsPerLine = std::max(m_rowsPerLine, acquisition.rows);
            shortest = std::min(shortest, acquisition.rows);
            sum += acquisition.rows;
            heard.push_back(listeners(acquisition));
            m_channels = std::max(m_channels, heard.back().size());
        }
        // NOTE: silent lines, and rows that are listed twice, take memory too, so they must not be
        // much more than the file holds.
        constexpr std::size_t kMostTimes = 4;
        if (sum > kMostTimes * rows ||
            m_rowsPerLine * m_sequence.acquisitions.size() > kMostTimes * sum)
            throw error(fmt::format("its acquisitions have {} to {} rows, {} of {} in all: too "
                                    "unequal to be kept as one array",
                                    shortest, m_rowsPerLine, sum, rows));
        if (shortest < m_rowsPerLine)
            m_warnings.push_back(fmt::format("Acquisitions have {} to {} rows; shorter ones end in "
                                             "silence.",
                                             shortest, m_rowsPerLine));
        assignChannels(heard);
    }

    void
    assignChannels(const std::vector<std::vector<std::pair<std::size_t, std::size_t>>>& heard) {
        const std::size_t all = m_probe.probe.elements.size();
        const bool everybody = std::ranges::all_of(
            heard, [&](const auto& elements) { return elements.size() == all; });
        const bool equal = std::ranges::all_of(
            heard, [&](const auto& elements) { return elements.size() == m_channels; });
        for (std::size_t i = 0; i < heard.size(); ++i) {
            const VerasonicsAcquisition& acquisition = m_sequence.acquisitions[i];
            for (std::size_t c = 0; c < m_channels; ++c) {
                const bool listens = c < heard[i].size();
                const auto [element, column] = heard[i][listens ? c : 0];
                m_lines.push_back({column, acquisition.firstRow, listens ? acquisition.rows : 0});
                if (!everybody)
                    m_acquisition.receiveElements.push_back(static_cast<std::int32_t>(element));
                if (!equal) m_acquisition.receiveWeights.push_back(listens ? 1.0F : 0.0F);
            }
        }
    }

    void describeWaves() {
        m_acquisition.probe = m_probe.probe;
        m_acquisition.soundSpeedMps = m_probe.soundSpeedMps;
        for (const VerasonicsAcquisition& acquisition : m_sequence.acquisitions) {
            const MatValue& entry = receive(acquisition);
            const double start =
                2.0 * Values::number(entry, "startDepth").value_or(0.0) / m_probe.frequencyHz;
            const double middle =
                start + 0.5 * static_cast<double>(acquisition.rows) / m_sampling.rateHz;
            const VerasonicsWave wave =
                readVerasonicsWave(m_values, m_probe, acquisition.tx,
                                   0.5 * m_probe.soundSpeedMps * middle, m_warnings);
            Transmit transmit = wave.transmit;
            transmit.firstSampleS = start - wave.leadS;
            if (m_sampling.pairs) transmit.iqPhaseZeroS = transmit.firstSampleS;
            m_acquisition.transmits.push_back(transmit);
            if (m_pulseHz == 0.0) m_pulseHz = wave.pulseHz;
        }
        m_acquisition.probe.centreFrequencyHz = m_probe.frequencyHz;
    }

    void describeFrame() {
        const std::int64_t parts = m_sampling.pairs ? 2 : 1;
        ArrayExtents extents{.frames = static_cast<std::int64_t>(m_sequence.frames.size()),
                             .transmits = static_cast<std::int64_t>(m_sequence.acquisitions.size()),
                             .channels = static_cast<std::int64_t>(m_channels),
                             .samples = static_cast<std::int64_t>(m_rowsPerLine) / parts,
                             .pairs = m_sampling.pairs};
        FrameSpec& frame = m_info.frame;
        frame = frameSpecOf({m_buffer->type, {}, false}, extents,
                            m_sampling.rateHz / static_cast<double>(parts));
        if (m_buffer->type != ElementType{.kind = ElementType::Kind::Signed, .bytes = 2})
            frame.dtype = m_sampling.pairs ? DType::ComplexF32 : DType::F32;
        frame.centreFrequencyHz = m_pulseHz;
        frame.demodulationFrequencyHz = m_sampling.demodulationHz;
        frame.acquisition = std::make_shared<const Acquisition>(std::move(m_acquisition));
        checkLoadSize(m_path, "one frame", frame.bytes());
        m_info.frameCount = extents.frames;
        m_info.frameRateHz = m_sequence.frameRateHz;
        if (!m_sampling.mode.empty()) m_info.notes.emplace_back("Sampling", m_sampling.mode);
    }

    const std::filesystem::path& m_path;
    const OpenOptions& m_options;
    MatVariables m_variables;
    Values m_values;
    RecordingInfo m_info;
    VerasonicsSequence m_sequence;
    VerasonicsProbe m_probe;
    MatValue* m_buffer = nullptr;
    Sampling m_sampling;
    std::vector<Line> m_lines;
    std::size_t m_rowsPerLine = 0;
    std::size_t m_channels = 0;
    Acquisition m_acquisition;
    double m_pulseHz = 0.0;
    std::vector<std::string> m_warnings;
};

bool has(const MatVariables& variables, std::string_view name) {
    return std::ranges::any_of(variables, [&](const auto& v) { return v.first == name; });
}

} // namespace

bool looksLikeVerasonics(const MatVariables& variables) {
    return has(variables, "RcvData") ||
           (has(variables, "Trans") && has(variables, "TX") && has(variables, "Receive"));
}

std::unique_ptr<Recording> openVerasonics(const std::filesystem::path& path, MatVariables variables,
                                          const std::string& version, const OpenOptions& options) {
    return VerasonicsReader(path, std::move(variables), options).build(version);
}

} // namespace echolux
