// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/measured_beam.hpp"

#include "app/lab/beam_field.hpp"
#include "app/lab/beam_section.hpp"
#include "app/lab/point_echoes.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/preparation.hpp"
#include "gpu/memory/transfer.hpp"

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

/// The stage, prepared for frames of echoes.
class PixelStage {
public:
    PixelStage(const StageType& type, const Params& params, const FrameSpec& input,
               std::size_t column, const Stream& stream, Backend backend)
        : m_exec{backend, stream.get()}, m_stream(stream), m_input(input),
          m_plan(type.plan(m_input, params)), m_stage(type.create()),
          m_frame(MemoryKind::Host, input.bytes()), m_column(column) {
        const MemoryKind memory = computeMemory(backend);
        if (backend != Backend::Cpu) m_compute = Buffer(memory, input.bytes());
        m_image = Buffer(memory, m_plan.outputs.front().bytes());
        m_workspace = Buffer(memory, m_plan.workspaceBytes);
        std::fill_n(m_frame.as<std::byte>(), m_frame.bytes(), std::byte{0});
        for (const FrameSpec& spec : m_plan.outputs) m_outputs.push_back({nullptr, &spec});
        m_outputs.front().data = m_image.data();
        m_stage->prepare(m_exec, m_input, m_plan, params);
        m_stage->update(m_exec, params);
    }

    std::span<Complex> frame() {
        return {m_frame.as<Complex>(), m_frame.bytes() / sizeof(Complex)};
    }
    double magnitude() {
        const bool onHost = m_exec.backend == Backend::Cpu;
        if (!onHost) upload(m_exec, m_compute.data(), m_frame.data(), m_frame.bytes());
        const ConstTensorView input{onHost ? m_frame.data() : m_compute.data(), &m_input};
        m_stage->run(m_exec, std::span(&input, 1), m_outputs,
                     {.data = m_workspace.data(), .bytes = m_plan.workspaceBytes});
        Complex value = {};
        downloadLine(m_exec, &value, m_image.as<Complex>() + m_column, sizeof(value), 1,
                     sizeof(value));
        m_stream.synchronize();
        return std::sqrt(static_cast<double>(norm(value)));
    }

private:
    Exec m_exec;
    const Stream& m_stream;
    FrameSpec m_input;
    StagePlan m_plan;
    std::unique_ptr<Stage> m_stage;
    Buffer m_frame;   ///< in host memory
    Buffer m_compute; ///< m_frame in compute memory; empty on the CPU
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

/// Measures around one pixel.
class PixelMeter {
public:
    PixelMeter(const BeamGeometry& geometry, const BeamStage& stage, PlanePoint pixel,
               double bandwidth, Backend backend)
        : m_geometry(geometry), m_stage(stage), m_pixel(pixel), m_place(geometry.placeOf(pixel)),
          m_section(sectionAt(geometry, pixel)), m_bandwidth(bandwidth), m_backend(backend),
          m_stream(backend, "beam shape") {}

    /// Magnitudes of points at these positions, without a unit; empty where it was stopped.
    std::vector<double> heard(const std::vector<double>& across, const std::stop_token& stop) {
        return magnitudes({m_geometry.nearestTransmit(m_pixel)}, true, across, stop);
    }
    std::vector<double> both(const BeamShape& shape, const std::vector<double>& across,
                             const std::stop_token& stop) {
        return magnitudes(summedTransmits(m_geometry, m_place, m_pixel, shape.nearestAlone), false,
                          across, stop);
    }

private:
    std::vector<double> magnitudes(const std::vector<std::int64_t>& transmits, bool heardAlone,
                                   const std::vector<double>& across, const std::stop_token& stop) {
        const Preparation preparation;
        const PointEchoes echoes(m_geometry, m_pixel, transmits, m_bandwidth);
        Params params = m_stage.params;
        params.as<BeamformParams>() =
            atPixel(m_geometry, m_stage.params.as<BeamformParams>(), m_place, transmits);
        const bool own = m_geometry.params().grid == PixelGrid::Beams &&
                         m_geometry.params().transmitAperture == TransmitAperture::OwnLines;
        PixelStage pixel(*m_stage.type, params, echoes.spec(),
                         own ? m_geometry.lineOf(m_pixel).value_or(0) : 0, m_stream, m_backend);
        std::vector<double> found;
        for (const double position : across) {
            if (stop.stop_requested()) return {};
            const PlanePoint at = m_section.at(position);
            if (heardAlone) {
                echoes.fillHeard(at, pixel.frame());
            } else {
                echoes.fill(at, pixel.frame());
            }
            found.push_back(pixel.magnitude());
        }
        return found;
    }

    const BeamGeometry& m_geometry;
    const BeamStage& m_stage;
    PlanePoint m_pixel;
    das::Place m_place;
    BeamSection m_section;
    double m_bandwidth;
    Backend m_backend;
    Stream m_stream;
};

} // namespace

MeasuredBeam measuredBeam(const BeamGeometry& geometry, const BeamStage& stage, PlanePoint pixel,
                          const BeamShape& shape, double bandwidth, double first, double last,
                          std::size_t points, Backend backend, const std::stop_token& stop) {
    if (shape.both.levelDb.empty()) return {};
    MeasuredBeam beam{.across = BeamSection::evenly(first, last, points)};
    PixelMeter meter(geometry, stage, pixel, bandwidth, backend);
    const std::vector<double> heard = meter.heard(beam.across, stop);
    const std::vector<double> both = meter.both(shape, beam.across, stop);
    if (heard.empty() || both.empty()) return {};
    beam.heard = measured(inDecibels(heard, BeamShape::kFloorDb), beam.across);
    beam.both = measured(inDecibels(both, BeamShape::kFloorDb), beam.across);
    return beam;
}

BeamMap measuredMap(const BeamGeometry& geometry, const BeamStage& stage, PlanePoint pixel,
                    BeamPart part, double bandwidth, const BeamMapSize& size, Backend backend,
                    const std::stop_token& stop) {
    const BeamLine line = lineThrough(geometry, pixel);
    BeamMap map = emptyMap(geometry, pixel, size);
    for (std::size_t row = 0; row < size.rows; ++row) {
        const PlanePoint middle = line.at(map.depthsM[row]);
        const BeamShape shape = beamShape(geometry, middle);
        if (shape.both.levelDb.empty()) continue;
        PixelMeter meter(geometry, stage, middle, bandwidth, backend);
        const std::vector<double> magnitude = part == BeamPart::Heard
                                                  ? meter.heard(map.across, stop)
                                                  : meter.both(shape, map.across, stop);
        if (magnitude.empty()) return {};
        map.setRow(row, magnitude);
    }
    return map.isDark() ? BeamMap{} : map;
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
