// SPDX-License-Identifier: GPL-3.0-or-later
// echolux info, through the command line: text with units, JSON in SI, one sentence for bad input.
#include "app/commands/info_json.hpp"
#include "app/dataset/facts/facts.hpp"
#include "app/session/recording_facts.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// 3 frames, 2 plane waves, 4 channels, 100 samples of int16.
class InfoCommand : public testing::Test {
protected:
    InfoCommand() {
        std::ofstream(m_data, std::ios::binary) << std::string(2 * 3 * 2 * 4 * 100, '\1');
        std::ofstream(m_sidecar) << "sound_speed = 1500\ntitle = \"a test\"\n"
                                    "probe.pitch = 0.3e-3\nprobe.name = \"L7-4\"\n"
                                    "transmit.angles_deg = [-5, 5]\n"
                                    "signal = { sampling_frequency = 20e6, "
                                    "centre_frequency = 5e6, first_sample = 2e-6, "
                                    "frame_rate = 25 }\n"
                                    "[data]\ndtype = \"<i2\"\nshape = [3, 2, 4, 100]\n"
                                    "axes = [\"frame\", \"transmit\", \"channel\", \"sample\"]\n";
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_data = m_folder / "cine.raw";
    std::filesystem::path m_sidecar = m_folder / "how.toml";
};

TEST_F(InfoCommand, TextHasUnits) {
    const CommandResult result = runEcholux({"info", m_data, "--sidecar", m_sidecar});
    EXPECT_EQ(result.status, 0) << result.err;
    for (const char* words : {"Headerless binary", "i16 [transmit 2][channel 4][sample 100]",
                              "25 Hz", "2 x plane", "deg: -5 5", "4, L7-4", "0.3 mm", "20 MHz",
                              "5 MHz", "2.0000 us", "1500 m/s", "1.5 to 5.2 mm", "a test"})
        EXPECT_THAT(result.out, HasSubstr(words));
}

TEST_F(InfoCommand, JsonIsSi) {
    const CommandResult result = runEcholux({"info", m_data, "--sidecar", m_sidecar, "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_EQ(json["frames"], 3);
    EXPECT_EQ(json["frame_rate_hz"], 25.0);
    EXPECT_EQ(json["dtype"], "i16");
    EXPECT_EQ(json["axes"][2]["name"], "sample");
    EXPECT_EQ(json["axes"][2]["size"], 100);
    EXPECT_NEAR(json["sampling_frequency_hz"].get<double>(), 20e6, 1e-3);
    EXPECT_NEAR(json["transmits"][1]["angle_rad"].get<double>(), 0.0872665, 1e-6);
    EXPECT_NEAR(json["transmits"][0]["first_sample_s"].get<double>(), 2e-6, 1e-12);
    EXPECT_EQ(json["probe"]["elements_m"].size(), 4U);
    EXPECT_NEAR(json["probe"]["elements_m"][3][0].get<double>(), 0.45e-3, 1e-12);
    // 1500 m/s / 2 * (2 us + 99 / 20 MHz)
    EXPECT_NEAR(json["depth_range_m"][1].get<double>(), 5.2125e-3, 1e-9);
    EXPECT_TRUE(json["warnings"].empty());
}

TEST(InfoOfFacts, EveryRowThatAFrameHasIsTold) {
    std::set<const Fact*> told{&fact::kFrameInterval}; // the frame rate says it
    for (const char* file : {"phantom_cine", "retina_volume"}) {
        const RecordingInfo info =
            openRecording(std::string(ECHOLUX_SOURCE_DIR) + "/testdata/" + file + ".echolux.h5")
                ->info();
        for (const Fact* fact : allFacts()) {
            RecordingInfo changed = info;
            if (fact->place.set == nullptr) continue;
            const auto [least, most] = fact->plausible;
            const double value = most > 0.0 ? std::sqrt(least * most) : 0.5;
            fact->place.set(changed.frame, value);
            const bool fits = !changed.frame.spectrometer == !info.frame.spectrometer &&
                              !changed.frame.acquisition == !info.frame.acquisition;
            const std::string json = toJson(changed).dump();
            if (!fits || json.find('"' + nameWithUnit(*fact) + '"') == std::string::npos) continue;
            told.insert(fact);
            if (fact->unit->si.empty() && most == 0.0) continue; // codes are for programs
            EXPECT_THAT(recordingFacts(changed),
                        testing::Contains(testing::Field(&RecordingFact::text,
                                                         HasSubstr(shownValue(*fact, value)))))
                << fact->key;
        }
    }
    for (const Fact* fact : allFacts())
        EXPECT_TRUE(fact->place.set == nullptr || told.contains(fact)) << fact->key;
}

TEST_F(InfoCommand, ReceiveWeightsOverRangeAreTold) {
    std::ifstream given(m_sidecar);
    const std::string text{std::istreambuf_iterator<char>(given), {}};
    given.close();
    std::ofstream(m_sidecar) << "transmit.receive_weights = [[1, 0.5], [0, 1], [0, 1], [1, 2]]\n"
                                "transmit.receive_weights_first = 1e-3\n"
                                "transmit.receive_weights_step = 2.5e-3\n"
                             << text;
    const CommandResult result = runEcholux({"info", m_data, "--sidecar", m_sidecar});
    EXPECT_THAT(result.out, AllOf(HasSubstr("2 ranges"), HasSubstr("1 to 3.5 mm")));
    const CommandResult told = runEcholux({"info", m_data, "--sidecar", m_sidecar, "--json"});
    ASSERT_EQ(told.status, 0) << told.err;
    const auto table = nlohmann::json::parse(told.out)["receive_weights_over_range"];
    EXPECT_EQ(table["first_range_m"], 1e-3);
    EXPECT_EQ(table["range_step_m"], 2.5e-3);
    EXPECT_EQ(table["weights"].size(), 4U);
    EXPECT_EQ(table["weights"][3], (std::vector<float>{1.0F, 2.0F}));
}

TEST_F(InfoCommand, BadInputIsOneSentenceAndStatusTwo) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"info", m_folder / "missing.mat"},
                                               {"info", m_folder.path()},
                                               {"info", m_data},
                                               {"info", m_data, "--sidecar", m_data}}) {
        const CommandResult result = runEcholux(arguments);
        EXPECT_EQ(result.status, 2);
        EXPECT_EQ(result.out, "");
        EXPECT_THAT(result.err,
                    AllOf(testing::StartsWith("echolux: "), HasSubstr(m_folder.path().string())));
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    }
    EXPECT_EQ(runEcholux({"info"}).status, 2);
}

TEST_F(InfoCommand, OfSeveralFilesBadOnesAreNamedAndTheOthersTold) {
    const std::string cine = ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5";
    const std::string sector = ECHOLUX_SOURCE_DIR "/testdata/sector.h5";
    const CommandResult good = runEcholux({"info", cine, sector});
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_EQ(good.out, runEcholux({"info", cine}).out + "\n" + runEcholux({"info", sector}).out);
    const CommandResult mixed = runEcholux({"info", cine, m_data, sector});
    EXPECT_EQ(mixed.status, 2);
    EXPECT_THAT(mixed.err, HasSubstr("1 of 3 files could not be opened"));
    EXPECT_THAT(mixed.out,
                AllOf(HasSubstr("cine.raw"), HasSubstr("sidecar"), HasSubstr("sector.h5")));
    const auto json =
        nlohmann::json::parse(runEcholux({"info", "--json", cine, m_data, sector}).out);
    ASSERT_EQ(json.size(), 3U);
    EXPECT_EQ(json[0]["frames"], 32);
    EXPECT_THAT(json[1]["error"].get<std::string>(), HasSubstr("sidecar"));
    EXPECT_EQ(json[2]["path"], sector);
    EXPECT_THAT(runEcholux({"info", "--stamps", cine, sector}).err, HasSubstr("one file"));
}

/// 2 volumes of 3 B-scans of 4 lines of 8 samples.
class InfoOfSpectra : public testing::Test {
protected:
    InfoOfSpectra() {
        std::ofstream(m_data, std::ios::binary) << std::string(2 * 2 * 3 * 4 * 8, '\1');
        std::ofstream(m_sidecar) << "[data]\ndtype = \"<u2\"\nshape = [-1, 3, 4, 8]\n"
                                    "axes = [\"volume\", \"bscan\", \"lateral\", \"sample\"]\n"
                                    "[spectrometer]\ncentre_wavelength = 1310e-9\n"
                                    "bandwidth = 100e-9\nline_spacing = 5e-6\nbscan_rate = 97\n"
                                    "background = [1, 2, 3, 4, 5, 6, 7, 8]\n";
        std::ofstream(m_calibration) << "echolux_calibration = 1\nbandwidth = 90e-9\n"
                                        "resampling = [0, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7]\n";
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_data = m_folder / "scan.raw";
    std::filesystem::path m_sidecar = m_folder / "scan.raw.toml";
    std::filesystem::path m_calibration = m_folder / "calibration.toml";
};

TEST_F(InfoOfSpectra, TextHasUnits) {
    const CommandResult result = runEcholux({"info", m_data, "--calibration", m_calibration});
    EXPECT_EQ(result.status, 0) << result.err;
    for (const char* words : {"u16 [lateral 4][sample 8]", "97 Hz", "1310 nm", "90 nm", "5 um",
                              "2 of 3 B-scans", "one spectrum", "0.5 samples from straight"})
        EXPECT_THAT(result.out, HasSubstr(words));
}

TEST_F(InfoOfSpectra, JsonIsSi) {
    const CommandResult result = runEcholux({"info", m_data, "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_EQ(json["frames"], 6);
    EXPECT_EQ(json["frame_rate_hz"], 97.0);
    EXPECT_EQ(json["bscans_per_volume"], 3);
    EXPECT_EQ(json["bscan_spacing_m"], 0.0);
    EXPECT_EQ(json["line_spacing_m"], 5e-6);
    EXPECT_EQ(json["spectrometer"]["bandwidth_m"], 100e-9);
    EXPECT_EQ(json["spectrometer"]["background"][7], 8.0);
    EXPECT_TRUE(json["spectrometer"]["resampling"].empty());
    EXPECT_FALSE(json.contains("probe"));
}

TEST_F(InfoOfSpectra, CalibrationThatDoesNotFitIsOneSentence) {
    std::ofstream(m_calibration) << "echolux_calibration = 1\nbackground = [1, 2, 3, 4]\n";
    const CommandResult result = runEcholux({"info", m_data, "--calibration", m_calibration});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("background"), HasSubstr("4 values"), HasSubstr("8 samples")));
}

} // namespace
} // namespace echolux::test
