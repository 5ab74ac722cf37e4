// SPDX-License-Identifier: GPL-3.0-or-later
// Two ways to a real spectrometer's dispersion: its mirrors, and the sharpest image of two samples.
#include "app/calibration/dispersion_search.hpp"
#include "app/calibration/mirror.hpp"
#include "app/calibration/sharpness_probe.hpp"
#include "app/dataset/recording/recording.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace echolux {

namespace {

const std::filesystem::path kFolder = std::filesystem::path(ECHOLUX_SHARED_DATA) / "data/oct";

/// a2, a3 of phi = a2 v^2 + a3 v^3 + ..., v = m / (n - 1) - 1/2.
std::pair<double, double> centred(const DispersionTerms& c) {
    const double a4 = c[2] / 16.0;
    const double a3 = 2.0 * a4 - c[1] / 8.0;
    return {c[0] / 4.0 + 1.5 * a3 - 1.5 * a4, a3};
}

FringePhase phaseOf(const std::string& name) {
    std::ifstream file(kFolder / "mirror_LP01" / (name + ".txt"));
    std::vector<float> line;
    for (float value = 0.0F; file >> value;) line.push_back(value);
    return fringePhase(line, static_cast<std::int64_t>(line.size()));
}

TEST(DispersionData, theSearchAgreesWithTheMirrors) {
    if (!std::filesystem::exists(kFolder)) GTEST_SKIP() << "no recordings at " << kFolder;
    // The samples lay on the side of the second mirror.
    const auto mirrors =
        centred(estimateResampling(phaseOf("mirror2"), phaseOf("mirror1")).dispersion);
    for (const char* name : {"LP01_shift.raw", "pdms_LP01.raw"}) {
        const auto recording = openRecording(kFolder / name);
        const FrameSpec& raw = recording->info().frame;
        SharpnessProbe probe(Backend::Cpu, *instantiate(shippedPipeline("oct"), raw),
                             {.firstLine = 0, .lastLine = 400}, SharpnessMetric::Contrast);
        std::vector<std::byte> frame(raw.bytes());
        recording->readFrame(0, frame);
        probe.addFrame(frame);
        const DispersionFound found =
            searchDispersion(probe, {.largest = probe.largestTerms()}, nullptr);
        const auto searched = centred(found.terms);
        std::printf("%s: a2 %.1f a3 %.1f, by mirrors %.1f and %.1f; sharpness %.3f, without %.3f\n",
                    name, searched.first, searched.second, mirrors.first, mirrors.second,
                    found.sharpness, found.sharpnessWithout);
        // 5 rad turn the spectrum by 0.6 rad where the light still counts, |v| = 0.35.
        EXPECT_NEAR(searched.first, mirrors.first, 5.0);
        EXPECT_NEAR(searched.second, mirrors.second, 10.0);
        EXPECT_GT(found.sharpness, found.sharpnessWithout + 0.1);
    }
}

TEST(DispersionData, theRecordedPhaseSharpensTheVolume) {
    const auto volume = kFolder / "cscan_50x100x1024_uint16.npy";
    if (!std::filesystem::exists(volume)) GTEST_SKIP() << "no recording " << volume;
    const auto recording = openRecording(volume);
    const FrameSpec& raw = recording->info().frame;
    // The probe leaves the recorded phase out: it is tried as the terms nearest to it.
    const std::vector<double>& phase = raw.spectrometer->dispersionRad;
    const DispersionTerms recorded = dispersionTerms(phase, std::vector<double>(phase.size(), 1.0));
    for (const std::int64_t bscan : {0, 8, 16, 24, 32, 40, 48}) {
        SharpnessProbe probe(Backend::Cpu, *instantiate(shippedPipeline("oct"), raw), {},
                             SharpnessMetric::Entropy);
        std::vector<std::byte> frame(raw.bytes());
        recording->readFrame(bscan, frame);
        probe.addFrame(frame);
        EXPECT_GT(probe(recorded), probe({})) << bscan;
        EXPECT_GT(probe({}), probe({-recorded[0], -recorded[1], -recorded[2]})) << bscan;
    }
}

} // namespace

} // namespace echolux
