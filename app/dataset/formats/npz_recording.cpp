// SPDX-License-Identifier: GPL-3.0-or-later
// Plane waves in a NumPy archive, described by arrays beside the samples.
#include "app/dataset/formats/npz_recording.hpp"

#include "app/dataset/container/detect.hpp"
#include "app/dataset/container/npz.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace echolux {

namespace {

class NpzReader {
public:
    explicit NpzReader(const std::shared_ptr<const InputFile>& file)
        : m_path(file->path()), m_archive(openNpz(m_path)) {}

    std::unique_ptr<Recording> build() {
        const bool iq = has("iq");
        if (iq && has("rf"))
            throw error("it holds both 'rf' and 'iq'; keep the one that is to be shown");
        const std::string name = iq ? "iq" : "rf";
        std::unique_ptr<ArraySource> source = m_archive->open(name);
        const ArrayMapping mapping{.axes = axesOf(name, source->layout(), iq)};
        const ArrayExtents extents = extentsOf(m_path, source->layout(), mapping);
        if (!iq && extents.pairs)
            throw error("'rf' is complex; name it 'iq', or save its real part");
        RecordingInfo info;
        info.path = m_path;
        info.format = "NumPy .npz";
        info.frameCount = extents.frames;
        info.frameRateHz = has("frame_rate") ? positive("frame_rate") : 0.0;
        info.frame = frameSpecOf(source->layout(), extents, positive("fs"));
        info.frame.centreFrequencyHz = centreFrequency(info);
        if (iq)
            info.frame.demodulationFrequencyHz =
                has("fd") ? positive("fd") : info.frame.centreFrequencyHz;
        else if (has("fd"))
            throw error("it holds 'fd', the demodulation frequency of iq, but its 'rf' is real; "
                        "drop one of the two");
        if (iq && info.frame.demodulationFrequencyHz <= 0.0)
            throw error("it holds 'iq', but neither 'fd' nor 'f0' says at which frequency it was "
                        "demodulated; add one in Hz");
        info.frame.acquisition = std::make_shared<const Acquisition>(acquisitionOf(extents, info));
        return makeArrayRecording(std::move(info), std::move(source), mapping);
    }

private:
    Error error(const std::string& what) const { return fileError(m_path, what); }
    bool has(const std::string& name) const { return m_archive->has(name); }

    std::vector<double> list(const std::string& name) const {
        const auto array = m_archive->open(name);
        if (array->layout().type.components != 1)
            throw error(fmt::format("'{}' is complex, but must be real", name));
        return readNumbers(m_path, *array, name);
    }

    double one(const std::string& name) const {
        const std::vector<double> values = list(name);
        if (values.size() != 1 || !std::isfinite(values.front()))
            throw error(fmt::format("'{}' must be one finite number, but holds {}; correct it and "
                                    "save again",
                                    name, values.size()));
        return values.front();
    }

    double positive(const std::string& name) const {
        const double value = one(name);
        if (value <= 0.0)
            throw error(fmt::format("'{}' is {:g}, but must be above 0; correct it and save again",
                                    name, value));
        return value;
    }

    /// The last axes of (frame, transmit, element, sample), and I and Q behind them.
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
        if (has("f0") && has("fc") && positive("f0") != positive("fc"))
            throw error(fmt::format("'f0' is {:g} Hz, but 'fc' {:g} Hz, which both are the centre "
                                    "frequency; keep the one that is right",
                                    positive("f0"), positive("fc")));
        if (has("f0")) return positive("f0");
        if (has("fc")) return positive("fc");
        info.warnings.emplace_back("The centre frequency is unknown; add 'f0' in Hz.");
        return has("fd") ? positive("fd") : 0.0;
    }

    Acquisition acquisitionOf(const ArrayExtents& extents, RecordingInfo& info) const {
        Acquisition acquisition;
        acquisition.probe.elements = elementsOf(static_cast<std::size_t>(extents.channels));
        acquisition.probe.pitchM = medianPitch(acquisition.probe.elements);
        acquisition.probe.centreFrequencyHz = info.frame.centreFrequencyHz;
        if (has("c"))
            acquisition.soundSpeedMps = positive("c");
        else
            info.warnings.emplace_back("It gives no speed of sound 'c'; 1540 m/s is assumed.");
        const auto count = static_cast<std::size_t>(extents.transmits);
        const std::vector<double> angles = anglesOf(count);
        std::vector<double> t0 = has("t0") ? list("t0") : std::vector{0.0};
        if (!has("t0"))
            info.warnings.emplace_back("It gives no time 't0' of the first sample; 0 s is "
                                       "assumed.");
        if (t0.size() == 1) t0.assign(count, t0.front());
        if (t0.size() != count)
            throw error(fmt::format("'t0' has {} entries, but there are {} transmits; give one or "
                                    "one for each",
                                    t0.size(), count));
        for (std::size_t i = 0; i < count; ++i) {
            Transmit transmit;
            transmit.angleRad = angles[i];
            transmit.firstSampleS = t0[i];
            acquisition.transmits.push_back(transmit);
        }
        return acquisition;
    }

    std::vector<double> anglesOf(std::size_t count) const {
        if (!has("angles")) {
            if (count > 1)
                throw error(fmt::format("it holds {} transmits, but no 'angles' (rad) that say how "
                                        "each plane wave was steered; add them, or describe other "
                                        "waves in a sidecar ('echolux help sidecar')",
                                        count));
            return {0.0};
        }
        std::vector<double> angles = list("angles");
        if (angles.size() != count)
            throw error(fmt::format("'angles' has {} entries, but there are {} transmits; correct "
                                    "the one that is wrong",
                                    angles.size(), count));
        for (const double angle : angles)
            if (!(std::abs(angle) < 0.5 * std::numbers::pi))
                throw error(fmt::format("'angles' holds {:g}, but must be in rad and below a "
                                        "quarter turn; correct it and save again",
                                        angle));
        return angles;
    }

    std::vector<Point> elementsOf(std::size_t count) const {
        std::vector<Point> elements;
        if (has("elements"))
            elements = listed(count);
        else if (has("x"))
            elements = coordinates(count);
        else if (has("pitch"))
            return linearArray(count, positive("pitch"));
        else
            throw error("it says nothing of where its elements are; add 'pitch' (m), 'x' or "
                        "'elements'");
        constexpr double kTolerance = 0.01;
        if (has("pitch") && count > 1 &&
            std::abs(medianPitch(elements) - positive("pitch")) > kTolerance * positive("pitch"))
            throw error(fmt::format("'pitch' is {:g} m, but its elements lie {:g} m apart; correct "
                                    "the one that is wrong",
                                    positive("pitch"), medianPitch(elements)));
        return elements;
    }

    std::vector<Point> listed(std::size_t count) const {
        const auto shape = m_archive->open("elements")->layout().shape;
        const auto wanted = static_cast<std::int64_t>(count);
        const bool rows = shape == std::vector<std::int64_t>{wanted, 3};
        if (!rows && shape != std::vector<std::int64_t>{3, wanted})
            throw error(fmt::format("'elements' is {}, but the data have {} elements: x, y, z of "
                                    "each are needed; correct the one that is wrong",
                                    m_archive->open("elements")->layout().describe(), count));
        const std::vector<double> values = list("elements");
        const std::size_t step = rows ? 3 : 1;
        const std::size_t part = rows ? 1 : count;
        std::vector<Point> elements;
        for (std::size_t k = 0; k < count; ++k)
            elements.push_back(
                {values[k * step], values[k * step + part], values[k * step + 2 * part]});
        return elements;
    }

    std::vector<Point> coordinates(std::size_t count) const {
        std::vector<Point> elements(count);
        for (const auto& [name, part] :
             {std::pair{"x", &Point::x}, std::pair{"y", &Point::y}, std::pair{"z", &Point::z}}) {
            if (!has(name)) continue;
            const std::vector<double> values = list(name);
            if (values.size() != count)
                throw error(fmt::format("'{}' has {} entries, but the data have {} elements; "
                                        "correct the one that is wrong",
                                        name, values.size(), count));
            for (std::size_t k = 0; k < count; ++k) elements[k].*part = values[k];
        }
        return elements;
    }

    std::filesystem::path m_path;
    std::unique_ptr<ArrayContainer> m_archive;
};

} // namespace

bool isNpzRecording(const InputFile& file) {
    if (detectKind(file) != FileKind::Zip) return false;
    try {
        const auto archive = openNpz(file.path());
        return archive->has("fs") && (archive->has("rf") || archive->has("iq"));
    } catch (const Error&) {
        return false; // another archive, or a damaged one: whoever opens it says so
    }
}

std::unique_ptr<Recording> openNpzRecording(const std::shared_ptr<const InputFile>& file) {
    return NpzReader(file).build();
}

} // namespace echolux
