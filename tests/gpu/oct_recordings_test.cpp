// SPDX-License-Identifier: GPL-3.0-or-later
// OCT stages on real spectra: layers and mirrors become as sharp as published, and the moving
// average is compared with deleting Fourier bins as S4 section 3.1 does.
#include "tests/support/oct_chain.hpp"
#include "tests/support/oct_files.hpp"

#include <gtest/gtest.h>

#include <complex>
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
double publishedDb(const Peak& peak) {
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

/// The lines without the Fourier bins -bins .. bins.
std::vector<float> withoutLowBins(const std::vector<float>& lines, int bins) {
    std::vector<float> done(lines);
    std::vector<std::complex<double>> turns(kSamples);
    for (int i = 0; i < kSamples; ++i)
        turns[static_cast<std::size_t>(i)] = std::polar(1.0, 2 * std::numbers::pi * i / kSamples);
    for (std::size_t start = 0; start < lines.size(); start += kSamples) {
        for (int bin = 0; bin <= bins; ++bin) {
            std::complex<double> sum;
            for (std::size_t n = 0; n < kSamples; ++n)
                sum += double{lines[start + n]} *
                       std::conj(turns[n * static_cast<std::size_t>(bin) % kSamples]);
            const double weight = (bin == 0 ? 1.0 : 2.0) / kSamples;
            for (std::size_t n = 0; n < kSamples; ++n) {
                done[start + n] -= static_cast<float>(
                    weight * (sum * turns[n * static_cast<std::size_t>(bin) % kSamples]).real());
            }
        }
    }
    return done;
}

/// S4's measure (its decibels are 10 ln of this ratio: 190.29 and 157.24 are 52.49 and 50.58).
/// Mean over the lines of mean amplitude in the sample over that of the shallow part before it.
double signalToNoise(const HostFrame& depths) {
    const auto values = depths.as<Complex>();
    const auto length = static_cast<std::size_t>(depths.spec.axes.back().size);
    const auto mean = [&](std::size_t start, std::size_t first, std::size_t end) {
        double sum = 0.0;
        for (std::size_t z = first; z < end; ++z) sum += std::sqrt(double{norm(values[start + z])});
        return sum / static_cast<double>(end - first);
    };
    double sum = 0.0;
    for (std::size_t start = 0; start < values.size(); start += length)
        sum += mean(start, 60, 110) / mean(start, 1, 40);
    return sum * static_cast<double>(length) / static_cast<double>(values.size());
}

TEST_F(OctRecordings, TheMovingAverageBeatsDeletingFourierBins) {
    for (const char* file : {"LP01_shift.raw", "pdms_LP01.raw", "bois_LP01.raw"}) {
        SCOPED_TRACE(file);
        OctBscan scan = readOctBscan(file);
        scan.lines = 64;
        scan.spectra.resize(static_cast<std::size_t>(scan.lines * kSamples));
        const HostFrame clean = runStage("background_subtract", spectraOf(scan));
        const Chain rest{{"k_linearize", {}}, {"window", {}}, {"inverse_fft", {}}};
        const auto reached = [&](const HostFrame& lines) {
            return signalToNoise(runChain(lines, rest));
        };
        const double none = reached(clean);
        const double average = reached(runStage("dc_removal_moving", clean));
        const std::vector<float> lines(clean.as<float>().begin(), clean.as<float>().end());
        const double bins5 = reached(HostFrame(clean.spec, withoutLowBins(lines, 5)));
        const double bins15 = reached(HostFrame(clean.spec, withoutLowBins(lines, 15)));
        RecordProperty("none", std::to_string(none));
        RecordProperty("moving_average", std::to_string(average));
        RecordProperty("without_5_bins", std::to_string(bins5));
        RecordProperty("without_15_bins", std::to_string(bins15));
        EXPECT_GT(bins5, none);
        EXPECT_GT(bins15, bins5);
        EXPECT_GT(average, 1.2 * bins15) << "S4 found a factor of 1.21";
    }
}

} // namespace
} // namespace echolux::test
