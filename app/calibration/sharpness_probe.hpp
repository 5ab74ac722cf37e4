// SPDX-License-Identifier: GPL-3.0-or-later
// How sharp a region of the image is for given dispersion terms, by the pipeline's own stages.
#pragma once

#include "app/calibration/dispersion_search.hpp"
#include "app/calibration/levelled_image.hpp"
#include "app/calibration/sharpness.hpp"
#include "app/pipeline/runner.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace echolux {

/// Depth bins (of a transform without padding) and lines of the image that the chain gives as it
/// stands; each last is exclusive, 0: to the end. The first bins are left out: what the background
/// leaves there is no image.
struct ImageRegion {
    std::int64_t firstBin = 16;
    std::int64_t lastBin = 0;
    std::int64_t firstLine = 0;
    std::int64_t lastLine = 0;
};

/// Runs what stands before the dispersion stage once per frame, its window left out and the spectra
/// equalized (see equalize.hpp), for the ends of the spectrum show the higher terms best; then, for
/// each terms, their phase, the inverse transform and what is active up to the logarithm. The
/// recorded phase is not used. The stage would also move the image, by -phi'(1/2) / (2 pi) bins
/// with phi over m / (n - 1); here that slope is left out, so that all terms see the same tissue,
/// which fades in and out at the region's ends. Used by one thread at a time.
class SharpnessProbe {
public:
    /// Throws Error where the chain lacks dispersion or inverse_fft.
    SharpnessProbe(Backend backend, const Snapshot& chain, const ImageRegion& region,
                   SharpnessMetric metric);

    /// Adds a raw frame of the chain's input; more frames average the unevenness of speckle away.
    /// Throws Error where the region lies outside the image, or the raw values are all the same.
    void addFrame(std::span<const std::byte> raw);
    double operator()(const DispersionTerms& terms); ///< mean over the frames
    DispersionTerms largestTerms() const;            ///< that the stage takes
    /// Of the contrast: that of LevelledImages, levelled at `terms`; of other metrics the same as
    /// without. Holds until the next call, as long as the probe lives.
    SharpnessOf closeTo(const DispersionTerms& terms);

private:
    void planTail(const FrameSpec& spectra);
    void planRegion(); ///< m_share and m_firstDepth, the same for all trials
    FrameSpec croppedSpec(const FrameSpec& spectra);
    /// The image of `spectra` to m_image; the region of it.
    RegionPower imageOf(const Buffer& spectra, const DispersionTerms& terms);
    void turn(const Buffer& spectra, const DispersionTerms& terms); ///< to m_turned
    RegionPower cutOut();                                           ///< the region from m_image

    Backend m_backend;
    ImageRegion m_region;
    SharpnessMetric m_metric;
    PipelineConfig m_frontConfig;
    PipelineConfig m_tailConfig;
    double m_movedBins = 0.0; ///< of the chain as it stands
    bool m_isComplex = false; ///< what enters the dispersion
    SnapshotPtr m_front;
    SnapshotPtr m_tail; ///< null before the first frame
    Runner m_frontRunner;
    Runner m_tailRunner;
    std::vector<Buffer> m_spectra; ///< of each frame's region
    Buffer m_turned;
    Buffer m_image;
    std::vector<float> m_power; ///< of the region
    std::vector<float> m_share; ///< of its depths
    std::int64_t m_firstDepth = 0;
    std::optional<LevelledImages> m_levelled;
};

/// With the probe's own sharpness, close to the result too.
DispersionFound searchDispersion(SharpnessProbe& probe, DispersionSearchOptions options,
                                 const OnTrial& onTrial);

} // namespace echolux
