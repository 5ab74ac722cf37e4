// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how sharp a region of the image is for given dispersion terms, with the pipeline's own
// stages.
#pragma once

#include "app/calibration/dispersion_search.hpp"
#include "app/calibration/levelled_image.hpp"
#include "app/measure/sharpness.hpp"
#include "app/pipeline/runner.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace echolux {

/// Depth bins (of a transform without padding) and lines of the image that the unchanged chain
/// makes. lastBin and lastLine are exclusive; 0: to the end. The first bins are left out, because
/// residues of the background are there.
struct ImageRegion {
    std::int64_t firstBin = 16;
    std::int64_t lastBin = 0;
    std::int64_t firstLine = 0;
    std::int64_t lastLine = 0;
};

/// The depths whose bins ImageRegion counts. Throws Error where the chain lacks a stage that the
/// search needs.
Axis searchedDepths(const Snapshot& chain);

/// The stages before the dispersion stage run once per frame. Their window is left out and the
/// spectra are equalized (see equalize.hpp), because the ends of the spectrum show the higher terms
/// best. For each set of terms run their phase, the inverse transform and the active stages up to
/// the logarithm. The recorded dispersion phase is not used. The dispersion stage would also move
/// the image by -phi'(1/2) / (2 pi) bins, with phi over m / (n - 1). Here that slope is removed, so
/// that all terms are compared on the same tissue. The region's ends are faded. Used by one thread
/// at a time.
class SharpnessProbe {
public:
    /// Throws Error where the chain lacks dispersion or inverse_fft.
    SharpnessProbe(Backend backend, const Snapshot& chain, const ImageRegion& region,
                   SharpnessMetric metric);

    /// Adds a raw frame of the chain's input. More frames reduce the influence of speckle. Throws
    /// Error where the region lies outside the image, or the raw values are all the same.
    void addFrame(std::span<const std::byte> raw);
    double operator()(const DispersionTerms& terms); ///< mean over the frames
    DispersionTerms largestTerms() const;            ///< the largest terms that the stage accepts
    /// A sharpness for terms near `terms`. For the contrast it is LevelledImages::contrast() of
    /// images levelled at `terms`; for other metrics it is the usual one. Valid until the next call
    /// and as long as the probe lives.
    SharpnessOf closeTo(const DispersionTerms& terms);

private:
    void planTail(const FrameSpec& spectra);
    void planRegion(); ///< computes m_share and m_firstDepth, which are the same for all trials
    FrameSpec croppedSpec(const FrameSpec& spectra);
    /// Computes the image of `spectra` into m_image and returns its region.
    RegionPower imageOf(const Buffer& spectra, const DispersionTerms& terms);
    void turn(const Buffer& spectra, const DispersionTerms& terms); ///< writes m_turned
    RegionPower cutOut();                                           ///< returns the region of
                                                                    ///< m_image

    Backend m_backend;
    ImageRegion m_region;
    SharpnessMetric m_metric;
    PipelineConfig m_frontConfig;
    PipelineConfig m_tailConfig;
    double m_movedBins = 0.0; ///< the chain's dispersion moves the image by minus this
    bool m_isComplex = false; ///< type of the dispersion stage's input
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

/// searchDispersion() with the probe's sharpness and its closeTo().
DispersionFound searchDispersion(SharpnessProbe& probe, DispersionSearchOptions options,
                                 const OnTrial& onTrial);

} // namespace echolux
