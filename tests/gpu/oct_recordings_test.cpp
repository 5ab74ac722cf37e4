// SPDX-License-Identifier: GPL-3.0-or-later
// OCT stages on real spectra: layers and mirrors become as sharp as published, and the moving
// average is compared with deleting Fourier bins as S4 section 3.1 does, and where S4 did not look.
#include "tests/support/oct_chain.hpp"
#include "tests/support/oct_files.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

namespace echolux::test {
namespace {

constexpr std::int64_t kSamples = 1024;

class OctRecordings : public testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(octFile("LP01_shift.raw")))
            GTEST_SKIP() << octFile("").string() << " is not here";
    }
};

/// Mean width of the lines' brightest peaks between `first` and the end, in bins.
double meanWidth(const HostFrame& depths, std::size_t first) {
    const auto length = static_cast<std::size_t>(depths.spec.axes.back().size);
    const std::size_t lines = depths.as<Complex>().size() / length;
    HostFrame line(depths.spec);
    line.spec.axes.front().size = 1;
    line.bytes.resize(line.spec.bytes());
    double sum = 0.0;
    for (std::size_t i = 0; i < lines; ++i) {
        std::memcpy(line.bytes.data(), depths.bytes.data() + i * line.bytes.size(),
                    line.bytes.size());
        sum += peakOf(line, first).width;
    }
    return sum / static_cast<double>(lines);
}

HostFrame spectraOf(const OctBscan& scan) {
    const FrameSpec spec =
        withSpectrometer(octSpec(0, scan.lines, kSamples), [&](Spectrometer& known) {
            known.background = scan.background;
            known.resampling = scan.resampling;
        });
    return {spec, scan.spectra};
}

TEST_F(OctRecordings, LayersNarrowWithTheChirp) {
    const HostFrame raw = spectraOf(readOctBscan("LP01_shift.raw"));
    const auto with = [&](const Settings& curve) {
        return runChain(raw, {{"background_subtract", {}},
                              {"dc_removal_moving", {}},
                              {"k_linearize", curve},
                              {"window", {}},
                              {"inverse_fft", {}}});
    };
    constexpr std::size_t kBelowTheFixedLine = 16;
    const HostFrame sharp = with({});
    const HostFrame broad = with({{"curve", std::string("polynomial")}});
    const double narrow = meanWidth(sharp, kBelowTheFixedLine);
    const double wide = meanWidth(broad, kBelowTheFixedLine);
    RecordProperty("width", std::to_string(narrow));
    RecordProperty("width_without", std::to_string(wide));
    EXPECT_LT(narrow, 0.6 * wide) << narrow << " against " << wide;
    EXPECT_GT(peakOf(sharp, kBelowTheFixedLine).amplitude,
              1.5 * peakOf(broad, kBelowTheFixedLine).amplitude);
}

/// Peaks of a mirror in dB as published: of the plain transform of the Hann-windowed fringe.
double publishedDb(const DepthPeak& peak) {
    constexpr double kSumOfHann = 0.5 * (kSamples - 1);
    return 20 * std::log10(peak.amplitude * kSumOfHann / 2);
}

TEST_F(OctRecordings, TheMirrorRisesByLinearizationAndByThePhaseOfItsOwnSign) {
    const OctMirror mirror = readOctMirror();
    const FrameSpec spec = withSpectrometer(octSpec(0, 1, kSamples), [&](Spectrometer& known) {
        known.resampling = mirror.resampling;
        known.dispersionRad = mirror.dispersionRad;
    });
    const auto peak = [&](const std::vector<float>& fringe, bool linear, bool dispersed) {
        Chain chain;
        if (linear) chain.push_back({"k_linearize", {}});
        chain.push_back({"window", {}});
        if (dispersed) chain.push_back({"dispersion", {}});
        chain.push_back({"inverse_fft", {}});
        return publishedDb(peakOf(runChain(HostFrame(spec, fringe), chain), 5));
    };
    EXPECT_NEAR(peak(mirror.before, false, false), 39.5, 0.1);
    EXPECT_NEAR(peak(mirror.before, true, false), 43.7, 0.1);
    // Published is 49.9 dB: with the analytic signal, which doubles the peak (6.02 dB). What the
    // phase itself gives is 0.2 dB, on this side of zero delay; the other needs its negative.
    EXPECT_NEAR(peak(mirror.before, true, true) + 20 * std::log10(2.0), 49.9, 0.1);
    EXPECT_GT(peak(mirror.before, true, true), peak(mirror.before, true, false) + 0.1);
    EXPECT_LT(peak(mirror.behind, true, true), peak(mirror.behind, true, false) - 0.5);
}

struct Bins {
    std::size_t first;
    std::size_t end;
};

/// S4's measure (its decibels are 10 ln of this ratio: 190.29 and 157.24 are 52.49 and 50.58).
/// Mean over the lines of mean amplitude in the sample over that in `noise`.
double signalToNoise(const HostFrame& depths, Bins noise) {
    const auto values = depths.as<Complex>();
    const auto length = static_cast<std::size_t>(depths.spec.axes.back().size);
    const auto mean = [&](std::size_t start, Bins bins) {
        double sum = 0.0;
        for (std::size_t z = bins.first; z < bins.end; ++z)
            sum += std::sqrt(double{norm(values[start + z])});
        return sum / static_cast<double>(bins.end - bins.first);
    };
    double sum = 0.0;
    for (std::size_t start = 0; start < values.size(); start += length)
        sum += mean(start, {60, 110}) / mean(start, noise);
    return sum * static_cast<double>(length) / static_cast<double>(values.size());
}

/// What a moving average of 25 samples, subtracted, leaves of a fringe at a bin.
double leftByMovingAverage(double bin) {
    const double turn = std::numbers::pi * bin / kSamples;
    return 1.0 - std::sin(25 * turn) / (25 * std::sin(turn));
}

TEST_F(OctRecordings, TheMovingAverageBeatsDeletingFourierBinsInItsOwnStopBandAlone) {
    constexpr Bins kShallow{1, 40};
    constexpr Bins kDeep{400, 500};
    EXPECT_LT(leftByMovingAverage(39), 1.0) << "bins 1 to 39 are its stop band";
    EXPECT_GT(leftByMovingAverage(41), 1.0);
    for (double bin = kDeep.first; bin < kDeep.end; ++bin)
        EXPECT_NEAR(leftByMovingAverage(bin), 1.0, 0.05) << "noise there stays as it is";
    for (const char* file : {"LP01_shift.raw", "pdms_LP01.raw", "bois_LP01.raw"}) {
        SCOPED_TRACE(file);
        OctBscan scan = readOctBscan(file);
        scan.lines = 64;
        scan.spectra.resize(static_cast<std::size_t>(scan.lines * kSamples));
        const HostFrame clean = runStage("background_subtract", spectraOf(scan));
        const auto depthsOf = [&](const HostFrame& lines) {
            return runChain(lines, {{"k_linearize", {}}, {"window", {}}, {"inverse_fft", {}}});
        };
        const HostFrame none = depthsOf(clean);
        const HostFrame average = depthsOf(runStage("dc_removal_moving", clean));
        const HostFrame bins = depthsOf(
            runStage("dc_removal_moving", clean,
                     {{"method", std::string("fourier_bins")}, {"bins", std::int64_t{16}}}));
        const auto gain = [](const HostFrame& of, const HostFrame& over, Bins noise) {
            return signalToNoise(of, noise) / signalToNoise(over, noise);
        };
        RecordProperty("shallow", std::to_string(gain(average, bins, kShallow)));
        RecordProperty("deep", std::to_string(gain(average, bins, kDeep)));
        EXPECT_GT(gain(bins, none, kShallow), 1.0);
        EXPECT_GT(gain(average, bins, kShallow), 1.2) << "S4 found a factor of 1.21";
        EXPECT_LT(gain(average, bins, kDeep), 1.05) << "of it nothing is left";
        EXPECT_GT(gain(average, bins, kDeep), 0.85);
    }
}

} // namespace
} // namespace echolux::test
