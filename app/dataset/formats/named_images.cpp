// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/named_images.hpp"

#include "app/dataset/frames/array_recording.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace echolux {

namespace {

class ImageReader {
public:
    explicit ImageReader(const NamedNumbers& numbers) : m_numbers(numbers) {}

    std::unique_ptr<Recording> build(const std::string& format) {
        std::unique_ptr<ArraySource> source = m_numbers.container().open("data");
        ArrayMapping mapping{.axes = axesOf(source->layout())};
        const ArrayExtents extents = extentsOf(m_numbers.path(), source->layout(), mapping);
        RecordingInfo info;
        info.path = m_numbers.path();
        info.format = format;
        info.frameCount = extents.frames;
        info.frameRateHz = m_numbers.positiveOr("frame_rate", 0.0);
        info.frame = imageSpecOf(source->layout(), extents, form());
        info.frame.centreFrequencyHz = m_numbers.positiveOr("fc", 0.0);
        if (extents.pairs)
            info.frame.demodulationFrequencyHz =
                m_numbers.demodulationHz("data", info.frame.centreFrequencyHz, info.warnings);
        const bool beamSpace = m_numbers.has("line_angles");
        for (Axis& axis : info.frame.axes)
            if (!beamSpace || axis.name != AxisName::Lateral) place(axis);
        if (beamSpace) {
            info.frame.sector = sector();
            placeLines(info.frame);
        }
        if (m_numbers.has("range_min") && m_numbers.has("range_max"))
            info.frame.valueRange =
                ValueRange{m_numbers.one("range_min"), m_numbers.one("range_max"),
                           form() == RecordedForm::Decibels ? "dB" : "", ""};
        return makeArrayRecording(std::move(info), std::move(source), std::move(mapping));
    }

private:
    RecordedForm form() const {
        constexpr auto kLast = static_cast<double>(RecordedForm::Picture);
        const double number = m_numbers.one("form");
        if (number < 1.0 || number > kLast || number != std::floor(number))
            throw m_numbers.error(fmt::format("'form' is {:g}, but must be 1 beamformed, 2 "
                                              "envelope, 3 decibels or 4 picture",
                                              number));
        return static_cast<RecordedForm>(static_cast<int>(number));
    }

    /// The frame axis is the outermost where the array has one axis more than the images.
    std::vector<ArrayAxis> axesOf(const ArrayLayout& layout) const {
        std::vector<ArrayAxis> axes;
        if (!m_numbers.isReversed() && m_numbers.has("axis_order")) {
            for (const double number : m_numbers.list("axis_order")) axes.push_back(axisOf(number));
        } else {
            if (m_numbers.has("elevation")) axes.push_back(ArrayAxis::Elevation);
            axes.push_back(m_numbers.isReversed() ? ArrayAxis::Lateral : ArrayAxis::Depth);
            axes.push_back(m_numbers.isReversed() ? ArrayAxis::Depth : ArrayAxis::Lateral);
        }
        if (layout.shape.size() == axes.size() + 1) axes.insert(axes.begin(), ArrayAxis::Frame);
        return axes;
    }

    ArrayAxis axisOf(double number) const {
        if (number == static_cast<double>(AxisName::Elevation)) return ArrayAxis::Elevation;
        if (number == static_cast<double>(AxisName::Depth)) return ArrayAxis::Depth;
        if (number == static_cast<double>(AxisName::Lateral)) return ArrayAxis::Lateral;
        throw m_numbers.error(fmt::format("'axis_order' holds {:g}, but must count 4 elevation, 5 "
                                          "depth and 6 lateral",
                                          number));
    }

    void place(Axis& axis) const {
        const std::string name(nameOf(axis.name));
        const std::vector<double> places = m_numbers.list(name);
        if (std::ssize(places) != axis.size)
            throw m_numbers.error(fmt::format("'{}' has {} entries, but 'data' {}; correct the one "
                                              "that is wrong",
                                              name, places.size(), axis.size));
        axis.origin = places.front();
        axis.unit = std::string("m");
        if (axis.size == 1) return;
        axis.spacing = (places.back() - places.front()) / static_cast<double>(axis.size - 1);
        constexpr double kJitter = 0.01;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const double even = axis.origin + static_cast<double>(i) * axis.spacing;
            if (!(std::abs(places[i] - even) <= kJitter * std::abs(axis.spacing)))
                throw m_numbers.error(fmt::format("'{}' is not evenly spaced at entry {}; resample "
                                                  "the image",
                                                  name, i + 1));
        }
    }

    std::shared_ptr<const Sector> sector() const {
        Sector sector;
        sector.anglesRad = m_numbers.list("line_angles");
        if (m_numbers.has("line_x")) {
            const std::vector<double> x = m_numbers.list("line_x");
            const std::vector<double> z = m_numbers.list("line_z");
            if (x.size() != z.size())
                throw m_numbers.error(fmt::format("'line_x' has {} entries, but 'line_z' {}; "
                                                  "correct the one that is wrong",
                                                  x.size(), z.size()));
            for (std::size_t i = 0; i < x.size(); ++i) sector.starts.push_back({x[i], 0.0, z[i]});
        }
        sector.apexXM = m_numbers.has("apex_x") ? m_numbers.one("apex_x") : 0.0;
        sector.apexZM = m_numbers.has("apex_z") ? m_numbers.one("apex_z") : 0.0;
        sector.radiusM = m_numbers.has("apex_radius") ? m_numbers.one("apex_radius") : 0.0;
        return std::make_shared<const Sector>(std::move(sector));
    }

    const NamedNumbers& m_numbers;
};

} // namespace

bool holdsNamedImages(const ArrayContainer& container) {
    return container.has("data") && container.has("form") && container.has("depth") &&
           container.has("lateral");
}

std::unique_ptr<Recording> openNamedImages(const NamedNumbers& numbers, const std::string& format) {
    return ImageReader(numbers).build(format);
}

} // namespace echolux
