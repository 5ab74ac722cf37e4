// SPDX-License-Identifier: GPL-3.0-or-later
// Names of interpolators, and reading of whole lines.
#include "app/lab/interpolator.hpp"

#include <fmt/format.h>

namespace echolux::lab {
namespace {

std::string nameOf(FractionalDesign design) {
    switch (design) {
    case FractionalDesign::Sinc: return "sinc";
    case FractionalDesign::Lagrange: return "Lagrange";
    case FractionalDesign::LeastSquares: return "least squares";
    }
    return "";
}

std::string idOf(std::string label) {
    for (char& c : label) {
        const bool upper = c >= 'A' && c <= 'Z';
        c = c == ' ' ? '_' : upper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return label;
}

std::string labelOf(DelayInterpolation kind, std::int64_t taps) {
    switch (kind) {
    case DelayInterpolation::Nearest: return "nearest";
    case DelayInterpolation::Linear: return "linear";
    case DelayInterpolation::Texture: return "texture";
    case DelayInterpolation::Lagrange: return fmt::format("Lagrange {}", taps - 1);
    case DelayInterpolation::Sinc: return fmt::format("sinc {}", taps);
    case DelayInterpolation::LeastSquares: return fmt::format("least squares {}", taps);
    }
    return "";
}

template <DelayInterpolation kKind> void addRead(const das::LineReading& reading, const float* line,
                                                 double step, double delay, std::int64_t from,
                                                 std::int64_t to, std::span<double> sum) {
    for (std::int64_t n = from; n < to; ++n) {
        const double at = (static_cast<double>(n) - delay) * step;
        sum[static_cast<std::size_t>(n)] +=
            das::interpolate<float, kKind>(reading, line, static_cast<float>(at));
    }
}

} // namespace

std::string Interpolator::label() const {
    const std::string reading = labelOf(kind, taps);
    if (!before) return reading;
    return fmt::format("x{} {} {}, {}", before->factor, nameOf(before->design), before->taps,
                       reading);
}

std::string Interpolator::id() const {
    const std::string reading = idOf(labelOf(kind, taps));
    if (!before) return reading;
    return fmt::format("upsample_{}_{}_{}_{}", before->factor, idOf(nameOf(before->design)),
                       before->taps, reading);
}

std::optional<Interpolator> interpolatorOf(const Params& stage,
                                           const std::optional<Upsampling>& before) {
    if (!stage.table().isOf<BeamformParams>()) return std::nullopt;
    const auto& params = stage.as<BeamformParams>();
    Interpolator made{before, params.interpolation};
    switch (params.interpolation) {
    case DelayInterpolation::Lagrange: made.taps = params.lagrangeOrder + 1; break;
    case DelayInterpolation::Sinc: made.taps = params.sincTaps; break;
    case DelayInterpolation::LeastSquares: made.taps = params.leastSquaresTaps; break;
    default: break;
    }
    return made;
}

std::vector<Interpolator> comparedInterpolators() {
    using Kind = DelayInterpolation;
    std::vector<Interpolator> all{{{}, Kind::Nearest}, {{}, Kind::Linear}};
    for (const std::int64_t order : {2, 3, 4, 5}) all.push_back({{}, Kind::Lagrange, order + 1});
    for (const std::int64_t taps : {4, 6, 8, 11, 15}) all.push_back({{}, Kind::Sinc, taps});
    for (const std::int64_t taps : {4, 6, 8}) all.push_back({{}, Kind::LeastSquares, taps});
    for (const int factor : {2, 3, 4}) all.push_back({Upsampling{.factor = factor}, Kind::Linear});
    return all;
}

LineReader::LineReader(const Interpolator& interpolator, std::int64_t samples, EchoBand band) {
    BeamformParams params;
    params.interpolation = interpolator.kind;
    params.lagrangeOrder = interpolator.taps - 1;
    params.sincTaps = params.leastSquaresTaps = interpolator.taps;
    m_reading = das::lineReading(params);
    EchoBand read = band;
    if (interpolator.before) {
        const Upsampling& before = *interpolator.before;
        m_firs = upsamplingFirs(FractionalDelay(before.design, before.taps, band), before.taps,
                                before.factor);
        read.centre /= before.factor;
        read.width /= before.factor;
    }
    m_reading.samples = static_cast<std::int32_t>(samples * m_firs.factor);
    if (interpolator.kind == DelayInterpolation::LeastSquares)
        m_table = das::readTable(interpolator.taps, read);
}

std::vector<float> LineReader::upsampled(std::span<const float> line) const {
    constexpr int kTile = 256;
    const auto samples = std::ssize(line);
    const std::int64_t tiles = (samples + kTile - 1) / kTile;
    std::vector<float> made(line.size() * static_cast<std::size_t>(m_firs.factor));
    const UpsampleTile<float, kTile> tile{line.data(), made.data(), samples, tiles, m_firs};
    for (std::int64_t i = 0; i < tiles; ++i) tile(i);
    return made;
}

void LineReader::add(std::span<const float> line, double delay, std::int64_t from, std::int64_t to,
                     std::span<double> sum) const {
    std::vector<float> more;
    if (m_firs.factor > 1) more = upsampled(line);
    const float* samples = more.empty() ? line.data() : more.data();
    das::LineReading reading = m_reading;
    reading.readTable = m_table.data();
    const auto read = [&]<DelayInterpolation kKind>() {
        addRead<kKind>(reading, samples, m_firs.factor, delay, from, to, sum);
    };
    using Kind = DelayInterpolation;
    switch (reading.interpolation) {
    case Kind::Nearest: return read.template operator()<Kind::Nearest>();
    case Kind::Linear: return read.template operator()<Kind::Linear>();
    case Kind::Lagrange: return read.template operator()<Kind::Lagrange>();
    case Kind::Sinc: return read.template operator()<Kind::Sinc>();
    case Kind::LeastSquares: return read.template operator()<Kind::LeastSquares>();
    case Kind::Texture: return read.template operator()<Kind::Texture>();
    }
}

} // namespace echolux::lab
