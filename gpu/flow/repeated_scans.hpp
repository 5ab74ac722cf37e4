// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages of OCT flow share: repeated B-scans of one place, the motion that all depths of a
// line have in common, the level of noise, and the parameters of averages and masks. `attenuation`
// takes power, noise, box and parameters, too.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::flow {

/// An ensemble of complex A-scans, [frame][band][lateral][depth].
struct RepeatedScans {
    const Complex* samples;
    int frames; ///< at least 2
    int bands;  ///< FrameSpec::bands
    std::int64_t lines;
    std::int64_t depths;

    std::int64_t pixels() const { return lines * depths; }
    /// Number of pairs of images that are compared: of frames that follow each other, band by band.
    int pairs() const { return (frames - 1) * bands; }
    std::int64_t images() const { return std::int64_t{frames} * bands; }
};
/// exp(-i phi) of each pair of frames that follow each other, [pair][band][lateral], in `scratch`
/// of bulkMotionBytes(). phi is the phase of the sum over depth of w conj(B[n]) B[n + 1], so strong
/// pixels count more. At first w is 1. Three further passes weigh each depth by w = cos(d)^8, with
/// d the deviation of its phase from phi of the pass before, and by 0 where cos(d) < 0. So depths
/// in which blood flows count less and less; vessels that fill most of a line still pull phi
/// towards their own phase. exp(-i phi) is 1 where the sum is 0.
const Complex* bulkMotion(const Exec& exec, const char* name, const RepeatedScans& scans,
                          void* scratch);
inline constexpr int kBulkPasses = 4;
inline constexpr std::int64_t kBulkParts = 32; ///< of a line, summed in parallel
std::size_t bulkMotionBytes(const RepeatedScans& scans);

/// Mean power over images, per pixel.
struct ScanPower {
    const Complex* samples; ///< [image][pixel]
    float* power;
    std::int64_t images;
    std::int64_t pixels;

    ECHOLUX_HD void operator()(std::int64_t p) const {
        float sum = 0.0F;
        for (std::int64_t i = 0; i < images; ++i) sum += norm(samples[i * pixels + p]);
        power[p] = sum / static_cast<float>(images);
    }
};

enum class NoiseFrom { QuietDepths, Level };

/// Parameters of every stage that averages A-scans and tells them from noise.
struct ScanFlowParams {
    std::int64_t depthPixels = 3;
    std::int64_t lateralPixels = 3;
    double thresholdDb = 6.0;
    NoiseFrom noiseFrom = NoiseFrom::QuietDepths;
    double noiseDb = -10.0;
};

/// Mean power of noise, in compute memory or as a number.
struct NoiseLevel {
    const float* measured; ///< of each B-scan; null: `given` counts
    float given;

    ECHOLUX_HD float power(std::int64_t bscan = 0) const {
        return measured != nullptr ? measured[bscan] : given;
    }
};

/// B-scans of power, [bscan][lateral][depth].
struct PowerScans {
    const float* power;
    std::int64_t bscans;
    std::int64_t lines; ///< of a B-scan
    std::int64_t depths;
};

/// The noise as the parameters say. From quiet depths: the mean of a B-scan's power over its lines
/// is sorted by depth, and the value that a fifth of the depths stay below is noise. Few depths are
/// quieter than noise, such as those that removal of DC weakens; some depths must hold nothing but
/// noise. `scratch` has noiseBytes().
NoiseLevel noiseLevel(const Exec& exec, const char* name, const ScanFlowParams& params,
                      const PowerScans& scans, void* scratch);
std::size_t noiseBytes(std::int64_t depths, std::int64_t bscans = 1);
/// What noiseLevel() leaves in `scratch` where the noise comes from quiet depths.
struct QuietParts {
    float* noise; ///< [bscan]
    float* means; ///< [bscan][depth]: see depthMeans()

    QuietParts(void* scratch, std::int64_t bscans)
        : noise(static_cast<float*>(scratch)), means(noise + bscans) {}
};

/// The mean of a B-scan's power over its lines, [bscan][depth].
void depthMeans(const Exec& exec, const char* name, const PowerScans& scans, float* means);

/// A box of pixels about (line, depth), cut at the borders.
struct ScanBox {
    std::int64_t lines;
    std::int64_t depths;
    std::int64_t halfLines;
    std::int64_t halfDepths;

    static ScanBox of(std::int64_t lines, std::int64_t depths, const ScanFlowParams& params) {
        return {lines, depths, params.lateralPixels / 2, params.depthPixels / 2};
    }

    /// Calls visit(pixel) for all pixels and returns their number.
    template <class Visit>
    ECHOLUX_HD std::int64_t each(std::int64_t line, std::int64_t depth, Visit&& visit) const {
        const std::int64_t firstLine = line - halfLines < 0 ? 0 : line - halfLines;
        const std::int64_t firstDepth = depth - halfDepths < 0 ? 0 : depth - halfDepths;
        std::int64_t count = 0;
        for (std::int64_t x = firstLine; x <= line + halfLines && x < lines; ++x) {
            for (std::int64_t z = firstDepth; z <= depth + halfDepths && z < depths; ++z) {
                visit(x * depths + z);
                ++count;
            }
        }
        return count;
    }
};

} // namespace echolux::flow
