// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a frame to some transmits, makes their chain, and draws sectors as pictures.
#include "app/session/transmit_imager.hpp"

#include "app/pipeline/graph_edits.hpp"
#include "app/pipeline/sub_chain.hpp"
#include "app/session/grid_cut.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/sector.hpp"
#include "gpu/stage/registry.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace echolux {
namespace {

constexpr const char* kPerTransmit = "transmits"; ///< name of the output and of the mask
constexpr const char* kAddedAnalytic = "analytic_of_transmits";
constexpr double kLargestPixelM = 0.01;

/// A pixel size for so many pixels, but not smaller than the pipeline's own.
double coarsePixel(double min, double max, std::int64_t pixels, double own) {
    const double coarse = (max - min) / static_cast<double>(pixels - 1);
    return std::max(own, std::min(coarse, kLargestPixelM));
}

void makeCoarse(StageConfig& stage, const BeamformParams& params, const FrameSpec& image,
                std::int64_t slice) {
    constexpr std::int64_t kColumns = TransmitImager::kColumns;
    if (params.grid == PixelGrid::Data) setValue(stage, "grid", std::string("image"));
    setValue(stage, "pixel_lateral",
             coarsePixel(params.lateralMinM, params.lateralMaxM, kColumns, params.pixelLateralM));
    setValue(
        stage, "pixel_depth",
        coarsePixel(params.depthMinM, params.depthMaxM, TransmitImager::kRows, params.pixelDepthM));
    setValue(stage, "lines", std::min(params.lines, kColumns));
    if (params.grid == PixelGrid::Volume) cutToSlice(stage, image, slice);
}

/// Adds the analytic signal before the last stage. Summed RF has no correct envelope on a coarse
/// grid.
void addAnalytic(PipelineConfig& chain) {
    const StageType& analytic = stageTypeWith(Role::MakesAnalytic);
    StageConfig& beamform = chain.stages.back();
    for (LinkConfig& link : chain.links) {
        if (link.to.stage == beamform.id) link.to = {analytic.inputs[0].name, kAddedAnalytic};
    }
    chain.stages.insert(chain.stages.end() - 1,
                        StageConfig{.id = kAddedAnalytic, .type = analytic.id});
}

template <class T> std::vector<T> rowsOf(const std::vector<T>& all, std::int64_t perRow,
                                         std::span<const std::int64_t> rows) {
    std::vector<T> some;
    if (all.empty()) return some;
    for (const std::int64_t row : rows)
        some.insert(some.end(), all.begin() + row * perRow, all.begin() + (row + 1) * perRow);
    return some;
}

/// The specification of a frame with these transmits alone.
FrameSpec cutTo(FrameSpec raw, std::span<const std::int64_t> transmits) {
    auto acquisition = std::make_shared<Acquisition>(*raw.acquisition);
    const std::int64_t channels = raw.sizeOf(AxisName::Channel);
    acquisition->transmits = rowsOf(acquisition->transmits, 1, transmits);
    acquisition->receiveWeights = rowsOf(acquisition->receiveWeights, channels, transmits);
    acquisition->receiveElements = rowsOf(acquisition->receiveElements, channels, transmits);
    raw.axes.front().size = std::ssize(transmits);
    raw.acquisition = std::move(acquisition);
    return raw;
}

std::int64_t linesPerTransmit(const FrameSpec& raw) {
    return raw.count() / raw.sizeOf(AxisName::Transmit);
}

std::vector<float> magnitudesOf(const Complex* pixels, std::int64_t count) {
    std::vector<float> magnitude(static_cast<std::size_t>(count));
    std::transform(pixels, pixels + count, magnitude.begin(), [](const Complex& pixel) {
        const float squared = norm(pixel);
        return std::isfinite(squared) ? std::sqrt(squared) : 0.0F;
    });
    return magnitude;
}

struct Extent {
    double min = 0.0;
    double max = 0.0;
    double at(double part) const { return min + part * (max - min); }
};

/// The rectangle that a sector fills, with range r from the apex and angle a.
class SectorPlane {
public:
    explicit SectorPlane(const FrameSpec& image)
        : m_sector(*image.sector), m_depth(*image.find(AxisName::Depth)),
          m_lines(*image.find(AxisName::Lateral)) {
        const double first = m_lines.origin;
        const double last = first + static_cast<double>(m_lines.size - 1) * m_lines.spacing;
        const double near = m_sector.radiusM + m_depth.origin;
        const double far = near + static_cast<double>(m_depth.size - 1) * m_depth.spacing;
        const double steepest = std::max(std::abs(first), std::abs(last));
        const double straightest =
            first <= 0.0 && last >= 0.0 ? 0.0 : std::min(std::abs(first), std::abs(last));
        const auto [left, right] = std::minmax({near * std::sin(first), near * std::sin(last),
                                                far * std::sin(first), far * std::sin(last)});
        m_x = {m_sector.apexXM + left, m_sector.apexXM + right};
        m_z = {m_sector.apexZM + near * std::cos(steepest),
               m_sector.apexZM + far * std::cos(straightest)};
    }

    Axis across() const { return axisOf(AxisName::Lateral, m_x, TransmitImager::kColumns); }
    Axis down() const { return axisOf(AxisName::Depth, m_z, TransmitImager::kRows); }

    /// Interpolates between the samples of beams; `polar` is [depth][line].
    std::vector<float> pictureOf(const std::vector<float>& polar) const {
        const Axis x = across();
        const Axis z = down();
        std::vector<float> picture;
        picture.reserve(static_cast<std::size_t>(x.size * z.size));
        for (std::int64_t row = 0; row < z.size; ++row) {
            const double down = z.origin + static_cast<double>(row) * z.spacing - m_sector.apexZM;
            for (std::int64_t column = 0; column < x.size; ++column) {
                const double across =
                    x.origin + static_cast<double>(column) * x.spacing - m_sector.apexXM;
                const double range = std::hypot(across, down) - m_sector.radiusM;
                picture.push_back(
                    read(polar, (range - m_depth.origin) / m_depth.spacing,
                         (std::atan2(across, down) - m_lines.origin) / m_lines.spacing));
            }
        }
        return picture;
    }

private:
    static Axis axisOf(AxisName name, const Extent& extent, std::int64_t size) {
        return {name, size, (extent.max - extent.min) / static_cast<double>(size - 1), extent.min,
                "m"};
    }

    float read(const std::vector<float>& polar, double row, double line) const {
        if (!(row >= 0.0 && row <= static_cast<double>(m_depth.size - 1)) ||
            !(line >= 0.0 && line <= static_cast<double>(m_lines.size - 1)))
            return 0.0F;
        const auto top = std::min(static_cast<std::int64_t>(row), m_depth.size - 2);
        const auto left = std::min(static_cast<std::int64_t>(line), m_lines.size - 2);
        const auto down = static_cast<float>(row - static_cast<double>(top));
        const auto right = static_cast<float>(line - static_cast<double>(left));
        const float* at = polar.data() + top * m_lines.size + left;
        const float* below = at + m_lines.size;
        return (1.0F - down) * std::lerp(at[0], at[1], right) +
               down * std::lerp(below[0], below[1], right);
    }

    Sector m_sector;
    Axis m_depth;
    Axis m_lines;
    Extent m_x;
    Extent m_z;
};

} // namespace

TransmitChain transmitChain(const Snapshot& snapshot, std::int64_t slice) {
    if (snapshot.input.spectrometer != nullptr || snapshot.input.acquisition == nullptr)
        throw Error("Spectra of light have no transmits; images of single transmits come with "
                    "recordings of ultrasound channel data.");
    const StageState* beamform = snapshot.findWith<BeamformParams>();
    if (beamform == nullptr)
        throw Error("This pipeline has no stage Beamform, which images the transmits.");
    if (snapshot.ensemble() > 1 || beamform->input().isEnsemble())
        throw Error("This pipeline beamforms ensembles of frames, of which no transmit has an "
                    "image by itself.");
    const auto& params = beamform->params.as<BeamformParams>();
    if (params.transmitAperture == TransmitAperture::OwnLines) {
        throw OwnLinesAlone("Each transmit images lines of its own, so a single transmit has no "
                            "whole image. Set \"Transmits per pixel\" to All, and each one has.");
    }
    TransmitChain chain{.raw = snapshot.input, .config = {}, .beamform = beamform->id, .key = {}};
    chain.config = chainTo(snapshot, beamform);
    StageConfig& last = chain.config.stages.back();
    setValue(last, kPerTransmit, std::string("all"));
    makeCoarse(last, params, beamform->plan.outputs[0], slice);
    chain.config.views = {{"", "", {kPerTransmit, last.id}}};
    if (!isComplex(beamform->input().dtype)) addAnalytic(chain.config);
    chain.key = toToml(chain.config);
    return chain;
}

void TransmitImager::prepare(const TransmitChain& chain, std::span<const std::int64_t> transmits) {
    const bool same = m_runner.snapshot() != nullptr && chain.key == m_key &&
                      chain.raw.acquisition == m_raw.acquisition &&
                      std::ranges::equal(transmits, m_transmits);
    if (same) return;
    m_runner.release(); // stages hold facts of the former transmits
    m_raw = chain.raw;
    m_transmits.assign(transmits.begin(), transmits.end());
    if (m_raw.dtype == DType::Packed12) { // a transmit need not begin at a byte
        m_transmits.resize(static_cast<std::size_t>(m_raw.sizeOf(AxisName::Transmit)));
        std::iota(m_transmits.begin(), m_transmits.end(), 0);
    }
    m_key = chain.key;
    SnapshotPtr planned = instantiate(chain.config, cutTo(m_raw, m_transmits));
    m_lines = Buffer(MemoryKind::Host, planned->input.bytes());
    m_runner.apply(std::move(planned));
}

void TransmitImager::take(const std::byte* frame) {
    if (std::ssize(m_transmits) == m_raw.sizeOf(AxisName::Transmit)) {
        std::memcpy(m_lines.data(), frame, m_lines.bytes());
        return;
    }
    const std::size_t each =
        bytesOf(m_raw.dtype, static_cast<std::size_t>(linesPerTransmit(m_raw)));
    auto* to = m_lines.as<std::byte>();
    for (const std::int64_t transmit : m_transmits) {
        std::memcpy(to, frame + static_cast<std::size_t>(transmit) * each, each);
        to += each;
    }
}

TransmitImages TransmitImager::image() {
    const ConstTensorView made = m_runner.imageOf(m_lines.as<std::byte>());
    const FrameSpec& spec = *made.spec;
    const std::int64_t pixels = spec.count() / std::ssize(m_transmits);
    TransmitImages result{*spec.find(AxisName::Depth), *spec.find(AxisName::Lateral), {}};
    const auto sector = spec.sector ? std::optional<SectorPlane>(spec) : std::nullopt;
    if (sector) {
        result.depth = sector->down();
        result.lateral = sector->across();
    }
    for (std::size_t i = 0; i < m_transmits.size(); ++i) {
        std::vector<float> magnitude =
            magnitudesOf(made.as<Complex>() + static_cast<std::int64_t>(i) * pixels, pixels);
        if (sector) magnitude = sector->pictureOf(magnitude);
        result.images.push_back({m_transmits[i], std::move(magnitude)});
    }
    return result;
}

} // namespace echolux
