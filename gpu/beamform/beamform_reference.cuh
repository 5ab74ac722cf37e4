// SPDX-License-Identifier: GPL-3.0-or-later
// Tier A of `beamform`: the whole computation of one pixel.
#pragma once

#include "gpu/beamform/beamform_kernels.hpp"
#include "gpu/exec/for_each.hpp"

namespace echolux::das {

/// The contribution of one transmit and one element to a pixel.
template <class Sample, DelayInterpolation kKind> struct Terms {
    Constants k;
    const Sample* samples;

    /// With a full table all of the delay is in receiveAt().
    ECHOLUX_HD float transmitAt(int t, const Voxel& voxel, const Place& place) const {
        if (k.fullTable != nullptr) return 0.0F;
        return k.transmitTable != nullptr ? k.transmitTable[k.transmitSteps[t].at(voxel)]
                                          : transmitIndex(k.transmit[t], k.indexPerMetre, place);
    }

    ECHOLUX_HD float receiveAt(int t, int e, const Voxel& voxel, const Place& place) const {
        if (k.fullTable != nullptr)
            return k.fullTable[fullTableBegin(k, t, e) + k.grid.pixel(voxel)];
        return k.receiveTable != nullptr ? k.receiveTable[k.receiveSteps[e].at(voxel)]
                                         : receiveIndex(k, e, place);
    }

    /// Only the phase of the way from the pixel to the element is applied here.
    ECHOLUX_HD void add(int t, int e, const Voxel& voxel, const Place& place, float transmitAt,
                        PixelSum<Sample>& sum) const {
        const std::int64_t record = recordOf(k, k.transmit[t].line, e);
        if (record < 0) return;
        const float weight = apodization(k, e, place) * recordWeight(k, record, place);
        if (weight == 0.0F) return;
        const float back = receiveAt(t, e, voxel, place);
        const Sample value = readLine<Sample, kKind>(k, samples, record, transmitAt + back);
        if constexpr (sizeof(Sample) == sizeof(Complex)) {
            sum.sum = addScaled(weight, value * receivePhasor(k, back), sum.sum);
        } else {
            sum.sum = addScaled(weight, value, sum.sum);
        }
        sum.power = addScaled(weight, power(value), sum.power);
        sum.weight += weight;
    }

    ECHOLUX_HD Sample turnedBack(Sample sum, int t, float transmitAt) const {
        if constexpr (sizeof(Sample) == sizeof(Complex)) {
            return sum * transmitPhasor(k, k.transmit[t], transmitAt);
        } else {
            return sum;
        }
    }
};

template <class Sample, DelayInterpolation kKind> struct PixelFunctor {
    Terms<Sample, kKind> terms;
    Sample* image;
    std::int64_t firstPixel;
    std::int64_t stride;

    ECHOLUX_HD PixelSum<Sample> transmitSum(int t, const Voxel& voxel, const Place& place) const {
        const float transmitAt = terms.transmitAt(t, voxel, place);
        PixelSum<Sample> sum;
        for (int e = 0; e < terms.k.elements; ++e) terms.add(t, e, voxel, place, transmitAt, sum);
        sum.sum = terms.turnedBack(sum.sum, t, transmitAt);
        return sum;
    }

    ECHOLUX_HD Sample valueAt(const Voxel& voxel, const Place& place) const {
        const Constants& k = terms.k;
        PixelSum<Sample> sum;
        const float even = evening(k, place);
        for (int t = 0; t < k.transmits; ++t) {
            const float share = even * shareOf(k, t, place);
            if (share > 0.0F) addTransmit(k, sharedBy(share, transmitSum(t, voxel, place)), sum);
        }
        return finished(k, sum);
    }

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const Constants& k = terms.k;
        const Voxel voxel = k.grid.voxel(firstPixel + i * stride);
        if (k.blended == nullptr) {
            image[i] = valueAt(voxel, k.grid.at(voxel));
            return;
        }
        Sample total{};
        for (int b = 0; b < k.blendedBeams; ++b) {
            const Beam beam = k.blended[b * k.grid.lateral + voxel.column];
            total = addScaled(beam.weight, valueAt(voxel, k.grid.on(beam, voxel.row, voxel.slice)),
                              total);
        }
        image[i] = total;
    }
};

/// Fills images [element][pixel].
template <class Sample, DelayInterpolation kKind> struct ElementFunctor {
    Terms<Sample, kKind> terms;
    Sample* images;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        const Constants& k = terms.k;
        const std::int64_t pixels = k.grid.pixels();
        const auto element = static_cast<int>(i / pixels);
        const Voxel voxel = k.grid.voxel(i % pixels);
        if (k.blended == nullptr) {
            images[i] = valueAt(element, voxel, k.grid.at(voxel));
            return;
        }
        Sample total{};
        for (int b = 0; b < k.blendedBeams; ++b) {
            const Beam beam = k.blended[b * k.grid.lateral + voxel.column];
            total =
                addScaled(beam.weight,
                          valueAt(element, voxel, k.grid.on(beam, voxel.row, voxel.slice)), total);
        }
        images[i] = total;
    }

    ECHOLUX_HD Sample valueAt(int element, const Voxel& voxel, const Place& place) const {
        Sample total{};
        const float even = evening(terms.k, place);
        for (int t = 0; t < terms.k.transmits; ++t) {
            const float share = even * shareOf(terms.k, t, place);
            if (share == 0.0F) continue;
            const float transmitAt = terms.transmitAt(t, voxel, place);
            PixelSum<Sample> sum;
            terms.add(t, element, voxel, place, transmitAt, sum);
            total = sumOf(total, share * terms.turnedBack(sum.sum, t, transmitAt));
        }
        return total;
    }
};

/// Calls run.operator()<kind>().
template <class Run> void withInterpolation(DelayInterpolation kind, const Run& run) {
    using Kind = DelayInterpolation;
    switch (kind) {
    case Kind::Nearest: return run.template operator()<Kind::Nearest>();
    case Kind::Linear: return run.template operator()<Kind::Linear>();
    case Kind::Lagrange: return run.template operator()<Kind::Lagrange>();
    case Kind::Sinc: return run.template operator()<Kind::Sinc>();
    case Kind::LeastSquares: return run.template operator()<Kind::LeastSquares>();
    case Kind::Texture: return run.template operator()<Kind::Texture>();
    }
}

template <class Sample>
void beamformReference(const Exec& exec, const Constants& k, const Sample* samples, Sample* image,
                       std::int64_t firstPixel, std::int64_t stride, std::int64_t count) {
    withInterpolation(k.interpolation, [&]<DelayInterpolation kKind>() {
        forEach(exec, "beamform", count,
                PixelFunctor<Sample, kKind>{{k, samples}, image, firstPixel, stride});
    });
}

template <class Sample>
void delayedChannels(const Exec& exec, const Constants& k, const Sample* samples, Sample* images) {
    withInterpolation(k.interpolation, [&]<DelayInterpolation kKind>() {
        forEach(exec, "beamform", k.elements * k.grid.pixels(),
                ElementFunctor<Sample, kKind>{{k, samples}, images});
    });
}

} // namespace echolux::das
