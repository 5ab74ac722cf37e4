// SPDX-License-Identifier: GPL-3.0-or-later
// echolux simulate --pulses, --harmonic, --chirp, --code: what is written and what is refused.
#include "gpu/decoding/codes.hpp"
#include "tests/commands/simulated.hpp"
#include "tests/support/command_line.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

class SimulatePulses : public SimulateTest {
protected:
    static std::vector<std::string> wordsOf(const std::string& text) {
        std::vector<std::string> all;
        std::istringstream words(text);
        for (std::string word; words >> word;) all.push_back(word);
        return all;
    }
    static CommandResult simulate(const std::string& output, const std::string& kind) {
        auto all = wordsOf("simulate " + kind + " --phantom points --frames 1 --depth 12");
        all.insert(all.end(), {"-o", output});
        return runEcholux(all);
    }
    std::unique_ptr<Recording> written(const std::string& kind) {
        const CommandResult result = simulate(file("a.h5"), kind + " --force");
        EXPECT_EQ(result.status, 0) << result.err;
        return openRecording(file("a.h5"));
    }
    static const std::vector<Transmit>& transmitsOf(const Recording& recording) {
        return recording.info().frame.acquisition->transmits;
    }
};

TEST_F(SimulatePulses, EachWaveIsSentWithEachPulse) {
    for (const auto& [kind, waves] :
         {std::pair{"focused --elements 8 --active 4 --lines 3 --focus 8", 3},
          std::pair{"full-matrix --elements 4", 4},
          std::pair{"diverging --array phased --elements 8 --waves 2", 2},
          std::pair{"matrix --columns 3 --rows 2 --angles 0 --elevations 0", 1},
          std::pair{"row-column --lines 4 --angles 0", 2}}) {
        const std::string words(kind);
        const auto twice = written(words + " --pulses inverted --harmonic 0.2");
        EXPECT_EQ(transmitsOf(*twice).size(), 2U * waves) << kind;
        EXPECT_NEAR(twice->info().frame.samplingFrequencyHz(), 40e6, 1e-3) << "8 fc";
        EXPECT_THAT(twice->info().notes, Contains(Pair("pulses", HasSubstr("p, -p"))));
        EXPECT_THAT(twice->info().notes, Contains(Pair("second harmonic", HasSubstr("0.2"))));
        const auto thrice = written(words + " --pulses three");
        EXPECT_EQ(transmitsOf(*thrice).size(), 3U * waves) << kind;
        EXPECT_NEAR(thrice->info().frame.samplingFrequencyHz(), 20e6, 1e-3);
        EXPECT_EQ(transmitsOf(*written(words + " --pulses amplitude")).size(), 3U * waves);
        EXPECT_TRUE(thrice->info().warnings.empty());
    }
    EXPECT_THAT(written("full-matrix --elements 4")->info().notes,
                AllOf(Not(Contains(Key("pulses"))), Not(Contains(Key("code"))),
                      Not(Contains(Key("chirp")))));
}

TEST_F(SimulatePulses, ChirpsAreNoted) {
    const auto recording =
        written("focused --elements 8 --active 4 --lines 1 --focus 8 --chirp 3-7 --chirp-length 5");
    EXPECT_THAT(recording->info().notes,
                Contains(Pair("chirp", AllOf(HasSubstr("3 to 7 MHz in 5 us"),
                                             HasSubstr("begins at its time of flight")))));
    const auto shorter = written("focused --elements 8 --active 4 --lines 1 --focus 8");
    EXPECT_NEAR(static_cast<double>(recording->info().frame.sizeOf(AxisName::Sample)),
                static_cast<double>(shorter->info().frame.sizeOf(AxisName::Sample)) + 100.0, 1.0);
}

TEST_F(SimulatePulses, CodesAreKeptAsWeights) {
    const auto expectWeights = [&](const std::string& kind, const decoding::CodeMatrix& matrix) {
        const auto recording = written(kind);
        EXPECT_TRUE(recording->info().warnings.empty());
        const auto& transmits = transmitsOf(*recording);
        ASSERT_EQ(transmits.size(), matrix.rows);
        for (std::size_t t = 0; t < matrix.rows; ++t) {
            EXPECT_EQ(transmits[t].wave, Wave::Plane);
            EXPECT_EQ(transmits[t].angleRad, 0.0);
            EXPECT_EQ(transmits[t].firstSampleS, transmits[0].firstSampleS);
            for (std::size_t e = 0; e < matrix.rows; ++e)
                EXPECT_EQ(transmits[t].apodization[e], float(matrix.at(t, e))) << kind;
        }
    };
    expectWeights("full-matrix --elements 8 --code hadamard", decoding::hadamard(8));
    expectWeights("full-matrix --elements 7 --code s_sequence", decoding::sMatrix(7));
    expectWeights("full-matrix --array curved --elements 7 --radius 20 --code s_sequence",
                  decoding::sMatrix(7));
    const auto delays = written("full-matrix --elements 4 --code hadamard_delays");
    EXPECT_EQ(transmitsOf(*delays)[3].apodization, std::vector<float>(4, 1.0F));
    EXPECT_THAT(delays->info().notes, Contains(Pair("code", HasSubstr("hadamard_delays"))));
    EXPECT_EQ(
        transmitsOf(*written("full-matrix --elements 4 --code hadamard --pulses inverted")).size(),
        8U);
}

TEST_F(SimulatePulses, ItsNoteIsACommandThatGivesTheSameSamples) {
    const auto first = written("full-matrix --elements 4 --code hadamard --pulses three "
                               "--harmonic 0.3 --chirp 7-4 --chirp-length 3 --seed 5");
    std::string source;
    for (const auto& [name, text] : first->info().notes)
        if (name == "source") source = text;
    auto words = wordsOf(source);
    ASSERT_EQ(words.at(0), "echolux");
    words.erase(words.begin());
    words.insert(words.end(), {"-o", file("b.h5")});
    ASSERT_EQ(runEcholux(words).status, 0) << source;
    EXPECT_EQ(frameOf(*first, 0), frameOf(*openRecording(file("b.h5")), 0));
}

TEST_F(SimulatePulses, RefusesInOneSentenceAndLeavesNothing) {
    const auto refusal = [&](const std::string& kind) {
        const CommandResult result = simulate(file("no.h5"), kind);
        EXPECT_EQ(result.status, 2) << kind;
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
        EXPECT_FALSE(std::filesystem::exists(file("no.h5")));
        return result.err;
    };
    EXPECT_THAT(refusal("focused --pulses twice"), HasSubstr("--pulses"));
    EXPECT_THAT(refusal("focused --harmonic 2"), HasSubstr("--harmonic is 2"));
    EXPECT_THAT(refusal("focused --harmonic 0.1 --fs 20"), HasSubstr("second harmonic"));
    EXPECT_THAT(refusal("focused --chirp 3"), HasSubstr("write it like --chirp 3-7"));
    EXPECT_THAT(refusal("focused --chirp 3-x"), HasSubstr("write it like --chirp 3-7"));
    EXPECT_THAT(refusal("focused --chirp 3-7 --chirp-length 9000"), HasSubstr("--chirp-length"));
    EXPECT_THAT(refusal("full-matrix --elements 12 --code hadamard"), HasSubstr("8 or 16"));
    EXPECT_THAT(refusal("full-matrix --elements 16 --code s_sequence"), HasSubstr("15 or 31"));
    EXPECT_THAT(refusal("full-matrix --elements 8 --code golay"), HasSubstr("--code"));
    EXPECT_THAT(refusal("one-way --pulses inverted"), HasSubstr("--pulses"));
}

} // namespace
} // namespace echolux::test
