// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU's loop of `beamform`: tiles of 16 x 8 pixels, so that a line's samples stay in the first
// cache and 16 pixels fill a vector; receive delays and weights are shared by a group of transmits.
#include "gpu/stages/beamform_kernels.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace echolux::das {
namespace {

constexpr int kColumns = 16;
constexpr int kRows = 8;
constexpr int kPixels = kColumns * kRows;
constexpr int kGroup = 8; ///< transmits that share receive delays

using Row = float[kPixels];

struct Range {
    float least = 0.0F;
    float most = 0.0F;
};

/// NaN makes both ends NaN or leaves them out; neither passes for inside.
Range rangeOf(const Row& row) {
    Range range{row[0], row[0]};
    for (int p = 1; p < kPixels; ++p) {
        range.least = row[p] < range.least ? row[p] : range.least;
        range.most = row[p] > range.most ? row[p] : range.most;
    }
    return range;
}

template <class Sample, DelayInterpolation kKind, bool kCoherence> class Tile {
public:
    Tile(const Constants& constants, const Sample* samples, Sample* image, int column, int row)
        : k(constants), m_samples(samples), m_image(image), m_column(column), m_row(row) {
        for (int p = 0; p < kPixels; ++p) {
            m_x[p] = k.grid.x(std::min(m_column + p % kColumns, k.grid.lateral - 1));
            m_z[p] = k.grid.z(std::min(m_row + p / kColumns, k.grid.depth - 1));
        }
    }

    void compute() {
        for (int first = 0; first < k.transmits; first += kGroup) {
            addGroup(first, std::min(kGroup, k.transmits - first));
        }
        store();
    }

private:
    static constexpr bool kComplex = std::is_same_v<Sample, Complex>;

    std::int64_t pixelOf(int p) const {
        const int column = std::min(m_column + p % kColumns, k.grid.lateral - 1);
        const int row = std::min(m_row + p / kColumns, k.grid.depth - 1);
        return static_cast<std::int64_t>(row) * k.grid.lateral + column;
    }

    void addGroup(int first, int count) {
        for (int g = 0; g < count; ++g) {
            transmitDelays(first + g, m_transmitAt[g]);
            m_transmitRange[g] = rangeOf(m_transmitAt[g]);
            std::fill_n(m_re[g], kPixels, 0.0F);
            if constexpr (kComplex) std::fill_n(m_im[g], kPixels, 0.0F);
            if constexpr (kCoherence) {
                std::fill_n(m_groupPower[g], kPixels, 0.0F);
                std::fill_n(m_groupWeight[g], kPixels, 0.0F);
            }
        }
        for (int e = 0; e < k.elements; ++e) {
            if (!receiveDelays(e)) continue;
            for (int g = 0; g < count; ++g) addLine(first + g, g, e);
        }
        for (int g = 0; g < count; ++g) finishTransmit(first + g, g);
    }

    void transmitDelays(int t, Row& at) const {
        if (k.transmitTable != nullptr) {
            const float* table = k.transmitTable + t * k.grid.pixels();
            for (int p = 0; p < kPixels; ++p) at[p] = table[pixelOf(p)];
            return;
        }
        const TransmitConstants constants = k.transmit[t];
        for (int p = 0; p < kPixels; ++p) {
            at[p] = transmitIndex(constants, k.indexPerMetre, m_x[p], m_z[p]);
        }
    }

    /// False where no pixel of the tile has the element in its aperture.
    bool receiveDelays(int e) {
        const Element element = k.element[e];
        const float perMetre = k.indexPerMetre;
        const float nearest = std::clamp(element.x, m_x[0], m_x[kPixels - 1]);
        const float reach = k.apertureSlope * (m_z[kPixels - 1] - element.z) * 1.0001F;
        if (k.apertureSlope > 0.0F && std::fabs(element.x - nearest) > reach) return false;
        float most = 0.0F;
        for (int p = 0; p < kPixels; ++p) {
            m_weight[p] = apodization(k, element, m_x[p], m_z[p]);
            most = std::max(most, m_weight[p]);
        }
        if (most == 0.0F) return false;
        if (k.receiveTable != nullptr) {
            const float* table = k.receiveTable + e * k.grid.pixels();
            for (int p = 0; p < kPixels; ++p) m_receiveAt[p] = table[pixelOf(p)];
        } else {
            for (int p = 0; p < kPixels; ++p) {
                m_receiveAt[p] = receiveIndex(element, perMetre, m_x[p], m_z[p]);
            }
        }
        m_receiveRange = rangeOf(m_receiveAt);
        if constexpr (kComplex) {
            for (int p = 0; p < kPixels; ++p) {
                const Complex phasor = receivePhasor(k, m_receiveAt[p]);
                m_phaseRe[p] = phasor.re;
                m_phaseIm[p] = phasor.im;
            }
        }
        return true;
    }

    void addLine(int t, int g, int e) {
        const std::int64_t line = static_cast<std::int64_t>(k.transmit[t].line) * k.elements + e;
        const float lineWeight = k.receiveWeight != nullptr ? k.receiveWeight[line] : 1.0F;
        if (lineWeight == 0.0F) return;
        const Sample* samples = m_samples + line * k.samples;
        const float first = m_transmitRange[g].least + m_receiveRange.least;
        const float last = m_transmitRange[g].most + m_receiveRange.most;
        const bool inside = first >= kMaxTaps && last <= static_cast<float>(k.samples - kMaxTaps);
        inside ? addSamples<true>(samples, lineWeight, g)
               : addSamples<false>(samples, lineWeight, g);
    }

    /// Orders and taps as constants, so that the loops over taps unroll and pixels fill vectors.
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
            if (k.sincTaps / 2 == 4) return addTaps<kInside, 8>(samples, lineWeight, g);
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
            if constexpr (kCoherence) {
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
        if constexpr (kCoherence) {
            sum.power = m_groupPower[g][p];
            sum.weight = m_groupWeight[g][p];
        }
        return sum;
    }

    void finishTransmit(int t, int g) {
        for (int p = 0; p < kPixels; ++p) addTransmit(k, sumOf(t, g, p), m_pixel[p]);
    }

    void store() const {
        const int columns = std::min(kColumns, k.grid.lateral - m_column);
        const int rows = std::min(kRows, k.grid.depth - m_row);
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
                const int p = r * kColumns + c;
                m_image[pixelOf(p)] = finished(k, m_pixel[p]);
            }
        }
    }

    const Constants& k;
    const Sample* m_samples;
    Sample* m_image;
    int m_column;
    int m_row;
    Range m_receiveRange;
    Range m_transmitRange[kGroup];
    alignas(64) Row m_x;
    alignas(64) Row m_z;
    alignas(64) Row m_receiveAt;
    alignas(64) Row m_weight;
    alignas(64) Row m_phaseRe;
    alignas(64) Row m_phaseIm;
    alignas(64) Row m_transmitAt[kGroup];
    alignas(64) Row m_re[kGroup];
    alignas(64) Row m_im[kComplex ? kGroup : 1];
    alignas(64) Row m_groupPower[kCoherence ? kGroup : 1];
    alignas(64) Row m_groupWeight[kCoherence ? kGroup : 1];
    PixelSum<Sample> m_pixel[kPixels];
};

template <class Sample, DelayInterpolation kKind, bool kCoherence>
void computeTiles(const Constants& k, const Sample* samples, Sample* image) {
    const int across = (k.grid.lateral + kColumns - 1) / kColumns;
    const int down = (k.grid.depth + kRows - 1) / kRows;
    oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<int>(0, across * down),
                              [&](const oneapi::tbb::blocked_range<int>& range) {
                                  for (int i = range.begin(); i != range.end(); ++i) {
                                      Tile<Sample, kKind, kCoherence> tile(k, samples, image,
                                                                           i % across * kColumns,
                                                                           i / across * kRows);
                                      tile.compute();
                                  }
                              });
}

template <class Sample, DelayInterpolation kKind>
void chooseCoherence(const Constants& k, const Sample* samples, Sample* image) {
    if (k.coherenceFactor) {
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
        return chooseCoherence<Sample, DelayInterpolation::Nearest>(k, samples, image);
    case DelayInterpolation::Linear:
        return chooseCoherence<Sample, DelayInterpolation::Linear>(k, samples, image);
    case DelayInterpolation::Lagrange:
        return chooseCoherence<Sample, DelayInterpolation::Lagrange>(k, samples, image);
    case DelayInterpolation::Sinc:
        return chooseCoherence<Sample, DelayInterpolation::Sinc>(k, samples, image);
    }
}

template void beamformOnHost(const Constants&, const float*, float*);
template void beamformOnHost(const Constants&, const Complex*, Complex*);

} // namespace echolux::das
