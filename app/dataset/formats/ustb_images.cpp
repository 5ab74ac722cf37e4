// SPDX-License-Identifier: GPL-3.0-or-later
// uff.beamformed_data: MATLAB's [pixel][channel][wave][frame]. HDF5 holds it reversed and without
// the first axes where these have one entry. pyuff_ustb writes it in MATLAB's order.
#include "app/dataset/container/shaped_array.hpp"
#include "app/dataset/formats/ustb_grid.hpp"
#include "app/dataset/formats/ustb_objects.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace echolux {

namespace {

/// Where the pixels are among the axes of `data`.
struct PixelAxis {
    bool last = true;              ///< the last axis counts pixels; else the first
    std::int64_t images = 1;       ///< entries of all other axes together
    std::optional<std::size_t> of; ///< the one axis that counts images; nothing where several do
};

class UstbImages {
public:
    UstbImages(const Hdf5Values& object, RecordingInfo info)
        : m_object(object), m_info(std::move(info)) {}

    std::unique_ptr<Recording> build() {
        m_grid = readUstbGrid(scanOf());
        for (std::string& warning : m_grid.warnings) m_info.warnings.push_back(std::move(warning));
        UstbData data = openUstbData(m_object);
        const PixelAxis pixels = findPixels(data);
        auto [source, mapping] = arrange(std::move(data), pixels);
        const ArrayLayout layout = source->layout();
        const ArrayExtents extents = extentsOf(m_info.path, layout, mapping);
        m_info.frame = imageSpecOf(layout, extents, formOf(*source, extents));
        m_info.frameCount = extents.frames;
        for (Axis& axis : m_info.frame.axes)
            axis = axis.name == AxisName::Depth     ? m_grid.depth
                   : axis.name == AxisName::Lateral ? m_grid.lateral
                                                    : m_grid.elevation;
        m_info.frame.sector = m_grid.sector;
        readFrequencies(extents.pairs);
        return makeArrayRecording(std::move(m_info), std::move(source), std::move(mapping));
    }

private:
    Hdf5Values scanOf() const {
        if (!m_object.isGroup("scan"))
            throw m_object.error(fmt::format("'{}' lacks 'scan', so nobody knows where the pixels "
                                             "are; write the beamformed data with it",
                                             m_object.where()));
        const auto scans = ustbMembers(*m_object.tree(), m_object.at("scan"));
        if (scans.size() > 1)
            throw m_object.error(fmt::format("'{}' has {} scans, one for each line or plane; "
                                             "beamform on one linear_scan or sector_scan",
                                             m_object.where(), scans.size()));
        return Hdf5Values(m_object.tree(), scans.front());
    }

    PixelAxis findPixels(const UstbData& data) {
        std::vector<std::int64_t> shape = data.source->layout().shape;
        const std::size_t parts = data.parted ? 1 : 0;
        shape.erase(shape.begin(), shape.begin() + static_cast<long>(parts));
        const std::int64_t wanted = m_grid.depths * m_grid.lines * m_grid.planes;
        PixelAxis pixels;
        if (shape.empty() || (shape.front() != wanted && shape.back() != wanted))
            throw m_object.error(fmt::format("'{}' is {}, but its scan has {} pixels; correct the "
                                             "one that is wrong",
                                             m_object.at("data"), data.source->layout().describe(),
                                             pixelsText()));
        pixels.last = shape.back() == wanted;
        const std::size_t pixelAxis = pixels.last ? shape.size() - 1 : 0;
        std::size_t counting = 0;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            if (axis == pixelAxis || shape[axis] == 1) continue;
            pixels.images *= shape[axis];
            pixels.of = axis + parts;
            ++counting;
        }
        if (counting > 1) pixels.of.reset();
        warnOfParts(shape, pixels.last);
        return pixels;
    }

    std::string pixelsText() const {
        return m_grid.planes > 1
                   ? fmt::format("{} x {} x {}", m_grid.planes, m_grid.lines, m_grid.depths)
                   : fmt::format("{} x {}", m_grid.lines, m_grid.depths);
    }

    /// Warns of images of single waves or channels that were not summed.
    void warnOfParts(std::vector<std::int64_t> shape, bool pixelsLast) {
        if (pixelsLast) std::ranges::reverse(shape);
        shape.resize(std::max<std::size_t>(shape.size(), 4), 1);
        if (shape[1] * shape[2] > 1)
            m_info.warnings.push_back(fmt::format("The images of {} channels and {} waves were not "
                                                  "summed; each is a frame of its own.",
                                                  shape[1], shape[2]));
    }

    std::pair<std::unique_ptr<ArraySource>, ArrayMapping> arrange(UstbData data,
                                                                  const PixelAxis& pixels) const {
        std::vector<std::int64_t> shape;
        std::vector<ArrayAxis> axes;
        for (const AxisName name : m_grid.order) {
            shape.push_back(name == AxisName::Depth     ? m_grid.depths
                            : name == AxisName::Lateral ? m_grid.lines
                                                        : m_grid.planes);
            axes.push_back(name == AxisName::Depth     ? ArrayAxis::Depth
                           : name == AxisName::Lateral ? ArrayAxis::Lateral
                                                       : ArrayAxis::Elevation);
        }
        const auto at = [&](auto& list) { return pixels.last ? list.begin() : list.end(); };
        shape.insert(at(shape), pixels.images);
        axes.insert(at(axes), ArrayAxis::Frame);
        if (data.parted) {
            shape.insert(shape.begin(), 2);
            axes.insert(axes.begin(), ArrayAxis::Iq);
        }
        std::optional<KeptAxis> kept;
        if (pixels.of)
            kept = KeptAxis{
                *pixels.of,
                static_cast<std::size_t>(std::ranges::find(axes, ArrayAxis::Frame) - axes.begin())};
        ArrayMapping mapping{.axes = std::move(axes), .conjugate = false, .pairOffset = 0.0};
        return {reshaped(std::move(data.source), std::move(shape), kept), std::move(mapping)};
    }

    /// Real images without a negative pixel are amplitudes, others are echoes.
    RecordedForm formOf(ArraySource& source, const ArrayExtents& extents) {
        const ArrayLayout& layout = source.layout();
        const auto frames = static_cast<std::uint64_t>(extents.frames);
        const bool whole = layout.bytes() <= kMostLooked;
        const bool first = source.canSlice(0) && layout.shape.front() == extents.frames &&
                           layout.bytes() / frames <= kMostLooked;
        if (extents.pairs || (!whole && !first)) return RecordedForm::Beamformed;
        std::vector<std::byte> bytes(whole ? layout.bytes() : layout.bytes() / frames);
        if (whole)
            source.read(bytes);
        else
            source.readSlice(0, 0, bytes);
        const std::vector<double> values = toDoubles(layout.type, bytes);
        if (std::ranges::any_of(values, [](double v) { return v < 0.0; }))
            return RecordedForm::Beamformed;
        m_info.notes.emplace_back("Pixels", "none is negative, so they are taken as amplitudes");
        return RecordedForm::Envelope;
    }

    void readFrequencies(bool pairs) {
        FrameSpec& frame = m_info.frame;
        const auto centre = m_object.numbers("pulse/center_frequency");
        const double mixed = m_object.number("modulation_frequency").value_or(0.0);
        if (centre && std::isfinite(centre->front()))
            frame.centreFrequencyHz = std::max(centre->front(), 0.0);
        if (pairs && std::isfinite(mixed)) frame.demodulationFrequencyHz = std::max(mixed, 0.0);
        if (frame.centreFrequencyHz <= 0.0) frame.centreFrequencyHz = frame.demodulationFrequencyHz;
    }

    const Hdf5Values& m_object;
    RecordingInfo m_info;
    UstbGrid m_grid;
};

} // namespace

std::unique_ptr<Recording> openUstbImages(const Hdf5Values& object, RecordingInfo info) {
    return UstbImages(object, std::move(info)).build();
}

} // namespace echolux
