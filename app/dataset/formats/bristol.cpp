// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the traces of exp_data, whose pairs may have any order, into the array [transmit][channel].
// Clock: t = 0 when the transmitting element fires, as on the common clock.
#include "app/dataset/formats/bristol.hpp"

#include "app/dataset/formats/element_matrix.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace echolux {

namespace {

class BristolReader {
public:
    BristolReader(const std::filesystem::path& path, const MatValue& expData) : m_exp(expData) {
        m_info.path = path;
    }

    std::unique_ptr<Recording> build(const std::string& version) {
        m_info.format = fmt::format("Bristol exp_data .mat ({})", version);
        readTime();
        readArray();
        readSoundSpeed();
        const ElementMatrix matrix(m_info.path, readPairs(), elements().size());
        std::vector<std::byte> box = fillBox(matrix);
        m_acquisition.receiveWeights = matrix.weights();
        m_info.notes.emplace_back("Capture", matrix.description());
        recentre();
        m_acquisition.transmits = matrix.transmits(elements(), m_firstSample);
        const ArrayLayout layout{{.kind = ElementType::Kind::Real, .bytes = 4},
                                 {static_cast<std::int64_t>(matrix.fired().size()),
                                  static_cast<std::int64_t>(elements().size()),
                                  static_cast<std::int64_t>(m_samples)}};
        const ArrayMapping mapping{
            .axes = {ArrayAxis::Transmit, ArrayAxis::Channel, ArrayAxis::Sample}};
        m_info.frame = frameSpecOf(layout, extentsOf(m_info.path, layout, mapping), 1.0 / m_step);
        m_info.frame.centreFrequencyHz = m_acquisition.probe.centreFrequencyHz;
        m_info.frame.acquisition = std::make_shared<const Acquisition>(std::move(m_acquisition));
        m_info.frameCount = 1;
        return makeArrayRecording(std::move(m_info),
                                  std::make_unique<MemoryArray>(std::move(box), layout), mapping);
    }

private:
    Error error(const std::string& what) const { return fileError(m_info.path, what); }
    std::vector<Point>& elements() { return m_acquisition.probe.elements; }

    static std::vector<double> list(const MatValue* parent, std::string_view name) {
        const MatValue* value = parent != nullptr ? parent->field(name) : nullptr;
        return value != nullptr ? value->numbers() : std::vector<double>{};
    }
    std::vector<double> demand(const MatValue* parent, std::string_view name,
                               std::string_view meaning) const {
        std::vector<double> values = list(parent, name);
        if (values.empty())
            throw error(
                fmt::format("exp_data lacks '{}' ({}); add it and save again", name, meaning));
        return values;
    }

    void readTime() {
        const std::vector<double> time = demand(&m_exp, "time", "the time of each sample in s");
        m_samples = time.size();
        if (m_samples < 2) throw error("exp_data.time has one entry; a trace needs more");
        m_step = (time.back() - time.front()) / static_cast<double>(m_samples - 1);
        constexpr double kJitter = 0.01;
        for (std::size_t n = 0; n < m_samples; ++n) {
            const double ideal = time.front() + m_step * static_cast<double>(n);
            if (!(std::abs(time[n] - ideal) <= kJitter * m_step))
                throw error(fmt::format("exp_data.time is not uniform: sample {} is at {:g} s "
                                        "instead of {:g} s; resample the traces",
                                        n, time[n], ideal));
        }
        m_firstSample = time.front();
    }

    void readArray() {
        const MatValue* array = m_exp.field("array");
        if (array == nullptr || array->kind != MatValue::Kind::Struct)
            throw error("exp_data lacks the struct 'array' (where the elements are); add it and "
                        "save again");
        const std::vector<double> x = demand(array, "el_xc", "x of each element in m");
        elements().resize(x.size());
        for (std::size_t k = 0; k < x.size(); ++k) elements()[k].x = x[k];
        fillCoordinate(array, "el_yc", &Point::y);
        fillCoordinate(array, "el_zc", &Point::z);
        Probe& probe = m_acquisition.probe;
        probe.pitchM = medianPitch(probe.elements);
        for (const char* edge : {"el_x1", "el_x2"}) {
            const std::vector<double> at = list(array, edge);
            for (std::size_t k = 0; k < std::min(at.size(), x.size()); ++k)
                probe.elementWidthM = std::max(probe.elementWidthM, 2.0 * std::abs(at[k] - x[k]));
        }
        const std::vector<double> fc = list(array, "centre_freq");
        if (fc.empty())
            m_info.warnings.emplace_back("exp_data.array gives no centre_freq; the centre "
                                         "frequency is unknown.");
        else
            probe.centreFrequencyHz = fc.front();
    }

    void fillCoordinate(const MatValue* array, std::string_view name, double Point::*part) {
        const std::vector<double> values = list(array, name);
        if (values.empty()) return;
        if (values.size() != elements().size())
            throw error(
                fmt::format("exp_data.array.{} has {} entries, but el_xc {}; correct the one "
                            "that is wrong",
                            name, values.size(), elements().size()));
        for (std::size_t k = 0; k < values.size(); ++k) elements()[k].*part = values[k];
    }

    void readSoundSpeed() {
        std::vector<double> speed = list(&m_exp, "ph_velocity");
        if (speed.empty()) speed = list(m_exp.field("material"), "vel_spherical_harmonic_coeffs");
        if (!speed.empty()) {
            m_acquisition.soundSpeedMps = speed.front();
            return;
        }
        m_info.warnings.push_back(fmt::format("exp_data gives neither ph_velocity nor material; "
                                              "{:g} m/s is assumed, set the speed of sound.",
                                              m_acquisition.soundSpeedMps));
    }

    std::vector<ElementMatrix::Pair> readPairs() {
        const std::vector<double> tx = demand(&m_exp, "tx", "transmitting element of each trace");
        const std::vector<double> rx = demand(&m_exp, "rx", "receiving element of each trace");
        if (tx.size() != rx.size())
            throw error(
                fmt::format("exp_data.tx has {} entries, but rx {}; correct the one that is "
                            "wrong",
                            tx.size(), rx.size()));
        std::vector<ElementMatrix::Pair> pairs(tx.size());
        for (std::size_t i = 0; i < tx.size(); ++i)
            pairs[i] = {element("tx", i, tx[i]), element("rx", i, rx[i])};
        m_traces = pairs.size();
        return pairs;
    }

    std::size_t element(const char* name, std::size_t trace, double number) {
        if (!(number >= 1.0) || number > static_cast<double>(elements().size()) ||
            number != std::floor(number))
            throw error(fmt::format("exp_data.{} of trace {} is {:g}, but the array has elements 1 "
                                    "to {}; correct it",
                                    name, trace + 1, number, elements().size()));
        return static_cast<std::size_t>(number) - 1;
    }

    std::vector<std::byte> fillBox(const ElementMatrix& matrix) {
        const MatValue* data = m_exp.field("time_data");
        if (data == nullptr || data->kind != MatValue::Kind::Numeric)
            throw error("exp_data lacks 'time_data' (the traces); add it and save again");
        const auto samples = static_cast<std::int64_t>(m_samples);
        const auto traces = static_cast<std::int64_t>(m_traces);
        const bool upright =
            data->dims.size() == 2 && data->dims[0] == samples && data->dims[1] == traces;
        const bool lying =
            data->dims.size() == 2 && data->dims[0] == traces && data->dims[1] == samples;
        if (!upright && !lying)
            throw error(fmt::format("exp_data.time_data is {}, but time has {} entries and tx {}; "
                                    "correct the one that is wrong",
                                    data->describe(), samples, traces));
        if (data->type.components != 1)
            throw error(
                "exp_data.time_data is complex, but echoes of pairs are real; save the real "
                "traces");
        const std::uint64_t bytes = matrix.lines() * m_samples * sizeof(float);
        checkLoadSize(m_info.path, "its traces", bytes);
        std::vector<std::byte> box(bytes);
        visitComponent(data->type, [&](auto zero) {
            copyTraces(reinterpret_cast<const decltype(zero)*>(data->bytes.data()), upright, matrix,
                       reinterpret_cast<float*>(box.data()));
        });
        return box;
    }

    template <class In>
    void copyTraces(const In* traces, bool upright, const ElementMatrix& matrix, float* box) const {
        const std::size_t between = upright ? 1 : m_traces; // samples of one trace
        for (std::size_t i = 0; i < m_traces; ++i) {
            const In* in = traces + (upright ? i * m_samples : i);
            float* out = box + matrix.lineOf(i) * m_samples;
            for (std::size_t n = 0; n < m_samples; ++n)
                out[n] = static_cast<float>(in[n * between]);
        }
    }

    /// Moves the origin to the array's centre.
    void recentre() {
        const auto [left, right] = std::ranges::minmax(elements(), {}, &Point::x);
        const double centre = 0.5 * (left.x + right.x);
        constexpr double kTolerance = 1e-6;
        if (std::abs(centre) > kTolerance) {
            for (Point& element : elements()) element.x -= centre;
            m_info.notes.emplace_back("Origin", fmt::format("moved by {:.4f} mm to the centre of "
                                                            "the array",
                                                            centre * 1e3));
        }
    }

    const MatValue& m_exp;
    RecordingInfo m_info;
    Acquisition m_acquisition;
    std::size_t m_samples = 0;
    double m_step = 0.0;
    double m_firstSample = 0.0;
    std::size_t m_traces = 0;
};

const MatValue* findExpData(const MatVariables& variables) {
    for (const auto& [name, value] : variables)
        if (equalsIgnoringCase(name, "exp_data") && value.kind == MatValue::Kind::Struct)
            return &value;
    return nullptr;
}
} // namespace

bool looksLikeBristol(const MatVariables& variables) { return findExpData(variables) != nullptr; }

std::unique_ptr<Recording> openBristol(const std::filesystem::path& path, MatVariables variables,
                                       const std::string& version) {
    // NOTE: the reader holds pointers into `variables`.
    return BristolReader(path, *findExpData(variables)).build(version);
}

} // namespace echolux
