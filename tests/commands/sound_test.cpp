// SPDX-License-Identifier: GPL-3.0-or-later
// echolux sound, through the command line: what it prints and keeps, and what it refuses.
#include "tests/support/command_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace echolux::test {
namespace {

using testing::HasSubstr;

const std::string kTestdata = std::string(ECHOLUX_SOURCE_DIR) + "/testdata/";
const std::string kPhantom = kTestdata + "phantom_cine.echolux.h5";

TEST(SoundCommand, PrintsAndKeepsTheSpeedOfThePhantom) {
    const TemporaryFolder folder;
    const std::string out = (folder / "speed.json").string();
    const CommandResult result =
        runEcholux({"sound", kPhantom, "--frames", "2", "--json", out, "--backend", "cpu"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("of 2 frames; the recording says 1540 m/s"));
    const nlohmann::json report = nlohmann::json::parse(std::ifstream(out));
    EXPECT_NEAR(report["speed_mps"].get<double>(), 1540.0, 6.0);
    ASSERT_EQ(report["frames"].size(), 2U);
    EXPECT_EQ(report["frames"][0]["curve"]["speed_mps"].size(),
              report["frames"][0]["curve"]["unevenness"].size());
    EXPECT_THAT(runEcholux({"sound", kPhantom, "--json", out}).err, HasSubstr("--force"));
}

TEST(SoundCommand, SaysWhatItCannotUse) {
    const auto refused = [](std::vector<std::string> options) {
        options.insert(options.begin(), "sound");
        const CommandResult result = runEcholux(options);
        EXPECT_EQ(result.status, 2);
        return result.err;
    };
    EXPECT_THAT(refused({kTestdata + "retina_cine.echolux.h5"}),
                HasSubstr("from ultrasound channel data"));
    EXPECT_THAT(refused({kPhantom, "--frames", "100000"}), HasSubstr("has frames 1 to"));
    EXPECT_THAT(refused({kPhantom, "--region=1,2,3"}), HasSubstr("x,z,width,height in mm"));
    EXPECT_THAT(refused({kPhantom, "--region=300,20,10,10"}), HasSubstr("insonified"));
    EXPECT_THAT(refused({kPhantom, "--from", "1700", "--to", "1600"}), HasSubstr("is empty"));
    EXPECT_THAT(refused({kPhantom, "--to", "1e9"}), HasSubstr("--to"));
    EXPECT_THAT(refused({kPhantom, "--region=0,20,1,1"}), HasSubstr("No speed of sound was found"));
}

} // namespace
} // namespace echolux::test
