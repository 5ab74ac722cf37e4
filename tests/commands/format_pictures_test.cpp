// SPDX-License-Identifier: GPL-3.0-or-later
// One scene in everybody's format: through the default pipelines each file shows the same picture,
// with its targets where they are and as bright as they are.
#include "tests/commands/golden.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace echolux {
namespace {

std::filesystem::path formats() { return std::filesystem::path(ECHOLUX_SHARED_DATA) / "formats"; }

constexpr int kWide = 161; ///< pixels from -8 to 8 mm
constexpr int kDeep = 121; ///< from 7 to 19 mm
constexpr double kPixelMm = 0.1;
constexpr double kLeftMm = -8.0;
constexpr double kTopMm = 7.0;

struct Picture {
    const char* file;
    double correlation;       ///< with the picture of rf_stored.npz, at least
    double levelError = 0.05; ///< of the targets' levels relative to the first; 0: not compared
    std::vector<std::string> more = {};
};

void PrintTo(const Picture& picture, std::ostream* out) { *out << picture.file; }

class FormatPictures : public testing::TestWithParam<Picture> {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(formats() / "truth.json"))
            GTEST_SKIP() << (formats() / "truth.json") << " is not here";
        std::ifstream file(formats() / "truth.json");
        m_truth = nlohmann::json::parse(file);
    }

    std::vector<double> envelopeOf(const std::string& name, const std::vector<std::string>& more) {
        const std::filesystem::path out = m_folder / "envelope.npy";
        std::vector<std::string> words{"render",      (formats() / "samples" / name).string(),
                                       "-o",          out.string(),
                                       "--backend",   "cpu",
                                       "--output-of", "envelope",
                                       "--grid",      "-8:8:161,7:19:121",
                                       "--force"};
        words.insert(words.end(), more.begin(), more.end());
        const auto run = test::runEcholux(words);
        EXPECT_EQ(run.status, 0) << run.err;
        if (run.status != 0) return {};
        const auto values = test::npyValues(out);
        return {values.begin(), values.end()};
    }

    test::TemporaryFolder m_folder;
    nlohmann::json m_truth;
};

double correlationOf(const std::vector<double>& a, const std::vector<double>& b) {
    double meanA = 0.0;
    double meanB = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        meanA += a[i] / static_cast<double>(a.size());
        meanB += b[i] / static_cast<double>(b.size());
    }
    double both = 0.0;
    double ofA = 0.0;
    double ofB = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        both += (a[i] - meanA) * (b[i] - meanB);
        ofA += (a[i] - meanA) * (a[i] - meanA);
        ofB += (b[i] - meanB) * (b[i] - meanB);
    }
    return both / std::sqrt(ofA * ofB);
}

struct Peak {
    double xMm = 0.0;
    double zMm = 0.0;
    double level = 0.0;
};

/// The brightest place within 0.6 mm of (xMm, zMm), between pixels by a parabola.
Peak peakNear(const std::vector<double>& image, double xMm, double zMm) {
    const auto at = [&](int row, int column) {
        return image[static_cast<std::size_t>(row * kWide + column)];
    };
    int bestRow = 1;
    int bestColumn = 1;
    double best = -1.0;
    for (int row = 1; row < kDeep - 1; ++row) {
        for (int column = 1; column < kWide - 1; ++column) {
            const double dx = kLeftMm + kPixelMm * column - xMm;
            const double dz = kTopMm + kPixelMm * row - zMm;
            if (std::hypot(dx, dz) > 0.6 || at(row, column) <= best) continue;
            best = at(row, column);
            bestRow = row;
            bestColumn = column;
        }
    }
    const auto between = [](double before, double here, double after) {
        return 0.5 * (before - after) / (before - 2.0 * here + after);
    };
    return {kLeftMm + kPixelMm * (bestColumn + between(at(bestRow, bestColumn - 1), best,
                                                       at(bestRow, bestColumn + 1))),
            kTopMm + kPixelMm * (bestRow + between(at(bestRow - 1, bestColumn), best,
                                                   at(bestRow + 1, bestColumn))),
            best};
}

TEST_P(FormatPictures, ShowTheSameScene) {
    const Picture& picture = GetParam();
    if (!std::filesystem::exists(formats() / "samples" / picture.file))
        GTEST_SKIP() << picture.file << " is not here";
    const std::vector<double> image = envelopeOf(picture.file, picture.more);
    ASSERT_EQ(image.size(), static_cast<std::size_t>(kWide * kDeep));
    const std::vector<double> reference = envelopeOf("rf_stored.npz", {});
    EXPECT_GT(correlationOf(image, reference), picture.correlation);
    Peak first;
    Peak firstOfReference;
    for (const auto& target : m_truth["scene"]["targets"]) {
        const double x = target["x"].get<double>() * 1e3;
        const double z = target["z"].get<double>() * 1e3;
        const Peak peak = peakNear(image, x, z);
        const Peak expected = peakNear(reference, x, z);
        EXPECT_NEAR(peak.xMm, x, 0.05);
        EXPECT_NEAR(peak.zMm, z, 0.05);
        if (first.level == 0.0) {
            first = peak;
            firstOfReference = expected;
        }
        if (picture.levelError > 0.0) {
            EXPECT_NEAR(peak.level / first.level / (expected.level / firstOfReference.level), 1.0,
                        picture.levelError);
        }
    }
}

// Pairs of elements have no plane waves' side lobes.
INSTANTIATE_TEST_SUITE_P(
    Files, FormatPictures,
    testing::Values(Picture{"rf_deflate.npz", 0.999}, Picture{"zea_rf_gzip.hdf5", 0.99},
                    Picture{"zea_rf_blosc_int16.hdf5", 0.99},
                    Picture{"zea_flat_iq_legacy.hdf5", 0.99}, Picture{"zea_two_tracks.hdf5", 0.99},
                    Picture{"zea_two_tracks.hdf5", 0.97, 0.0, {"--track", "2"}},
                    Picture{"ustb_rf.uff", 0.99}, Picture{"ustb_iq_delays.uff", 0.99},
                    Picture{"uff_taskforce_v03.uff", 0.99}, Picture{"picmus_rf.hdf5", 0.99},
                    Picture{"picmus_iq.hdf5", 0.99}, Picture{"must_pw_rf.mat", 0.99},
                    Picture{"bristol_fmc_v5.mat", 0.94, 0.0},
                    Picture{"bristol_hmc_v73.mat", 0.94, 0.0}, Picture{"verasonics_v5.mat", 0.99},
                    Picture{"verasonics_v73.mat", 0.99}),
    [](const auto& of) {
        std::string name = of.param.file;
        for (char& each : name)
            if (std::isalnum(static_cast<unsigned char>(each)) == 0) each = '_';
        return name + (of.param.more.empty() ? "" : "_second");
    });

} // namespace
} // namespace echolux
