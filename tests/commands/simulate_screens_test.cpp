// SPDX-License-Identifier: GPL-3.0-or-later
// echolux simulate --screen, --wall: what recordings know of their screens, here and elsewhere.
#include "app/commands/screen_options.hpp"
#include "gpu/core/error.hpp"
#include "tests/commands/simulated.hpp"
#include "tests/support/command_line.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <sstream>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

constexpr const char* kOneScreen = "delay=50ns,gain=3dB,length=2mm";

std::vector<std::string> wordsOf(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream words(text);
    for (std::string word; words >> word;) all.push_back(word);
    return all;
}

class SimulateScreens : public SimulateTest {
protected:
    static CommandResult simulate(const std::string& kind, const std::string& output,
                                  const std::string& more) {
        auto all = wordsOf("simulate " + kind + " " + more);
        if (more.find("--phantom") == std::string::npos)
            all.insert(all.end(), {"--phantom", "points"});
        if (more.find("--frames") == std::string::npos) all.insert(all.end(), {"--frames", "1"});
        if (more.find("--depth") == std::string::npos) all.insert(all.end(), {"--depth", "25"});
        all.insert(all.end(), {"-o", output});
        return runEcholux(all);
    }
    std::unique_ptr<Recording> written(const std::string& kind, const std::string& more) {
        const CommandResult result = simulate(kind, file("a.h5"), more + " --force");
        EXPECT_EQ(result.status, 0) << result.err;
        return openRecording(file("a.h5"));
    }
    static AberrationFigures figures(const Recording& recording) {
        return figuresOf(*recording.info().aberration,
                         recording.info().frame.acquisition->probe.elements);
    }
};

TEST_F(SimulateScreens, EveryKindKnowsItsTruth) {
    for (const char* kind :
         {"plane-wave --elements 16 --angles 0", "focused --elements 16 --active 8 --lines 2",
          "focused --array curved --elements 16 --active 8 --lines 2",
          "diverging --array phased --elements 16 --waves 2",
          "matrix --columns 4 --rows 4 --angles 0 --elevations 0"}) {
        const std::string words(kind);
        const std::size_t space = words.find(' ');
        const auto recording =
            written(words.substr(0, space), words.substr(space) + " --screen " + kOneScreen);
        ASSERT_NE(recording->info().aberration, nullptr) << kind;
        EXPECT_NEAR(figures(*recording).delayRmsS, 50e-9, 1e-12) << kind;
        EXPECT_NEAR(figures(*recording).gainRmsDb, 3.0, 1e-6) << kind;
    }
    // Rows and columns hear the point of the truth at other places than their middles, but for the
    // axis: there these are the same.
    const auto lines =
        written("row-column", std::string("--lines 6 --angles 0 --screen ") + kOneScreen);
    EXPECT_NEAR(figures(*lines).delayRmsS, 50e-9, 1e-12);
    EXPECT_EQ(written("plane-wave", "--elements 16 --angles 0")->info().aberration, nullptr);
}

TEST_F(SimulateScreens, ItsNoteIsACommandThatGivesTheSameSamples) {
    for (const std::string kind : {"plane-wave", "diverging"}) {
        const auto first =
            written(kind, "--elements 16 --wall abersim --screens-on receive --frames 2 --seed 4");
        std::string source;
        for (const auto& [name, text] : first->info().notes)
            if (name == "source") source = text;
        auto words = wordsOf(source);
        ASSERT_EQ(words.at(0), "echolux");
        words.erase(words.begin());
        words.insert(words.end(), {"-o", file(kind)});
        ASSERT_EQ(runEcholux(words).status, 0) << source;
        const auto second = openRecording(file(kind));
        for (const std::int64_t i : {0, 1}) EXPECT_EQ(frameOf(*first, i), frameOf(*second, i));
        EXPECT_EQ(*first->info().aberration, *second->info().aberration);
    }
    const auto notes = written("plane-wave", "--elements 12 --screen delay=37.5,length=4x100mm "
                                             "--screen depth=5mm,seed=77 --seed 4")
                           ->info()
                           .notes;
    EXPECT_THAT(notes,
                Contains(Pair("screen 1", "37.5 ns and 0 dB rms, correlated over 4 x 100 mm, "
                                          "0 mm deep, seed 4")));
    EXPECT_THAT(notes, Contains(Pair("screen 2", HasSubstr("5 mm deep, seed 77"))));
    EXPECT_THAT(notes, Contains(Pair("screens passed by", "sent waves and echoes")));
    EXPECT_THAT(notes,
                Contains(Pair("source", HasSubstr("--screen delay=37.5ns,gain=0dB,length=4x100mm,"
                                                  "depth=0mm,seed=4 --screen delay=50ns"))));
}

TEST_F(SimulateScreens, InfoShowsAndExportKeepsIt) {
    const auto recording =
        written("plane-wave", std::string("--elements 64 --angles 0 --screen ") + kOneScreen);
    const CommandResult text = runEcholux({"info", file("a.h5")});
    EXPECT_THAT(text.out, HasSubstr("delays of 50.0 ns rms"));
    EXPECT_THAT(text.out, HasSubstr("mm along x"));
    EXPECT_THAT(text.out, HasSubstr("amplitudes of 3.0 dB rms"));
    const auto json = nlohmann::json::parse(runEcholux({"info", file("a.h5"), "--json"}).out);
    EXPECT_EQ(json["aberration"]["delay_s"].size(), 64U);
    EXPECT_NEAR(json["aberration"]["delay_rms_s"].get<double>(), 50e-9, 1e-12);
    EXPECT_NEAR(json["aberration"]["correlation_length_m"][0].get<double>(), 2e-3, 1e-3);
    const CommandResult copied = runEcholux(
        {"export", file("a.h5"), "-o", file("b.echolux.h5"), "--output-of", "recording"});
    ASSERT_EQ(copied.status, 0) << copied.err;
    const auto copy = openRecording(file("b.echolux.h5"));
    ASSERT_NE(copy->info().aberration, nullptr);
    EXPECT_EQ(*copy->info().aberration, *recording->info().aberration);
}

// The command of testdata/README.md, with quicker compression.
TEST_F(SimulateScreens, TheBundledCineIsWhatItsCommandWrites) {
    const auto made = written(
        "plane-wave",
        "--phantom cine --frames 16 --frame-rate 25 --elements 64 --pitch 0.3 --fc 5 --bandwidth "
        "60 --fs 20 --angles -8:8:8 --start-depth 3 --depth 27 --attenuation 0.2 --snr 40 --bits "
        "10 --seed 1 --screen delay=50ns,gain=2dB,length=3mm,depth=0mm,seed=1 --screens-on receive "
        "--compression 1");
    const auto bundled = openRecording(ECHOLUX_SOURCE_DIR "/testdata/aberrated_cine.echolux.h5");
    EXPECT_TRUE(bundled->info().warnings.empty());
    EXPECT_LT(std::filesystem::file_size(bundled->info().path), 3000000U);
    ASSERT_EQ(made->info().frameCount, 16);
    ASSERT_EQ(bundled->info().frameCount, 16);
    for (std::int64_t i = 0; i < 16; ++i)
        ASSERT_TRUE(frameOf(*made, i) == frameOf(*bundled, i)) << "frame " << i;
    ASSERT_NE(bundled->info().aberration, nullptr);
    EXPECT_EQ(*made->info().aberration, *bundled->info().aberration);
    EXPECT_NEAR(figures(*bundled).delayRmsS, 50e-9, 1e-15);
}

/// What an image does not show: the phantom and the noise stay those of the same command without.
TEST_F(SimulateScreens, OfNoStrengthChangesNothing) {
    const auto bare = written("plane-wave", "--elements 12 --angles 0,5");
    const auto before = frameOf(*bare, 0);
    const auto past = written("plane-wave", "--elements 12 --angles 0,5 --screen delay=0");
    EXPECT_EQ(frameOf(*past, 0), before);
    for (const double delay : past->info().aberration->delayS) EXPECT_EQ(delay, 0.0);
}

TEST_F(SimulateScreens, RefusesInOneSentenceAndLeavesNothing) {
    const auto refusal = [&](const std::string& more) {
        const CommandResult result = simulate("plane-wave", file("a.h5"), "--elements 8 " + more);
        EXPECT_EQ(result.status, 2) << more;
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
        EXPECT_TRUE(std::filesystem::is_empty(m_folder.path()));
        return result.err;
    };
    EXPECT_THAT(refusal("--screen delay"), HasSubstr("'delay' without a value"));
    EXPECT_THAT(refusal("--screen delay=fifty"),
                AllOf(HasSubstr("'fifty'"), HasSubstr("number of ns")));
    EXPECT_THAT(refusal("--screen delay=50mm"), HasSubstr("'50mm'"));
    EXPECT_THAT(refusal("--screen length=3x"), HasSubstr("a number of mm belongs"));
    EXPECT_THAT(refusal("--screen length=0"), HasSubstr("length is 0 mm"));
    EXPECT_THAT(refusal("--screen delay=nan"), HasSubstr("delay is nan ns"));
    EXPECT_THAT(refusal("--screen depth=21"), HasSubstr("depth is 21 mm"));
    EXPECT_THAT(refusal("--depth 15 --screen depth=18"), HasSubstr("--depth 15 mm"));
    EXPECT_THAT(refusal("--screen strength=50"), HasSubstr("none of delay, gain, length"));
    EXPECT_THAT(refusal("--screen seed=-1"), HasSubstr("where a seed"));
    EXPECT_THAT(refusal("--screen ,"), HasSubstr("says nothing"));
    EXPECT_THAT(refusal("--wall brick"), HasSubstr("no wall 'brick'"));
    EXPECT_THAT(refusal("--wall abersim --screen delay=50"), HasSubstr("room for 8"));
    EXPECT_THAT(refusal("--screens-on transmit"), HasSubstr("--screens-on"));
}

TEST(ScreenText, MayHaveSpacesAndUnits) {
    const ScreenDesign design =
        parseScreen("delay=50ns gain=3dB length=3mm depth=2.5mm seed=9", ScreenDesign{});
    EXPECT_DOUBLE_EQ(design.delayRmsS, 50e-9);
    EXPECT_DOUBLE_EQ(design.gainRmsDb, 3.0);
    EXPECT_DOUBLE_EQ(design.lengthXM, 3e-3);
    EXPECT_DOUBLE_EQ(design.lengthYM, 3e-3);
    EXPECT_DOUBLE_EQ(design.depthM, 2.5e-3);
    EXPECT_EQ(design.seed, 9U);
    EXPECT_EQ(parseScreen("delay=50,gain=3,length=3,depth=2.5,seed=9", ScreenDesign{}), design);
}

} // namespace
} // namespace echolux::test
