// SPDX-License-Identifier: GPL-3.0-or-later
// How sharp a region of the image is for given dispersion terms, by the pipeline's own stages.
#pragma once

#include "app/calibration/dispersion_search.hpp"
#include "app/pipeline/runner.hpp"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// Of the image's power P = |X|^2 over the region, with share p = P / sum P and N pixels:
enum class SharpnessMetric {
    Entropy, ///< sum of p ln p: minus the entropy
    Third,   ///< N^(1/2) sum of p^(3/2)
    Fourth,  ///< N sum of p^2
};
const std::vector<std::pair<std::string, SharpnessMetric>>& sharpnessMetrics(); ///< by name
SharpnessMetric sharpnessMetric(const std::string& name); ///< throws Error for an unknown one

/// Throws Error, one sentence, where the image is all zero or holds no numbers.
double sharpness(std::span<const std::complex<float>> image, SharpnessMetric metric);

/// Depth bins (of a transform without padding) and lines of the image that the chain gives as it
/// stands; each last is exclusive, 0: to the end. The first bins are left out: what the background
/// leaves there is no image.
struct ImageRegion {
    std::int64_t firstBin = 16;
    std::int64_t lastBin = 0;
    std::int64_t firstLine = 0;
    std::int64_t lastLine = 0;
};

/// Runs what stands before the dispersion stage once per frame, its window left out, for the ends
/// of the spectrum show the higher terms best; then, for each terms, dispersion, inverse transform
/// and what is active up to the logarithm. The recorded phase is not used. Terms also move the
/// image, by -phi'(1/2) / (2 pi) bins with phi over m / (n - 1): the region moves along, and fades
/// in and out at its ends, so that the same tissue is compared. Used by one thread at a time.
class SharpnessProbe {
public:
    /// Throws Error where the chain lacks dispersion or inverse_fft.
    SharpnessProbe(Backend backend, const Snapshot& chain, const ImageRegion& region,
                   SharpnessMetric metric);

    /// Adds a raw frame of the chain's input; more frames average the unevenness of speckle away.
    /// Throws Error where the region lies outside the image.
    void addFrame(std::span<const std::byte> raw);
    double operator()(const DispersionTerms& terms); ///< mean over the frames
    DispersionTerms largestTerms() const;            ///< that the stage takes

private:
    void planTail(const FrameSpec& spectra);
    FrameSpec croppedSpec(const FrameSpec& spectra);
    void cutOut(double movedBins); ///< the region from m_image to m_pixels

    Backend m_backend;
    ImageRegion m_region;
    SharpnessMetric m_metric;
    PipelineConfig m_frontConfig;
    PipelineConfig m_tailConfig;
    std::string m_dispersion; ///< id of the instance
    double m_slope = 0.0;     ///< phi'(1/2) of the chain as it stands
    SnapshotPtr m_front;
    SnapshotPtr m_tail; ///< null before the first frame
    Runner m_frontRunner;
    Runner m_tailRunner;
    std::vector<Buffer> m_spectra; ///< of each frame's region
    Buffer m_image;
    std::vector<std::complex<float>> m_pixels;
};

} // namespace echolux
