// SPDX-License-Identifier: GPL-3.0-or-later
// What a file says and Echolux does not use comes through exports of its frames.
#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/container/hdf5_file.hpp"
#include "tests/commands/golden.hpp"

#include <gmock/gmock.h>
#include <hdf5.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace echolux {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string zeaFile(const std::string& name) {
    return ECHOLUX_SOURCE_DIR "/tests/dataset/vectors/zea_" + name + ".hdf5";
}

class ZeaExport : public testing::Test {
protected:
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    test::CommandResult run(const std::string& from, const std::string& to,
                            const std::vector<std::string>& more) const {
        std::vector<std::string> words{"export", from, "-o", file(to), "--backend", "cpu"};
        words.insert(words.end(), more.begin(), more.end());
        const auto result = test::runEcholux(words);
        EXPECT_EQ(result.status, 0) << result.err;
        return result;
    }
    static CarriedFacts factsOf(const std::string& path) {
        return carriedFacts(*openRecording(path));
    }
    static std::vector<std::byte> firstFrame(Recording& recording) {
        std::vector<std::byte> bytes(recording.info().frame.bytes());
        recording.readFrame(0, bytes);
        return bytes;
    }

    test::TemporaryFolder m_folder;
};

/// Every fact of `wanted`, with its numbers, texts, type and unit.
void expectFacts(const CarriedFacts& got, const CarriedFacts& wanted) {
    ASSERT_FALSE(wanted.facts.empty());
    EXPECT_EQ(got.facts.size(), wanted.facts.size());
    for (const CarriedFact& want : wanted.facts) {
        const CarriedFact* fact = got.find(want.name);
        ASSERT_NE(fact, nullptr) << want.name;
        EXPECT_EQ(fact->numbers, want.numbers) << want.name;
        EXPECT_EQ(fact->texts, want.texts) << want.name;
        EXPECT_EQ(fact->layout.shape, want.layout.shape) << want.name;
        EXPECT_EQ(fact->unit, want.unit) << want.name;
    }
}

const std::vector<std::string> kRecorded{"--output-of", "recording"};

TEST_F(ZeaExport, KeepsWhatTheFileSaysAndItsIntegersInChunks) {
    EXPECT_THAT(run(zeaFile("told"), "again.hdf5", kRecorded).err, Not(HasSubstr("does not hold")));
    expectFacts(factsOf(file("again.hdf5")), factsOf(zeaFile("told")));
    const auto before = openRecording(zeaFile("told"));
    const auto after = openRecording(file("again.hdf5"));
    EXPECT_EQ(after->info().frame.describe(), before->info().frame.describe());
    EXPECT_EQ(after->info().frame.dtype, DType::I16);
    EXPECT_EQ(firstFrame(*after), firstFrame(*before));
    const auto tree = Hdf5File::openReadOnly(file("again.hdf5"));
    const Hdf5Handle data(H5Dopen2(tree->id(), "tracks/track_0/data/raw_data", H5P_DEFAULT));
    const Hdf5Handle layout(H5Dget_create_plist(data.get()));
    std::array<hsize_t, 5> chunk{};
    ASSERT_EQ(H5Pget_layout(layout.get()), H5D_CHUNKED);
    EXPECT_EQ(H5Pget_chunk(layout.get(), 5, chunk.data()), 5);
    EXPECT_EQ(chunk, (std::array<hsize_t, 5>{2, 3, 210, 24, 1})) << "small: one chunk, as zea does";
}

TEST_F(ZeaExport, KeepsThemThroughAnEcholuxRecording) {
    run(zeaFile("told"), "kept.echolux.h5", kRecorded);
    run(file("kept.echolux.h5"), "again.hdf5", kRecorded);
    expectFacts(factsOf(file("kept.echolux.h5")), factsOf(zeaFile("told")));
    expectFacts(factsOf(file("again.hdf5")), factsOf(zeaFile("told")));
}

TEST_F(ZeaExport, OfOneFrameHasItsFactsAlone) {
    run(zeaFile("told"), "second.hdf5", {"--output-of", "recording", "--frames", "2"});
    expectFacts(factsOf(file("second.hdf5")), ofFrames(factsOf(zeaFile("told")), 1, 1));
}

TEST_F(ZeaExport, OfImagesHasTheFactsOfTheFileButNotThoseOfItsSamples) {
    run(zeaFile("told"), "image.hdf5", {});
    const CarriedFacts facts = factsOf(file("image.hdf5"));
    EXPECT_EQ(facts.text("us_machine"), "Vantage 256");
    EXPECT_EQ(facts.text("metadata/credit"), "M. Muster");
    EXPECT_THAT(facts.text("description"), testing::StartsWith("wires; "));
    EXPECT_EQ(facts.find("scan/tgc_gain_curve"), nullptr);
    EXPECT_EQ(facts.find("metrics/coherence_factor"), nullptr);
}

TEST_F(ZeaExport, KeepsThePulseOfAHarmonicRecording) {
    run(zeaFile("harmonic"), "again.hdf5", kRecorded);
    const auto again = openRecording(file("again.hdf5"));
    EXPECT_EQ(again->info().frame.centreFrequencyHz, 5e6);
    CarriedFacts facts = factsOf(file("again.hdf5"));
    std::erase_if(facts.facts, [](const CarriedFact& f) { return f.name == "description"; });
    expectFacts(facts, factsOf(zeaFile("harmonic"))); // which has no description
}

TEST_F(ZeaExport, OtherKindsOfFilesSayWhatTheyLose) {
    for (const char* kind : {"lost.npz", "lost.uff", "lost.mat"}) {
        const std::string said = run(zeaFile("told"), kind, kRecorded).err;
        EXPECT_THAT(said, HasSubstr("does not hold what the recording says besides")) << kind;
        EXPECT_THAT(said, HasSubstr("scan/tgc_gain_curve")) << kind;
    }
}

TEST_F(ZeaExport, InfoListsThem) {
    const auto text = test::runEcholux({"info", zeaFile("told")});
    EXPECT_THAT(text.out, HasSubstr("scan/tgc_gain_curve: 210 values from 1 to 4"));
    EXPECT_THAT(text.out, HasSubstr("metadata/credit: 'M. Muster'"));
    const auto json =
        nlohmann::json::parse(test::runEcholux({"info", "--json", zeaFile("told")}).out);
    EXPECT_EQ(json["carried"]["probe/lens_sound_speed"]["values"][0], 1000.0);
    EXPECT_EQ(json["carried"]["scan/waveforms_two_way"]["unit"], "V");
    EXPECT_EQ(json["carried"]["metadata/annotations/view"]["values"][1], "parasternal");
}

/// The brightest pixel within 1 mm of a place in mm, of rows from 8 mm and columns from -4 mm, 0.05
/// and 0.1 mm apart.
double brightestNear(const std::vector<float>& image, double xMm, double zMm) {
    constexpr std::size_t kWide = 81;
    double most = 0.0;
    for (std::size_t i = 0; i < image.size(); ++i) {
        const double x = -4.0 + 0.1 * static_cast<double>(i % kWide);
        const double z = 8.0 + 0.05 * static_cast<double>(i / kWide);
        if (std::hypot(x - xMm, z - zMm) <= 1.0) most = std::max<double>(most, image[i]);
    }
    return most;
}

TEST_F(ZeaExport, AHarmonicIsImagedInItsBand) {
    const std::filesystem::path harmonic = std::filesystem::path(ECHOLUX_SHARED_DATA) /
                                           "formats/cases_packages/1_zea_harmonic_band/harm.hdf5";
    if (!std::filesystem::exists(harmonic)) GTEST_SKIP() << harmonic << " is not here";
    // Of equal amplitudes, (-2, 10) mm answers at 2.5 MHz only, (2, 20) mm at 5 MHz only.
    const auto result = test::runEcholux({"render", harmonic.string(), "-o", file("a.npy"),
                                          "--backend", "cpu", "--grid=-4:4:81,8:22:281",
                                          "--output-of", "envelope", "--pipeline", "demodulated"});
    ASSERT_EQ(result.status, 0) << result.err;
    const std::vector<float> image = test::npyValues(file("a.npy"));
    const double gained =
        20.0 * std::log10(brightestNear(image, 2.0, 20.0) / brightestNear(image, -2.0, 10.0));
    EXPECT_NEAR(gained, 20.7, 0.3);
}

} // namespace
} // namespace echolux
