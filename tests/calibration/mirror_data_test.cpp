// SPDX-License-Identifier: GPL-3.0-or-later
// Mirrors of a real spectrometer: the estimates against the published calibration, by the height of
// the mirrors' peaks.
#include "app/calibration/mirror.hpp"
#include "app/dataset/container/npz.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <numbers>

namespace echolux {

namespace {

using Spectrum = std::vector<double>;

const std::filesystem::path kMirrorFolder = std::filesystem::path(ECHOLUX_SHARED_DATA) / "data/oct";

/// Fringe of a mirror: what neither arm alone shows.
Spectrum fringe(const Spectrum& both, const Spectrum& none, const Spectrum& reference,
                const Spectrum& sample) {
    Spectrum sum;
    for (std::size_t p = 0; p < both.size(); ++p)
        sum.push_back(both[p] + none[p] - reference[p] - sample[p]);
    return sum;
}

struct Published {
    Spectrum mirror1;
    Spectrum mirror2;
};

Published fromTexts() {
    const auto read = [](const std::string& name) {
        std::ifstream file(kMirrorFolder / "mirror_LP01" / (name + ".txt"));
        Spectrum values;
        for (double value = 0.0; file >> value;) values.push_back(value);
        return values;
    };
    const auto side = [&](const std::string& number) {
        return fringe(read("mirror" + number), read("dark_not"), read("dark_ref"),
                      read("dark_sample" + number));
    };
    return {side("1"), side("2")};
}

Spectrum fromArchive(const std::string& name) {
    const auto path = kMirrorFolder / "cscan_calibration_example_LP01.npz";
    const auto archive = openNpz(path);
    return readNumbers(path, *archive->open(name), name);
}

Published fromArchive() {
    const auto side = [](const std::string& number) {
        return fringe(fromArchive("mirror" + number), fromArchive("dark_not"),
                      fromArchive("dark_ref"), fromArchive("dark_sample" + number));
    };
    return {side("1"), side("2")};
}

double catmullRom(const Spectrum& x, double place) {
    const auto last = static_cast<std::ptrdiff_t>(x.size()) - 1;
    const auto whole = static_cast<std::ptrdiff_t>(std::floor(place));
    const double t = place - static_cast<double>(whole);
    const auto at = [&](std::ptrdiff_t i) {
        return x[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, last))];
    };
    const double a = at(whole - 1);
    const double b = at(whole);
    const double c = at(whole + 1);
    const double d = at(whole + 2);
    return b +
           0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)));
}

/// dB of the highest bin of the spectrum, resampled and turned by `sign` phi.
double peakDb(const Spectrum& x, const Spectrum& resampling, const Spectrum& phase, double sign) {
    const std::size_t n = x.size();
    double mean = 0.0;
    for (const double value : x) mean += value / static_cast<double>(n);
    std::vector<std::complex<double>> line;
    for (std::size_t m = 0; m < n; ++m)
        line.push_back((catmullRom(x, resampling[m]) - mean) *
                       std::polar(1.0, phase.empty() ? 0.0 : sign * phase[m]));
    double most = 0.0;
    for (std::size_t bin = 8; bin < n - 8; ++bin) {
        std::complex<double> sum = 0.0;
        const std::complex<double> turn = std::polar(
            1.0, 2.0 * std::numbers::pi * static_cast<double>(bin) / static_cast<double>(n));
        for (std::size_t m = n; m-- > 0;) sum = sum * turn + line[m];
        most = std::max(most, std::abs(sum));
    }
    return 20.0 * std::log10(most);
}

FringePhase phaseOf(const Spectrum& mirror) {
    const std::vector<float> line(mirror.begin(), mirror.end());
    return fringePhase(line, static_cast<std::int64_t>(line.size()));
}

void reachesThePublishedPeaks(const Published& mirrors) {
    const Spectrum klinear = fromArchive("klinear");
    const Spectrum dispersion = fromArchive("dispersion");
    const MirrorEstimate found =
        estimateResampling(phaseOf(mirrors.mirror1), phaseOf(mirrors.mirror2));
    Spectrum linear;
    for (std::size_t m = 0; m < klinear.size(); ++m) linear.push_back(static_cast<double>(m));
    const struct {
        const Spectrum& mirror;
        double sign; ///< of phi where the mirror's fringe is read at positive depths
    } sides[] = {{mirrors.mirror1, 1.0}, {mirrors.mirror2, -1.0}};
    for (const auto& [mirror, sign] : sides) {
        const double raw = peakDb(mirror, linear, {}, 1.0);
        const double published = peakDb(mirror, klinear, {}, 1.0);
        const double own = peakDb(mirror, found.resampling, {}, 1.0);
        // A real line has its peak on both sides, so that either sign of phi focuses one of them.
        const double publishedFocused = peakDb(mirror, klinear, dispersion, sign);
        const double ownFocused = peakDb(mirror, found.resampling, found.dispersionRad, sign);
        testing::Test::RecordProperty(
            "peaks_db",
            testing::PrintToString(std::vector{raw, published, own, publishedFocused, ownFocused}));
        std::printf("raw %.2f, k published %.2f own %.2f, with dispersion published %.2f own %.2f "
                    "dB\n",
                    raw, published, own, publishedFocused, ownFocused);
        EXPECT_GT(published, raw + 1.5);
        EXPECT_GT(own, published - 0.5);
        EXPECT_GT(ownFocused, own);
        EXPECT_GT(ownFocused, publishedFocused - 0.5);
    }
}

TEST(MirrorData, estimatesReachThePublishedPeaks) {
    if (!std::filesystem::exists(kMirrorFolder))
        GTEST_SKIP() << "no recordings at " << kMirrorFolder;
    reachesThePublishedPeaks(fromTexts());
    reachesThePublishedPeaks(fromArchive());
}

} // namespace

} // namespace echolux
