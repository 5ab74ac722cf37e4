// SPDX-License-Identifier: GPL-3.0-or-later
// Tier A of `beamform`: one pixel from first to last, and the tables of delays.
#pragma once

#include "gpu/beamform/beamform_kernels.hpp"
#include "gpu/exec/for_each.hpp"

namespace echolux::das {

template <class Sample, DelayInterpolation kKind> struct PixelFunctor {
    Constants k;
    const Sample* samples;
    Sample* image;
    std::int64_t firstPixel;
    std::int64_t stride;

    ECHOLUX_HD PixelSum<Sample> transmitSum(int t, std::int64_t pixel, const Place& place) const {
        const TransmitConstants& transmit = k.transmit[t];
        const float transmitAt = k.transmitTable != nullptr
                                     ? k.transmitTable[t * k.grid.pixels() + pixel]
                                     : transmitIndex(transmit, k.indexPerMetre, place);
        PixelSum<Sample> sum;
        for (int e = 0; e < k.elements; ++e) {
            const std::int64_t record = recordOf(k, transmit.line, e);
            if (record < 0) continue;
            float weight = apodization(k, e, place);
            if (k.receiveWeight != nullptr) weight *= k.receiveWeight[record];
            if (weight == 0.0F) continue;
            const float receiveAt = k.receiveTable != nullptr
                                        ? k.receiveTable[e * k.grid.pixels() + pixel]
                                        : receiveIndex(k, e, place);
            const Sample value =
                readLine<Sample, kKind>(k, samples, record, transmitAt + receiveAt);
            addTerm(value, weight, receiveAt, sum);
        }
        if constexpr (sizeof(Sample) == sizeof(Complex)) {
            sum.sum = sum.sum * transmitPhasor(k, transmit, transmitAt);
        }
        return sum;
    }

    ECHOLUX_HD void addTerm(Sample value, float weight, float receiveAt,
                            PixelSum<Sample>& sum) const {
        if constexpr (sizeof(Sample) == sizeof(Complex)) {
            sum.sum = addScaled(weight, value * receivePhasor(k, receiveAt), sum.sum);
        } else {
            sum.sum = addScaled(weight, value, sum.sum);
        }
        sum.power = addScaled(weight, power(value), sum.power);
        sum.weight += weight;
    }

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t pixel = firstPixel + i * stride;
        const Place place = k.grid.at(pixel);
        PixelSum<Sample> sum;
        for (int t = 0; t < k.transmits; ++t) {
            if (reaches(k, t, place)) addTransmit(k, transmitSum(t, pixel, place), sum);
        }
        image[i] = finished(k, sum);
    }
};

/// Fills Constants::receiveTable: entry [element][pixel].
struct FillReceiveTable {
    Constants k;
    float* table;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t pixel = i % k.grid.pixels();
        table[i] = receiveIndex(k, static_cast<int>(i / k.grid.pixels()), k.grid.at(pixel));
    }
};

/// Fills Constants::transmitTable: entry [transmit][pixel].
struct FillTransmitTable {
    Constants k;
    float* table;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const std::int64_t pixel = i % k.grid.pixels();
        table[i] =
            transmitIndex(k.transmit[i / k.grid.pixels()], k.indexPerMetre, k.grid.at(pixel));
    }
};

template <class Sample>
void beamformReference(const Exec& exec, const Constants& k, const Sample* samples, Sample* image,
                       std::int64_t firstPixel, std::int64_t stride, std::int64_t count) {
    using Kind = DelayInterpolation;
    const auto run = [&]<Kind kKind>() {
        forEach(exec, "beamform", count,
                PixelFunctor<Sample, kKind>{k, samples, image, firstPixel, stride});
    };
    switch (k.interpolation) {
    case Kind::Nearest: return run.template operator()<Kind::Nearest>();
    case Kind::Linear: return run.template operator()<Kind::Linear>();
    case Kind::Lagrange: return run.template operator()<Kind::Lagrange>();
    case Kind::Sinc: return run.template operator()<Kind::Sinc>();
    case Kind::LeastSquares: return run.template operator()<Kind::LeastSquares>();
    case Kind::Texture: return run.template operator()<Kind::Texture>();
    }
}

} // namespace echolux::das
