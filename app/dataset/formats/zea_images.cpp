// SPDX-License-Identifier: GPL-3.0-or-later
// Images of zea with the places of their pixels.
#include "app/dataset/formats/zea_images.hpp"

#include "app/dataset/container/shaped_array.hpp"
#include "app/dataset/formats/zea_grid.hpp"
#include "app/dataset/formats/zea_pose.hpp"
#include "app/dataset/formats/zea_scan.hpp"
#include "app/dataset/frames/array_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

namespace {

class ZeaImageReader {
public:
    ZeaImageReader(const std::shared_ptr<Hdf5File>& tree, const ZeaTrack& track, RecordingInfo info)
        : m_tree(tree), m_track(track), m_map(tree, track.map), m_info(std::move(info)) {}

    std::unique_ptr<Recording> build() {
        auto source = openArray();
        const ArrayMapping mapping{.axes = axesOf(source)};
        const ArrayLayout& layout = source->layout();
        const ArrayExtents extents = extentsOf(m_info.path, layout, mapping);
        m_info.frameCount = extents.frames;
        m_info.frame = imageSpecOf(layout, extents, formOf(*source));
        showAs(layout);
        const ZeaPixels grid{.depths = static_cast<std::size_t>(extents.channels),
                             .laterals = static_cast<std::size_t>(extents.samples),
                             .planes = static_cast<std::size_t>(extents.transmits)};
        if (!place(grid))
            m_info.warnings.push_back(
                m_placed ? fmt::format("The places of the pixels of '{}' make neither a "
                                       "rectangle of even steps nor a sector; the image is shown "
                                       "without a scale.",
                                       m_track.array)
                         : fmt::format("Nothing says where the pixels of '{}' lie; the image is "
                                       "shown without a scale.",
                                       m_track.array));
        readFrequencies();
        readTimes();
        takeZeaPose(m_tree, m_info);
        return makeArrayRecording(std::move(m_info), std::move(source), mapping);
    }

private:
    Error error(const std::string& what) const { return fileError(m_info.path, what); }

    /// The array, or the part of it that belongs to one label.
    std::unique_ptr<ArraySource> openArray() const {
        auto source = m_tree->open(m_track.array);
        if (!m_track.place) return source;
        const std::vector<std::int64_t>& shape = source->layout().shape;
        if (shape.empty() || static_cast<std::int64_t>(*m_track.place) >= shape.back())
            throw error(fmt::format("'{}' is {}, but its last axis is to have an entry for each of "
                                    "its labels; correct the one that is wrong",
                                    m_track.array, source->layout().describe()));
        return atLast(std::move(source), *m_track.place);
    }

    /// Frames, depths, laterals, then planes of a volume, then RF or I and Q. Axes with one entry
    /// are removed from `source`.
    std::vector<ArrayAxis> axesOf(std::unique_ptr<ArraySource>& source) const {
        const std::vector<std::int64_t> shape = source->layout().shape;
        const bool beamformed = m_track.kind == ZeaKind::Beamformed;
        const bool isComplex = source->layout().type.components == 2;
        const bool parts = beamformed && !isComplex && shape.size() > 3 &&
                           (shape.back() == 1 || shape.back() == 2);
        const std::size_t places = shape.size() - (parts ? 1 : 0);
        if (places < 3 || places > 4 || (isComplex && !beamformed))
            throw error(fmt::format("'{}' is {}, but images of zea are frames x depths x laterals, "
                                    "with a further axis for volumes; correct it",
                                    m_track.array, source->layout().describe()));
        std::vector<ArrayAxis> axes{ArrayAxis::Frame, ArrayAxis::Depth, ArrayAxis::Lateral};
        std::vector<std::size_t> single;
        if (places == 4) {
            if (shape[3] == 1)
                single.push_back(3);
            else
                axes.push_back(ArrayAxis::Elevation);
        }
        if (parts) {
            if (shape.back() == 1)
                single.push_back(shape.size() - 1);
            else
                axes.push_back(ArrayAxis::Iq);
        }
        source = withoutAxes(m_info.path, std::move(source), single);
        return axes;
    }

    /// NOTE: images of numbers other than grey values are in dB, at most 0. Older files also hold
    /// other brightnesses.
    RecordedForm formOf(ArraySource& source) {
        if (m_track.kind == ZeaKind::Beamformed) return RecordedForm::Beamformed;
        if (m_track.kind == ZeaKind::Envelope) return RecordedForm::Envelope;
        for (const double value : firstOf(source, m_track.array))
            if (std::isfinite(value)) {
                m_low = std::min(m_low, value);
                m_high = std::max(m_high, value);
            }
        const bool levels = m_track.kind == ZeaKind::Image && !holdsCodes(source.layout());
        return levels && m_high <= 0.0 ? RecordedForm::Decibels : RecordedForm::Picture;
    }
    static bool holdsCodes(const ArrayLayout& layout) {
        return layout.type.kind != ElementType::Kind::Real;
    }

    /// The numbers at the first index of the first axis.
    std::vector<double> firstOf(ArraySource& source, const std::string& where) const {
        ArrayLayout layout = source.layout();
        layout.shape.erase(layout.shape.begin());
        constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 28;
        if (static_cast<std::uint64_t>(layout.count()) > kMostNumbers)
            throw error(fmt::format("'{}' is {}, which is no image; correct it", where,
                                    source.layout().describe()));
        std::vector<std::byte> bytes(layout.bytes());
        source.readSlice(0, 0, bytes);
        MemoryArray first(std::move(bytes), layout);
        return readNumbers(m_info.path, first, where);
    }

    void showAs(const ArrayLayout& layout) {
        FrameSpec& frame = m_info.frame;
        if (frame.recordedForm == RecordedForm::Decibels)
            frame.valueRange = ValueRange{-60.0, 0.0, "dB", "0 dB of the file"};
        if (frame.recordedForm != RecordedForm::Picture) return;
        frame.valueRange = shownRange(layout);
        if (m_track.place) frame.valueKind = ValueKind::Label;
    }

    /// The range that the file states, where it is one of its values. NOTE: min and max of codes
    /// may be those of the levels that the codes were made from.
    ValueRange shownRange(const ArrayLayout& layout) {
        const bool codes = holdsCodes(layout);
        const std::string unit = m_track.kind == ZeaKind::Map ? m_track.unit : "";
        ValueRange own{0.0, 255.0, unit, ""};
        if (m_track.place)
            own.max = 1.0;
        else if (m_low < m_high && (!codes || m_low < own.min || m_high > own.max))
            own = {m_low, m_high, unit, ""};
        const auto low = m_map.number("min");
        const auto high = m_map.number("max");
        if (!low || !high || !(*low < *high)) return own;
        const bool holds =
            codes ? *low <= m_low && m_high <= *high : *low < m_high && m_low < *high;
        if (holds) return {*low, *high, unit, ""};
        m_info.warnings.push_back(
            fmt::format("'{}' says that its values go from {:g} to {:g}{}, but they go from {:g} "
                        "to {:g}; they are shown from {:g} to {:g}.",
                        m_track.map, *low, *high, m_track.unit.empty() ? "" : " " + m_track.unit,
                        m_low, m_high, own.min, own.max));
        return own;
    }

    /// False where the file does not say where its pixels lie, or where their places are not
    /// simple.
    bool place(const ZeaPixels& grid) {
        if (m_track.map.empty()) return false;
        const std::string where = m_map.nameOf("coordinates");
        if (!m_map.has("coordinates")) return placeByExtent(grid);
        m_placed = true;
        const auto source = m_tree->open(where);
        const std::vector<std::int64_t>& shape = source->layout().shape;
        std::int64_t count = 1;
        for (const std::int64_t extent : shape) count *= std::max<std::int64_t>(extent, 1);
        const auto wanted = static_cast<std::int64_t>(3 * grid.count());
        if (shape.empty() || shape.back() != 3 || count < wanted || count % wanted != 0)
            throw error(fmt::format("'{}' is {}, which does not fit '{}'; correct the one that is "
                                    "wrong",
                                    where, source->layout().describe(), m_track.array));
        const bool perFrame = count != wanted || shape.front() == 1;
        if (!perFrame)
            checkLoadSize(m_info.path, "places of pixels", 8 * static_cast<std::uint64_t>(count));
        const std::vector<double> places =
            perFrame ? firstOf(*source, where) : readNumbers(m_info.path, *source, where);
        return placePixels(grid, places, m_info.frame);
    }

    /// Reads `extent` of older files: first and last x, first and last z, in metres. Returns false
    /// where it gives no rectangle.
    bool placeByExtent(const ZeaPixels& grid) {
        const ZeaFields::Table extent = m_map.table("extent");
        if (extent.values.size() != 4 || grid.planes > 1) return false;
        m_placed = true;
        const auto& e = extent.values;
        if (!(e[0] < e[1]) || !(std::min(e[2], e[3]) < std::max(e[2], e[3]))) return false;
        const double top = std::min(e[2], e[3]);
        const double bottom = std::max(e[2], e[3]);
        for (Axis& axis : m_info.frame.axes) {
            const bool depth = axis.name == AxisName::Depth;
            const double first = depth ? top : e[0];
            const double last = depth ? bottom : e[1];
            axis.origin = first;
            axis.spacing =
                (last - first) / static_cast<double>(std::max<std::int64_t>(axis.size - 1, 1));
            axis.unit = std::string("m");
        }
        return true;
    }

    void readFrequencies() {
        if (!m_tree->isGroup(m_track.scan)) return;
        const ZeaFrequencies frequencies = zeaFrequencies(ZeaFields(m_tree, m_track.scan), m_info);
        m_info.frame.centreFrequencyHz = frequencies.centreHz;
        if (isComplex(m_info.frame.dtype))
            m_info.frame.demodulationFrequencyHz = frequencies.demodulationHz;
    }

    void readTimes() {
        const ZeaFields::Table times =
            m_track.map.empty() ? ZeaFields::Table{} : m_map.table("timestamps");
        if (times.values.size() < 2) return;
        const double length = times.values.back() - times.values.front();
        if (std::isfinite(length) && length > 0.0)
            m_info.frameRateHz = static_cast<double>(times.values.size() - 1) / length;
    }

    const std::shared_ptr<Hdf5File>& m_tree;
    const ZeaTrack& m_track;
    ZeaFields m_map;
    RecordingInfo m_info;
    bool m_placed = false;   ///< the file says something of the places of its pixels
    double m_low = HUGE_VAL; ///< lowest value of the first frame of an image or a map
    double m_high = -HUGE_VAL;
};

} // namespace

std::unique_ptr<Recording> openZeaImages(const std::shared_ptr<Hdf5File>& tree,
                                         const ZeaTrack& track, RecordingInfo info) {
    return ZeaImageReader(tree, track, std::move(info)).build();
}

} // namespace echolux
