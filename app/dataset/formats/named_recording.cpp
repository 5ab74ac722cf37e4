// SPDX-License-Identifier: GPL-3.0-or-later
// Signals that other arrays of the same file describe.
#include "app/dataset/formats/named_recording.hpp"

#include "app/dataset/container/npz.hpp"
#include "app/dataset/formats/named_images.hpp"
#include "app/dataset/formats/named_numbers.hpp"
#include "app/dataset/formats/named_transmits.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace echolux {

namespace {

class SignalReader {
public:
    explicit SignalReader(const NamedNumbers& numbers) : m_numbers(numbers) {}

    std::unique_ptr<Recording> build(const std::string& format) {
        const bool iq = has("iq");
        if (iq && has("rf"))
            throw error("it holds both 'rf' and 'iq'; keep the one that is to be shown");
        const std::string name = iq ? "iq" : "rf";
        std::unique_ptr<ArraySource> source = m_numbers.container().open(name);
        const ArrayMapping mapping{.axes = axesOf(name, source->layout(), iq)};
        const ArrayExtents extents = extentsOf(m_numbers.path(), source->layout(), mapping);
        if (!iq && extents.pairs)
            throw error("'rf' is complex; name it 'iq', or save its real part");
        RecordingInfo info;
        info.path = m_numbers.path();
        info.format = format;
        info.frameCount = extents.frames;
        info.frameRateHz = m_numbers.positiveOr("frame_rate", 0.0);
        info.frame = frameSpecOf(source->layout(), extents, m_numbers.positive("fs"));
        info.frame.centreFrequencyHz = centreFrequency(info);
        if (iq)
            info.frame.demodulationFrequencyHz =
                m_numbers.demodulationHz(name, info.frame.centreFrequencyHz, info.warnings);
        else if (m_numbers.knows("fd"))
            throw error("it holds 'fd', the demodulation frequency of iq, but its 'rf' is real; "
                        "drop one of the two");
        else if (const double other = m_numbers.demodulationHz();
                 other > 0.0 && other != info.frame.centreFrequencyHz)
            info.warnings.push_back(fmt::format("It gives a demodulation frequency, {:g} MHz, but "
                                                "its 'rf' is real; it is not used.",
                                                other * 1e-6));
        if (iq && info.frame.demodulationFrequencyHz <= 0.0)
            throw error("it holds 'iq', but neither 'fd' nor 'f0' says at which frequency it was "
                        "demodulated; add one in Hz");
        info.frame.acquisition = std::make_shared<const Acquisition>(acquisitionOf(extents, info));
        return makeArrayRecording(std::move(info), std::move(source), mapping);
    }

private:
    Error error(const std::string& what) const { return m_numbers.error(what); }
    bool has(const std::string& name) const { return m_numbers.has(name); }

    /// The last axes of (frame, transmit, element, sample), with I and Q after them.
    std::vector<ArrayAxis> axesOf(const std::string& name, const ArrayLayout& layout,
                                  bool iq) const {
        constexpr std::array kOrder{ArrayAxis::Frame, ArrayAxis::Transmit, ArrayAxis::Channel,
                                    ArrayAxis::Sample};
        const bool parts = iq && layout.type.components == 1;
        if (parts && (layout.shape.size() < 3 || layout.shape.back() != 2))
            throw error(fmt::format("'iq' is {}, but must be complex or have a last axis of 2, I "
                                    "and Q; correct it and save again",
                                    layout.describe()));
        const std::size_t rank = layout.shape.size() - (parts ? 1 : 0);
        if (rank < 2 || rank > kOrder.size())
            throw error(fmt::format("'{}' is {}, but its axes must be (frame,) transmit, element, "
                                    "sample; correct it and save again, or describe it in a "
                                    "sidecar ('echolux help sidecar')",
                                    name, layout.describe()));
        std::vector<ArrayAxis> axes(kOrder.end() - static_cast<std::ptrdiff_t>(rank), kOrder.end());
        if (parts) axes.push_back(ArrayAxis::Iq);
        return axes;
    }

    double centreFrequency(RecordingInfo& info) const {
        using namespace std::string_view_literals;
        constexpr std::array kNames{"f0"sv, "fc"sv};
        const double centre = m_numbers.oneOf(kNames, "centre frequency");
        if (centre != 0.0) return centre;
        info.warnings.emplace_back("The centre frequency is unknown; add 'f0' in Hz.");
        return m_numbers.demodulationHz();
    }

    Acquisition acquisitionOf(const ArrayExtents& extents, RecordingInfo& info) const {
        Acquisition acquisition;
        const auto channels = static_cast<std::size_t>(extents.channels);
        const auto transmits = static_cast<std::size_t>(extents.transmits);
        acquisition.probe.elements = elementsOf(channels);
        acquisition.probe.pitchM = medianPitch(acquisition.probe.elements);
        readLongAxes(acquisition.probe);
        acquisition.probe.centreFrequencyHz = info.frame.centreFrequencyHz;
        if (has("c"))
            acquisition.soundSpeedMps = m_numbers.positive("c");
        else
            info.warnings.emplace_back("It gives no speed of sound 'c'; 1540 m/s is assumed.");
        acquisition.transmits = NamedTransmits(m_numbers, transmits).read(acquisition.probe, info);
        for (const double element : tableOf("receive_elements", transmits, channels))
            acquisition.receiveElements.push_back(static_cast<std::int32_t>(element));
        for (const double weight : tableOf("receive_weights", transmits, channels))
            acquisition.receiveWeights.push_back(static_cast<float>(weight));
        return acquisition;
    }

    /// [transmit][channel]; empty where there is no such table.
    std::vector<double> tableOf(const char* name, std::size_t transmits,
                                std::size_t channels) const {
        if (!has(name)) return {};
        return m_numbers.table(name, transmits, channels,
                               fmt::format("{} transmits of {} channels", transmits, channels));
    }

    void readLongAxes(Probe& probe) const {
        if (!has("long_axes")) return;
        for (const double axis : m_numbers.each("long_axes", probe.elements.size(), "elements")) {
            if (axis != 0.0 && axis != 1.0 && axis != 2.0)
                throw error(
                    fmt::format("'long_axes' holds {:g}, but must be 0 for an element, 1 for "
                                "a line along x or 2 for a line along y; correct it",
                                axis));
            probe.longAxes.push_back(static_cast<LongAxis>(static_cast<int>(axis)));
        }
    }

    /// As many elements as channels, unless the file says which elements each transmit listened to.
    std::vector<Point> elementsOf(std::size_t channels) const {
        std::vector<Point> elements;
        if (has("elements"))
            elements = listed(channels);
        else if (has("x"))
            elements = coordinates(channels);
        else if (m_numbers.knows("pitch"))
            return linearArray(channels, m_numbers.positive("pitch"));
        else
            throw error(
                "it does not say where its elements are; add 'pitch' (m), 'x' or 'elements'");
        constexpr double kTolerance = 0.01;
        const double pitch = m_numbers.positiveOr("pitch", 0.0);
        if (pitch > 0.0 && elements.size() > 1 && !has("wave") &&
            std::abs(medianPitch(elements) - pitch) > kTolerance * pitch)
            throw error(fmt::format("'pitch' is {:g} m, but its elements lie {:g} m apart; correct "
                                    "the one that is wrong",
                                    pitch, medianPitch(elements)));
        return elements;
    }

    std::vector<Point> listed(std::size_t channels) const {
        const ArrayLayout layout = m_numbers.container().open("elements")->layout();
        std::size_t count = channels;
        if (has("receive_elements") && layout.shape.size() == 2)
            count = static_cast<std::size_t>(std::max(layout.shape[0], layout.shape[1]));
        const std::vector<double> values = m_numbers.table(
            "elements", count, 3, fmt::format("the data have {} elements: x, y, z of each", count));
        std::vector<Point> elements;
        for (std::size_t k = 0; k < count; ++k)
            elements.push_back({values[3 * k], values[3 * k + 1], values[3 * k + 2]});
        return elements;
    }

    std::vector<Point> coordinates(std::size_t count) const {
        std::vector<Point> elements(count);
        for (const auto& [name, part] :
             {std::pair{"x", &Point::x}, std::pair{"y", &Point::y}, std::pair{"z", &Point::z}}) {
            if (!has(name)) continue;
            const std::vector<double> values = m_numbers.list(name);
            if (values.size() != count)
                throw error(fmt::format("'{}' has {} entries, but the data have {} elements; "
                                        "correct the one that is wrong",
                                        name, values.size(), count));
            for (std::size_t k = 0; k < count; ++k) elements[k].*part = values[k];
        }
        return elements;
    }

    const NamedNumbers& m_numbers;
};

bool holdsNamedSignals(const ArrayContainer& container) {
    return container.has("fs") && (container.has("rf") || container.has("iq"));
}

std::unique_ptr<Recording> openNamed(const NamedNumbers& numbers, const std::string& format) {
    if (holdsNamedSignals(numbers.container())) return SignalReader(numbers).build(format);
    return openNamedImages(numbers, format);
}

} // namespace

bool isNamedArchive(const std::shared_ptr<Archive>& archive) {
    try {
        const auto arrays = openNpz(archive);
        return holdsNamedSignals(*arrays) || holdsNamedImages(*arrays);
    } catch (const Error&) {
        return false; // another archive, or a damaged one, which its reader reports
    }
}

bool looksLikeNamedArrays(const Hdf5File& tree) {
    return holdsNamedSignals(tree) || holdsNamedImages(tree);
}

std::unique_ptr<Recording> openNamedArchive(const std::shared_ptr<Archive>& archive) {
    return openNamed({archive->path(), openNpz(archive), false}, "NumPy .npz");
}

std::unique_ptr<Recording> openNamedArrays(const std::shared_ptr<Hdf5File>& tree) {
    return openNamed({tree->path(), tree, true}, "MATLAB 7.3 arrays");
}

} // namespace echolux
