// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU's loop of `beamform`: tiles of 16 x 8 pixels, so that a line's samples stay in the first
// cache and 16 pixels fill a vector; receive delays and weights are shared by a group of transmits.
// Where each beam has a transmit of its own, tiles are 128 pixels of one beam.
#include "gpu/beamform/beamform_kernels.hpp"
#include "gpu/beamform/beamform_lanes.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace echolux::das {
namespace {

constexpr int kPixels = 128;
constexpr int kGroup = 8;          ///< transmits that share receive delays; 1 with a full table
constexpr int kWindow = 512;       ///< samples
constexpr float kMostIndex = 4e6F; ///< beyond it a float resolves no useful fractions of a sample

using Row = float[kPixels];

struct Range {
    float least = 0.0F;
    float most = 0.0F;
};

/// How many pixels of a tile lie side by side, and how many below each other.
struct TileShape {
    int columns = 16;
    int rows = kPixels / 16;
};

/// A NaN either makes a bound NaN or is ignored. A range with a NaN bound is not inside a record.
Range rangeOf(const Row& row) {
    Lanes least = lanesAt(row);
    Lanes most = least;
    for (int p = kLanes; p < kPixels; p += kLanes) {
        const Lanes value = lanesAt(row + p);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    Range range{least[0], most[0]};
    for (int lane = 1; lane < kLanes; ++lane) {
        range.least = least[lane] < range.least ? least[lane] : range.least;
        range.most = most[lane] > range.most ? most[lane] : range.most;
    }
    return range;
}

/// kWeighed: powers and weights are summed, too.
template <class Sample, DelayInterpolation kKind, bool kWeighed> class Tile {
public:
    /// `beam`: what the tile's line takes from one of the beams around it; null: nothing is
    /// blended.
    Tile(const Constants& constants, TileShape shape, const Sample* samples, Sample* image,
         int column, int row, int slice, const Beam* beam)
        : k(constants), m_shape(shape), m_samples(samples), m_image(image), m_column(column),
          m_row(row), m_slice(slice) {
        for (int p = 0; p < kPixels; ++p) {
            m_place[p] = beam != nullptr ? k.grid.on(*beam, rowOf(p), m_slice)
                                         : k.grid.at(columnOf(p), rowOf(p), m_slice);
            m_x[p] = m_place[p].x;
            m_z[p] = m_place[p].z;
            m_apertureX[p] = k.beamAperture ? m_place[p].beamX : m_x[p];
            m_apertureDepth[p] = k.beamAperture ? m_place[p].range : m_z[p];
            m_even[p] = evening(k, m_place[p]);
        }
        m_apertureXRange = rangeOf(m_apertureX);
        m_apertureDepthRange = rangeOf(m_apertureDepth);
        m_y = m_place[0].y;
        m_plain = k.face == nullptr && k.arrayHalfHeight == 0.0F;
        m_flat = m_plain && m_y == 0.0F && m_place[0].transmit < 0;
    }

    void compute() {
        sum();
        eachPixel([&](int p, Sample& pixel) { pixel = finished(k, m_pixel[p]); });
    }

    /// Adds to the image what its line takes from `beam`.
    void blend(const Beam& beam, bool first) {
        sum();
        eachPixel([&](int p, Sample& pixel) {
            pixel = addScaled(beam.weight, finished(k, m_pixel[p]), first ? Sample{} : pixel);
        });
    }

private:
    void sum() {
        const int most = k.fullTable != nullptr ? 1 : kGroup;
        int count = 0;
        int group[kGroup];
        for (int t = 0; t < k.transmits; ++t) {
            if (reachesAny(t)) group[count++] = t;
            if (count == most || (t == k.transmits - 1 && count > 0)) {
                addGroup(group, count);
                count = 0;
            }
        }
    }

    static constexpr bool kComplex = std::is_same_v<Sample, Complex>;

    int columnOf(int p) const {
        return std::min(m_column + p % m_shape.columns, k.grid.lateral - 1);
    }
    int rowOf(int p) const { return std::min(m_row + p / m_shape.columns, k.grid.depth - 1); }
    std::int64_t pixelOf(int p) const {
        const std::int64_t line = static_cast<std::int64_t>(m_slice) * k.grid.depth + rowOf(p);
        return line * k.grid.lateral + columnOf(p);
    }

    /// True where a transmit may not reach all pixels: with shadows, and on beams that a single
    /// transmit images.
    bool choosy() const { return k.shadow != nullptr || m_place[0].transmit >= 0; }
    bool reachesAny(int t) const {
        return !choosy() || std::ranges::any_of(
                                m_place, [&](const Place& place) { return reaches(k, t, place); });
    }

    void addGroup(const int* group, int count) {
        for (int g = 0; g < count; ++g) {
            transmitDelays(group[g], m_transmitAt[g]);
            m_transmitRange[g] = rangeOf(m_transmitAt[g]);
            std::fill_n(m_re[g], kPixels, 0.0F);
            if constexpr (kComplex) std::fill_n(m_im[g], kPixels, 0.0F);
            if constexpr (kWeighed) {
                std::fill_n(m_groupPower[g], kPixels, 0.0F);
                std::fill_n(m_groupWeight[g], kPixels, 0.0F);
            }
        }
        for (int e = 0; e < k.elements; ++e) {
            if (!receiveDelays(group[0], e)) continue;
            for (int g = 0; g < count; ++g) addLine(group[g], g, e);
        }
        for (int g = 0; g < count; ++g) finishTransmit(group[g], g);
    }

    void readTable(const float* table, const TableSteps& steps, Row& at) const {
        for (int p = 0; p < kPixels; ++p) at[p] = table[steps.at({columnOf(p), rowOf(p), m_slice})];
    }

    /// With a full table all of the delay is in receiveTimes().
    void transmitDelays(int t, Row& at) const {
        if (k.fullTable != nullptr) {
            std::fill_n(at, kPixels, 0.0F);
            return;
        }
        if (k.transmitTable != nullptr) {
            readTable(k.transmitTable, k.transmitSteps[t], at);
            return;
        }
        const TransmitConstants constants = k.transmit[t];
        for (int p = 0; p < kPixels; ++p) {
            at[p] = m_flat ? transmitIndex(constants, k.indexPerMetre, m_x[p], m_z[p])
                           : transmitIndex(constants, k.indexPerMetre, m_place[p]);
        }
    }

    /// False where no pixel of the tile has the element in its aperture. `t` is the first transmit
    /// of a group.
    bool receiveDelays(int t, int e) {
        if (m_plain && k.apertureSlope > 0.0F) {
            const Element element = k.element[e];
            const float nearest =
                std::clamp(element.x, m_apertureXRange.least, m_apertureXRange.most);
            const float reach =
                k.apertureSlope * (m_apertureDepthRange.most - depthOf(element)) * 1.0001F;
            if (std::fabs(element.x - nearest) > reach) return false;
        }
        receiveWeights(e);
        if (k.rangeWeight != nullptr && k.channelOf == nullptr) weighOverRange(e);
        if (hearsAnew()) std::copy_n(m_weight, kPixels, m_elementWeight);
        if (rangeOf(m_weight).most == 0.0F) return false;
        receiveTimes(t, e);
        m_receiveRange = rangeOf(m_receiveAt);
        if constexpr (kComplex) {
            for (int p = 0; p < kPixels; p += kLanes) {
                const LanePhasor phasor(lanesAt(m_receiveAt + p) * k.cyclesPerSample);
                put(phasor.re, m_phaseRe + p);
                put(phasor.im, m_phaseIm + p);
            }
        }
        return true;
    }

    /// What is taken from m_apertureDepth to get the depth of a pixel below an element.
    float depthOf(const Element& element) const { return k.beamAperture ? 0.0F : element.z; }

    /// NOTE: whether an element on the very edge counts must be found as in apodization().
    void receiveWeights(int e) {
        if (k.window != ApodizationWindow::Rectangular || !m_plain) {
            for (int p = 0; p < kPixels; ++p) m_weight[p] = apodization(k, e, m_place[p]);
            return;
        }
        const Element element = k.element[e];
        const bool whole = k.apertureSlope == 0.0F;
        const float centre = k.arrayCentre;
        for (int p = 0; p < kPixels; p += kLanes) {
            const Lanes offset = element.x - (whole ? Lanes{} + centre : lanesAt(m_apertureX + p));
            const Lanes half =
                whole ? Lanes{} + k.arrayHalfWidth
                      : k.apertureSlope * (lanesAt(m_apertureDepth + p) - depthOf(element));
            put(magnitudeOf(offset) <= half ? Lanes{} + 1.0F : Lanes{}, m_weight + p);
        }
    }

    void weighOverRange(std::int64_t channel) {
        for (int p = 0; p < kPixels; ++p) m_weight[p] *= rangeWeight(k, channel, m_place[p]);
    }

    /// True where the channel that hears an element depends on the transmit. Then the element's
    /// weights over range depend on the transmit too.
    bool hearsAnew() const { return k.rangeWeight != nullptr && k.channelOf != nullptr; }

    void weighLine(std::int64_t line) {
        std::copy_n(m_elementWeight, kPixels, m_weight);
        weighOverRange(line % k.channels);
    }

    void receiveTimes(int t, int e) {
        if (k.fullTable != nullptr) {
            const float* table = k.fullTable + fullTableBegin(k, t, e);
            for (int p = 0; p < kPixels; ++p) m_receiveAt[p] = table[pixelOf(p)];
            return;
        }
        if (k.receiveTable != nullptr) {
            return readTable(k.receiveTable, k.receiveSteps[e], m_receiveAt);
        }
        const Element element = k.element[e];
        const float countsX = k.face != nullptr ? k.face[e].countsX : 1.0F;
        const float countsY = k.face != nullptr ? k.face[e].countsY : 1.0F;
        const float dy = (m_y - element.y) * countsY;
        for (int p = 0; p < kPixels; p += kLanes) {
            const Lanes dx = (lanesAt(m_x + p) - element.x) * countsX;
            const Lanes dz = lanesAt(m_z + p) - element.z;
            put(rootOf(dx * dx + dz * dz + dy * dy) * k.indexPerMetre, m_receiveAt + p);
        }
    }

    void addLine(int t, int g, int e) {
        const std::int64_t line = recordOf(k, k.transmit[t].line, e);
        if (line < 0) return;
        const float lineWeight = k.receiveWeight != nullptr ? k.receiveWeight[line] : 1.0F;
        if (lineWeight == 0.0F) return;
        const Sample* samples = m_samples + line * k.samples;
        if (hearsAnew()) weighLine(line);
        const float first = m_transmitRange[g].least + m_receiveRange.least;
        const float last = m_transmitRange[g].most + m_receiveRange.most;
        if constexpr (kKind == DelayInterpolation::Linear) {
            if (first >= 0.0F && last < static_cast<float>(k.samples - 1)) {
                return addLinear<false>(samples, 0, lineWeight, g);
            }
            if (last - first < static_cast<float>(kWindow - 3) && std::fabs(first) < kMostIndex) {
                return addWindow(samples, first, last, lineWeight, g);
            }
        }
        const bool inside = first >= kMaxTaps && last <= static_cast<float>(k.samples - kMaxTaps);
        inside ? addSamples<true>(samples, lineWeight, g)
               : addSamples<false>(samples, lineWeight, g);
    }

    /// Copies the samples that the tile reads, with zeros outside the record, and adds them.
    void addWindow(const Sample* samples, float first, float last, float lineWeight, int g) {
        const auto begin = static_cast<std::int32_t>(std::floor(first));
        const auto end = static_cast<std::int32_t>(std::floor(last)) + 2;
        Sample window[kWindow];
        for (std::int32_t n = begin; n < end; ++n) {
            window[n - begin] = sampleAt<Sample, false>(samples, k.samples, n);
        }
        addLinear<true>(window, begin, lineWeight, g);
    }

    /// Linear interpolation. All samples that it reads exist. kShifted: `samples` begins at index
    /// `begin`.
    template <bool kShifted>
    void addLinear(const Sample* samples, std::int32_t begin, float lineWeight, int g) {
        const float* transmitAt = m_transmitAt[g];
        for (int p = 0; p < kPixels; p += kLanes) {
            Lanes at = lanesAt(transmitAt + p) + lanesAt(m_receiveAt + p);
            if constexpr (kShifted) at = at - static_cast<float>(begin);
            const WholeLanes whole = __builtin_convertvector(at, WholeLanes);
            const Lanes fraction = at - __builtin_convertvector(whole, Lanes);
            alignas(64) std::int32_t n[kLanes];
            std::memcpy(n, &whole, sizeof whole);
            const Lanes weight = lineWeight * lanesAt(m_weight + p);
            const LanePairs<Sample> pairs(samples, n);
            Lanes power;
            if constexpr (kComplex) {
                const Lanes re = pairs.hereRe + fraction * (pairs.nextRe - pairs.hereRe);
                const Lanes im = pairs.hereIm + fraction * (pairs.nextIm - pairs.hereIm);
                const Lanes c = weight * lanesAt(m_phaseRe + p);
                const Lanes s = weight * lanesAt(m_phaseIm + p);
                put(lanesAt(m_re[g] + p) + re * c - im * s, m_re[g] + p);
                put(lanesAt(m_im[g] + p) + re * s + im * c, m_im[g] + p);
                if constexpr (kWeighed) power = re * re + im * im;
            } else {
                const Lanes value = pairs.here + fraction * (pairs.next - pairs.here);
                put(lanesAt(m_re[g] + p) + weight * value, m_re[g] + p);
                if constexpr (kWeighed) power = value * value;
            }
            if constexpr (kWeighed) {
                put(lanesAt(m_groupPower[g] + p) + weight * power, m_groupPower[g] + p);
                put(lanesAt(m_groupWeight[g] + p) + weight, m_groupWeight[g] + p);
            }
        }
    }

    /// Passes orders and taps as constants, so that the loops over taps unroll and pixels fill
    /// vectors.
    template <bool kInside> void addSamples(const Sample* samples, float lineWeight, int g) {
        if constexpr (kKind == DelayInterpolation::Lagrange) {
            switch (k.lagrangeOrder) {
            case 1: return addTaps<kInside, 1>(samples, lineWeight, g);
            case 2: return addTaps<kInside, 2>(samples, lineWeight, g);
            case 3: return addTaps<kInside, 3>(samples, lineWeight, g);
            case 4: return addTaps<kInside, 4>(samples, lineWeight, g);
            default: return addTaps<kInside, 5>(samples, lineWeight, g);
            }
        } else if constexpr (kKind == DelayInterpolation::Sinc) {
            if (k.sincTaps == 8) return addTaps<kInside, 8>(samples, lineWeight, g);
        }
        addTaps<kInside, 0>(samples, lineWeight, g);
    }

    template <bool kInside, int kTaps>
    void addTaps(const Sample* samples, float lineWeight, int g) {
        Constants constants = k; // by value: nothing that the loop writes can alias it
        if constexpr (kTaps > 0) {
            constants.lagrangeOrder = kTaps;
            constants.sincTaps = kTaps;
        }
        const float* transmitAt = m_transmitAt[g];
        float* re = m_re[g];
#pragma GCC ivdep
        for (int p = 0; p < kPixels; ++p) {
            const Sample value = interpolate<Sample, kKind, kInside>(
                constants, samples, transmitAt[p] + m_receiveAt[p]);
            const float weight = lineWeight * m_weight[p];
            if constexpr (kComplex) {
                const Complex phasor{m_phaseRe[p], m_phaseIm[p]};
                const Complex term = turned(value, phasor);
                re[p] = std::fma(weight, term.re, re[p]);
                m_im[g][p] = std::fma(weight, term.im, m_im[g][p]);
            } else {
                re[p] = std::fma(weight, value, re[p]);
            }
            if constexpr (kWeighed) {
                m_groupPower[g][p] = std::fma(weight, power(value), m_groupPower[g][p]);
                m_groupWeight[g][p] += weight;
            }
        }
    }

    PixelSum<Sample> sumOf(int t, int g, int p) const {
        PixelSum<Sample> sum;
        if constexpr (kComplex) {
            const Complex phasor = transmitPhasor(k, k.transmit[t], m_transmitAt[g][p]);
            sum.sum = turned(Complex{m_re[g][p], m_im[g][p]}, phasor);
        } else {
            sum.sum = m_re[g][p];
        }
        if constexpr (kWeighed) {
            sum.power = m_groupPower[g][p];
            sum.weight = m_groupWeight[g][p];
        }
        return sum;
    }

    void finishTransmit(int t, int g) {
        for (int p = 0; p < kPixels; ++p) {
            const float share = choosy() ? m_even[p] * shareOf(k, t, m_place[p]) : 1.0F;
            if (share > 0.0F) addTransmit(k, sharedBy(share, sumOf(t, g, p)), m_pixel[p]);
        }
    }

    template <class Put> void eachPixel(const Put& put) const {
        const int columns = std::min(m_shape.columns, k.grid.lateral - m_column);
        const int rows = std::min(m_shape.rows, k.grid.depth - m_row);
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
                const int p = r * m_shape.columns + c;
                put(p, m_image[pixelOf(p)]);
            }
        }
    }

    const Constants& k;
    TileShape m_shape;
    const Sample* m_samples;
    Sample* m_image;
    int m_column;
    int m_row;
    int m_slice;
    float m_y = 0.0F;
    bool m_plain = true; ///< elements are points on one line that look down
    bool m_flat = true;  ///< m_plain, in the plane y = 0, and pixels belong to no single transmit
    Place m_place[kPixels];
    float m_even[kPixels]; ///< evening()
    Range m_apertureXRange;
    Range m_apertureDepthRange;
    Range m_receiveRange;
    Range m_transmitRange[kGroup];
    alignas(64) Row m_x;
    alignas(64) Row m_z;
    alignas(64) Row m_apertureX;
    alignas(64) Row m_apertureDepth; ///< apertures are as wide as these allow; see depthOf()
    alignas(64) Row m_receiveAt;
    alignas(64) Row m_weight;
    alignas(64) Row m_phaseRe;
    alignas(64) Row m_phaseIm;
    alignas(64) Row m_transmitAt[kGroup];
    alignas(64) Row m_re[kGroup];
    alignas(64) Row m_im[kComplex ? kGroup : 1];
    alignas(64) Row m_elementWeight; ///< m_weight without weights over range, if hearsAnew()
    alignas(64) Row m_groupPower[kWeighed ? kGroup : 1];
    alignas(64) Row m_groupWeight[kWeighed ? kGroup : 1];
    PixelSum<Sample> m_pixel[kPixels];
};

template <class Sample, DelayInterpolation kKind, bool kWeighed>
void computeTile(const Constants& k, TileShape shape, const Sample* samples, Sample* image,
                 int column, int row, int slice) {
    if (k.blended == nullptr) {
        Tile<Sample, kKind, kWeighed> tile(k, shape, samples, image, column, row, slice, nullptr);
        return tile.compute();
    }
    for (int b = 0; b < k.blendedBeams; ++b) {
        const Beam& beam = k.blended[b * k.grid.lateral + column];
        Tile<Sample, kKind, kWeighed> tile(k, shape, samples, image, column, row, slice, &beam);
        tile.blend(beam, b == 0);
    }
}

template <class Sample, DelayInterpolation kKind, bool kWeighed>
void computeTiles(const Constants& k, const Sample* samples, Sample* image) {
    const bool ownTransmits = k.grid.beam != nullptr && k.grid.beam[0].transmit >= 0;
    const TileShape shape = ownTransmits ? TileShape{1, kPixels} : TileShape{};
    const int across = (k.grid.lateral + shape.columns - 1) / shape.columns;
    const int down = (k.grid.depth + shape.rows - 1) / shape.rows;
    const int tiles = across * down * k.grid.elevation;
    oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<int>(0, tiles),
                              [&](const oneapi::tbb::blocked_range<int>& range) {
                                  for (int i = range.begin(); i != range.end(); ++i) {
                                      computeTile<Sample, kKind, kWeighed>(
                                          k, shape, samples, image, i % across * shape.columns,
                                          i / across % down * shape.rows, i / across / down);
                                  }
                              });
}

template <class Sample, DelayInterpolation kKind>
void chooseSums(const Constants& k, const Sample* samples, Sample* image) {
    if (k.coherenceFactor || k.normalized) {
        computeTiles<Sample, kKind, true>(k, samples, image);
    } else {
        computeTiles<Sample, kKind, false>(k, samples, image);
    }
}

} // namespace

template <class Sample>
void beamformOnHost(const Constants& k, const Sample* samples, Sample* image) {
    switch (k.interpolation) {
    case DelayInterpolation::Nearest:
        return chooseSums<Sample, DelayInterpolation::Nearest>(k, samples, image);
    case DelayInterpolation::Linear:
        return chooseSums<Sample, DelayInterpolation::Linear>(k, samples, image);
    case DelayInterpolation::Lagrange:
        return chooseSums<Sample, DelayInterpolation::Lagrange>(k, samples, image);
    case DelayInterpolation::Sinc:
        return chooseSums<Sample, DelayInterpolation::Sinc>(k, samples, image);
    case DelayInterpolation::LeastSquares:
        return chooseSums<Sample, DelayInterpolation::LeastSquares>(k, samples, image);
    case DelayInterpolation::Texture:
        return chooseSums<Sample, DelayInterpolation::Texture>(k, samples, image);
    }
}

template void beamformOnHost(const Constants&, const float*, float*);
template void beamformOnHost(const Constants&, const Complex*, Complex*);

} // namespace echolux::das
