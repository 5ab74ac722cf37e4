// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas of `beamform`, for host and device: apodization, interpolation, phase, sums. Every
// product that is added is an explicit fma, so that host and device round in the same way.
#pragma once

#include "gpu/beamform/beamform_geometry.hpp"
#include "gpu/beamform/beamform_interpolation.hpp"
#include "gpu/beamform/beamform_phasor.hpp"

namespace echolux::das {

/// Everything that a beamformer needs besides samples and image. The arrays are in compute memory.
struct Constants : LineReading {
    Grid grid;
    std::int32_t transmitsInFrame = 0;
    std::int32_t transmits = 0; ///< number of transmits that are switched on
    std::int32_t elements = 0;
    std::int32_t channels = 0;
    float indexPerMetre = 0.0F;   ///< fs / c; 2 fs / c with TravelTime::Back
    float cyclesPerSample = 0.0F; ///< fd / fs; 0 for RF
    float apertureSlope = 0.0F;   ///< half aperture = slope * depth, slope = 1 / (2 F); 0 = all
    bool beamAperture = false;    ///< with a slope: apertures lie around the begins of beams
    float arrayCentre = 0.0F;     ///< m; the window's centre where the slope is 0
    float arrayHalfWidth = 0.0F;  ///< m
    float arrayCentreY = 0.0F;    ///< m
    float arrayHalfHeight = 0.0F; ///< m; 0: all elements have the same y
    ApodizationWindow window = ApodizationWindow::Rectangular;
    float tukeyAlpha = 0.0F;
    bool incoherent = false;
    bool coherenceFactor = false;
    bool normalized = false;                     ///< the sum is divided by the sum of the weights
    const Element* element = nullptr;            ///< [elements]
    const Face* face = nullptr;                  ///< [elements]; null: all elements are points that
                                                 ///< face downwards
    const TransmitConstants* transmit = nullptr; ///< [transmits]
    const Shadow* shadow = nullptr;              ///< [transmits], null: waves reach all pixels
    const Shadow* evened = nullptr;       ///< [beams] see evening(), null: shares stay as they are
    std::int32_t beams = 0;               ///< number of waves among which shares are evened
    const float* receiveWeight = nullptr; ///< [transmitsInFrame][channels], null: all 1
    /// [transmitsInFrame][elements] the channel that heard the element; -1: none. Null: channel i
    /// hears element i.
    const std::int32_t* channelOf = nullptr;
    const float* rangeWeight = nullptr; ///< [channels][rangeSteps], null: all 1
    std::int32_t rangeSteps = 0;        ///< number of steps of RangeWeights
    float rangeFirst = 0.0F;            ///< m
    float rangeStepsPerMetre = 0.0F;
    const float* receiveTable = nullptr;       ///< receiveIndex at receiveSteps, null: computed
    const TableSteps* receiveSteps = nullptr;  ///< [elements]
    const float* transmitTable = nullptr;      ///< transmitIndex at transmitSteps, null: computed
    const TableSteps* transmitSteps = nullptr; ///< [transmits]
    /// [transmits][elements][pixels] transmitIndex + receiveIndex, null: there is no such table.
    const float* fullTable = nullptr;
    /// [blendedBeams][grid.lateral] what each line takes from the beams around it; null: lines have
    /// one transmit each, or all
    const Beam* blended = nullptr;
    std::int32_t blendedBeams = 0;
};

/// Window over -1 <= u <= 1, with the peak 1 at u = 0, and 0 outside. SciPy's symmetric windows of
/// N points are its values at u = 2 n / (N - 1) - 1. The Gaussian has the standard deviation
/// sqrt(1/2), so that it ends at 1 / e.
ECHOLUX_HD inline float windowAt(ApodizationWindow window, float alpha, float u) {
    const float a = std::fabs(u);
    float value = 1.0F;
    if (window == ApodizationWindow::Hann) {
        value = std::fma(0.5F, unitPhasor(0.5F * a).re, 0.5F);
    } else if (window == ApodizationWindow::Hamming) {
        value = std::fma(0.46F, unitPhasor(0.5F * a).re, 0.54F);
    } else if (window == ApodizationWindow::Tukey && alpha > 0.0F) {
        const float into = (a - 1.0F + alpha) / alpha; // 0 to 1 over the taper
        value = into > 0.0F ? std::fma(0.5F, unitPhasor(0.5F * into).re, 0.5F) : 1.0F;
    } else if (window == ApodizationWindow::Gaussian) {
        value = std::exp(-a * a);
    }
    return a <= 1.0F ? value : 0.0F;
}

/// Weight 0 to 1 at `distance` from the centre of an aperture.
ECHOLUX_HD inline float aperture(const Constants& k, float distance, float half) {
    const float u = half > 0.0F ? distance / half : 0.0F;
    return distance <= half ? windowAt(k.window, k.tukeyAlpha, u) : 0.0F;
}

/// Weight of element e at a pixel. F > 0: the window extends to the distance depth / (2 F) from the
/// element's axis, with the depth along that axis. On beams of a flat array it extends to the
/// distance range / (2 F) from the begin of the beam (Gronvold 2008, 4.1.3), so that steered lines
/// keep their elements. F = 0: it covers the whole array in x and y. The image is the plain
/// weighted sum. With a constant f-number the number of elements grows with depth while the echo of
/// a point falls, which keeps the amplitude even.
ECHOLUX_HD inline float apodization(const Constants& k, int e, const Place& p) {
    const Element element = k.element[e];
    if (k.apertureSlope == 0.0F) {
        const float weight = aperture(k, std::fabs(element.x - k.arrayCentre), k.arrayHalfWidth);
        if (k.arrayHalfHeight == 0.0F) return weight;
        return weight * aperture(k, std::fabs(element.y - k.arrayCentreY), k.arrayHalfHeight);
    }
    if (k.beamAperture)
        return aperture(k, std::fabs(element.x - p.beamX), k.apertureSlope * p.range);
    float dx = element.x - p.x;
    float dy = element.y - p.y;
    const float dz = p.z - element.z;
    if (k.face == nullptr && k.arrayHalfHeight == 0.0F)
        return aperture(k, std::fabs(dx), k.apertureSlope * dz);
    const Face face = k.face != nullptr ? k.face[e] : Face{};
    dx *= face.countsX;
    dy *= face.countsY;
    const float depth = std::fma(dz, face.normalZ, -std::fma(dx, face.normalX, dy * face.normalY));
    const float aside = hypotenuse(std::fma(dx, face.normalZ, dz * face.normalX),
                                   std::fma(dy, face.normalZ, dz * face.normalY),
                                   std::fma(dx, face.normalY, -dy * face.normalX));
    return aperture(k, aside, k.apertureSlope * depth);
}

/// Length of the way from a pixel to element e, in samples.
ECHOLUX_HD inline float receiveIndex(const Constants& k, int e, const Place& p) {
    const Element element = k.element[e];
    float dx = p.x - element.x;
    float dy = p.y - element.y;
    if (k.face != nullptr) {
        dx *= k.face[e].countsX;
        dy *= k.face[e].countsY;
    }
    return product(hypotenuse(dx, p.z - element.z, dy), k.indexPerMetre);
}

/// Number in fullTable of the delay of the first pixel.
ECHOLUX_HD inline std::int64_t fullTableBegin(const Constants& k, int t, int e) {
    return (static_cast<std::int64_t>(t) * k.elements + e) * k.grid.pixels();
}

/// Index of the record of element e in a transmit of the frame; -1 where no channel listened to it.
ECHOLUX_HD inline std::int64_t recordOf(const Constants& k, std::int32_t transmit, int e) {
    std::int32_t channel = e;
    if (k.channelOf != nullptr) {
        channel = k.channelOf[static_cast<std::int64_t>(transmit) * k.elements + e];
        if (channel < 0) return -1;
    }
    return static_cast<std::int64_t>(transmit) * k.channels + channel;
}

/// RangeWeights of a channel at a pixel.
ECHOLUX_HD inline float rangeWeight(const Constants& k, std::int64_t channel, const Place& p) {
    const float range = k.grid.beam != nullptr ? p.range : p.z;
    const auto last = static_cast<float>(k.rangeSteps - 1);
    float at = (range - k.rangeFirst) * k.rangeStepsPerMetre;
    at = at > 0.0F ? at : 0.0F;
    at = at < last ? at : last;
    const auto step = static_cast<std::int32_t>(at);
    const float* weight = k.rangeWeight + channel * k.rangeSteps;
    const float here = weight[step];
    const float next = weight[step < k.rangeSteps - 1 ? step + 1 : step];
    return std::fma(at - static_cast<float>(step), next - here, here);
}

/// The recording's weight of a record at a pixel.
ECHOLUX_HD inline float recordWeight(const Constants& k, std::int64_t record, const Place& p) {
    const float weight = k.receiveWeight != nullptr ? k.receiveWeight[record] : 1.0F;
    return k.rangeWeight != nullptr ? weight * rangeWeight(k, record % k.channels, p) : weight;
}

/// How much the transmit k.transmit[t] counts at a pixel, 0 to 1.
ECHOLUX_HD inline float shareOf(const Constants& k, int t, const Place& p) {
    if (p.transmit >= 0) return k.transmit[t].line == p.transmit ? 1.0F : 0.0F;
    return k.shadow == nullptr ? 1.0F : k.shadow[t].at(p);
}

/// What multiplies the shares of a pixel. Focused waves count by their amplitudes (a matched
/// filter), and the squares of all shares of a pixel add up to 1. Noise is then even, and a point
/// is brightest where it lies (Cauchy and Schwarz), however unevenly the beams lie round it.
ECHOLUX_HD inline float evening(const Constants& k, const Place& p) {
    if (k.evened == nullptr) return 1.0F;
    float squares = 0.0F;
    for (int b = 0; b < k.beams; ++b) {
        const float share = k.evened[b].at(p);
        squares = std::fma(share, share, squares);
    }
    return squares > 0.0F ? 1.0F / std::sqrt(squares) : 0.0F;
}

/// Sets the shadows of the transmits and what is evened among them.
inline void takeShadows(Constants& k, const Shadow* shadows) {
    k.shadow = shadows;
    k.evened = k.beams > 0 ? shadows : nullptr;
}

/// True where the transmit k.transmit[t] images a pixel.
ECHOLUX_HD inline bool reaches(const Constants& k, int t, const Place& p) {
    return shareOf(k, t, p) > 0.0F;
}

ECHOLUX_HD inline float power(float value) { return value * value; }
ECHOLUX_HD inline float power(Complex value) { return norm(value); }

/// IQ is multiplied by exp(+j 2 pi fd tau). The factors of the receive path and of the transmit
/// path are applied separately.
ECHOLUX_HD inline float turned(float value, const Complex&) { return value; }
ECHOLUX_HD inline Complex turned(Complex value, const Complex& phasor) { return value * phasor; }

ECHOLUX_HD inline Complex receivePhasor(const Constants& k, float receiveAt) {
    return unitPhasor(receiveAt * k.cyclesPerSample);
}
ECHOLUX_HD inline Complex transmitPhasor(const Constants& k, const TransmitConstants& t,
                                         float transmitAt) {
    return unitPhasor(std::fma(transmitAt, k.cyclesPerSample, t.phaseCycles));
}

/// The sums for one pixel. Coherence factor, over all terms s with weight w: |sum w s|^2 / (sum w *
/// sum w |s|^2), from 0 to 1 (Cauchy and Schwarz), 1 for equal terms.
template <class Sample> struct PixelSum {
    Sample sum{};
    float power = 0.0F;
    float weight = 0.0F;
};

template <class Sample>
ECHOLUX_HD inline PixelSum<Sample> sharedBy(float share, const PixelSum<Sample>& sums) {
    return {share * sums.sum, share * sums.power, share * sums.weight};
}

template <class Sample> ECHOLUX_HD inline Sample withCoherence(const PixelSum<Sample>& pixel) {
    const float bound = pixel.weight * pixel.power;
    const float factor = bound > 0.0F ? power(pixel.sum) / bound : 0.0F;
    return factor * pixel.sum;
}

ECHOLUX_HD inline float sumOf(float a, float b) { return a + b; }
ECHOLUX_HD inline Complex sumOf(Complex a, Complex b) { return a + b; }
ECHOLUX_HD inline float magnitude(float value) { return std::fabs(value); }
ECHOLUX_HD inline Complex magnitude(Complex value) { return {std::sqrt(norm(value)), 0.0F}; }

/// Adds the sum of one transmit to its pixel.
template <class Sample> ECHOLUX_HD inline void
addTransmit(const Constants& k, const PixelSum<Sample>& transmit, PixelSum<Sample>& pixel) {
    if (k.incoherent) {
        const Sample value = k.coherenceFactor ? withCoherence(transmit) : transmit.sum;
        pixel.sum = sumOf(pixel.sum, magnitude(value));
        pixel.weight += transmit.weight;
        return;
    }
    pixel.sum = sumOf(pixel.sum, transmit.sum);
    pixel.power += transmit.power;
    pixel.weight += transmit.weight;
}

template <class Sample>
ECHOLUX_HD inline Sample finished(const Constants& k, const PixelSum<Sample>& pixel) {
    const Sample sum = k.coherenceFactor && !k.incoherent ? withCoherence(pixel) : pixel.sum;
    if (!k.normalized) return sum;
    return (pixel.weight > 0.0F ? 1.0F / pixel.weight : 0.0F) * sum;
}

} // namespace echolux::das
