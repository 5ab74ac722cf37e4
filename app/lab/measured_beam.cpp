// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/measured_beam.hpp"

#include "app/lab/beam_field.hpp"
#include "app/lab/beam_section.hpp"
#include "app/lab/point_echoes.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/memory/buffer.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

namespace echolux::lab {
namespace {

constexpr double kThinM = 1e-6;   ///< extent of a grid of one row
constexpr double kCoarseM = 0.01; ///< its pixel, the largest that there is
constexpr double kThinRad = 1e-6;

/// The parameters with a grid of the pixel alone, or of its row where the lines are the transmits'
/// own, and with these transmits.
BeamformParams atPixel(const BeamGeometry& geometry, BeamformParams params, const das::Place& place,
                       const std::vector<std::int64_t>& transmits) {
    const auto count = geometry.acquisition().transmits.size();
    params.transmits = {"", std::vector<double>(count, 0.0)};
    for (const std::int64_t transmit : transmits)
        params.transmits.entries[static_cast<std::size_t>(transmit)] = 1.0;
    if (params.grid == PixelGrid::Data) params.grid = PixelGrid::Image;
    const bool beams = params.grid == PixelGrid::Beams;
    params.depthMinM = beams ? place.range : place.z;
    params.depthMaxM = params.depthMinM + kThinM;
    params.pixelDepthM = kCoarseM;
    params.lateralMinM = place.x;
    params.lateralMaxM = params.lateralMinM + kThinM;
    params.pixelLateralM = kCoarseM;
    params.elevationMinM = 0.0;
    params.elevationMaxM = kThinM;
    params.pixelElevationM = kCoarseM;
    if (beams && params.transmitAperture != TransmitAperture::OwnLines) {
        const auto line = geometry.lineOf({place.x, place.z}).value_or(0);
        const das::Beam& beam = geometry.model().beams[line];
        params.angleMinRad = std::atan2(static_cast<double>(beam.sine), beam.cosine);
        params.angleMaxRad = params.angleMinRad + kThinRad;
        params.lines = 2;
    }
    return params;
}

/// The stage, prepared for frames of echoes, on the CPU.
class PixelStage {
public:
    PixelStage(const StageType& type, const Params& params, const FrameSpec& input,
               std::size_t column)
        : m_input(input), m_plan(type.plan(m_input, params)), m_stage(type.create()),
          m_frame(MemoryKind::Host, input.bytes()),
          m_image(MemoryKind::Host, m_plan.outputs.front().bytes()),
          m_workspace(MemoryKind::Host, m_plan.workspaceBytes), m_column(column) {
        std::fill_n(m_frame.as<std::byte>(), m_frame.bytes(), std::byte{0});
        for (const FrameSpec& spec : m_plan.outputs) m_outputs.push_back({nullptr, &spec});
        m_outputs.front().data = m_image.data();
        m_stage->prepare({}, m_input, m_plan, params);
        m_stage->update({}, params);
    }

    std::span<Complex> frame() {
        return {m_frame.as<Complex>(), m_frame.bytes() / sizeof(Complex)};
    }
    double magnitude() {
        const ConstTensorView input{m_frame.data(), &m_input};
        m_stage->run({}, std::span(&input, 1), m_outputs,
                     {.data = m_workspace.data(), .bytes = m_plan.workspaceBytes});
        return std::sqrt(static_cast<double>(norm(m_image.as<Complex>()[m_column])));
    }

private:
    FrameSpec m_input;
    StagePlan m_plan;
    std::unique_ptr<Stage> m_stage;
    Buffer m_frame;
    Buffer m_image;
    Buffer m_workspace;
    std::vector<TensorView> m_outputs;
    std::size_t m_column;
};

/// The transmits that the closed form summed.
std::vector<std::int64_t> summedTransmits(const BeamGeometry& geometry, const das::Place& place,
                                          PlanePoint pixel, bool nearestAlone) {
    if (nearestAlone) return {geometry.nearestTransmit(pixel)};
    const std::vector<std::int64_t> active = geometry.active();
    std::vector<std::int64_t> numbers;
    for (const int t : imagingTransmits(geometry, place))
        numbers.push_back(active[static_cast<std::size_t>(t)]);
    return numbers;
}

} // namespace

MeasuredBeam measuredBeam(const BeamGeometry& geometry, const BeamStage& stage, PlanePoint pixel,
                          const BeamShape& shape, double bandwidth, double first, double last,
                          std::size_t points, const std::stop_token& stop) {
    if (shape.both.levelDb.empty()) return {};
    const das::Place place = geometry.placeOf(pixel);
    const std::vector<std::int64_t> nearest{geometry.nearestTransmit(pixel)};
    const std::vector<std::int64_t> all =
        summedTransmits(geometry, place, pixel, shape.nearestAlone);
    const auto prepared = [&](const PointEchoes& echoes,
                              const std::vector<std::int64_t>& transmits) {
        Params params = stage.params;
        params.as<BeamformParams>() =
            atPixel(geometry, stage.params.as<BeamformParams>(), place, transmits);
        const bool own = geometry.params().grid == PixelGrid::Beams &&
                         geometry.params().transmitAperture == TransmitAperture::OwnLines;
        return PixelStage(*stage.type, params, echoes.spec(),
                          own ? geometry.lineOf(pixel).value_or(0) : 0);
    };
    const PointEchoes heardEchoes(geometry, pixel, nearest, bandwidth);
    const PointEchoes bothEchoes(geometry, pixel, all, bandwidth);
    PixelStage hears = prepared(heardEchoes, nearest);
    PixelStage images = prepared(bothEchoes, all);
    const BeamSection section = sectionAt(geometry, pixel);
    MeasuredBeam beam{.across = BeamSection::evenly(first, last, points)};
    std::vector<double> heard;
    std::vector<double> both;
    for (const double position : beam.across) {
        if (stop.stop_requested()) return {};
        heardEchoes.fillHeard(section.at(position), hears.frame());
        heard.push_back(hears.magnitude());
        bothEchoes.fill(section.at(position), images.frame());
        both.push_back(images.magnitude());
    }
    beam.heard = measured(inDecibels(heard, BeamShape::kFloorDb), beam.across);
    beam.both = measured(inDecibels(both, BeamShape::kFloorDb), beam.across);
    return beam;
}

std::pair<double, double> measuredPart(const BeamShape& shape) {
    constexpr double kWidths = 10.0;
    const auto width = shape.both.width ? shape.both.width : shape.heard.width;
    const double first = shape.across.front();
    const double last = shape.across.back();
    if (!width) return {first, last};
    return {std::max(first, shape.pixelAt - kWidths * *width),
            std::min(last, shape.pixelAt + kWidths * *width)};
}

} // namespace echolux::lab
