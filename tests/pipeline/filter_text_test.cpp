// SPDX-License-Identifier: GPL-3.0-or-later
// The language of van Bavel's framework (2013): its two listings, and what is refused.
#include "app/pipeline/filter_text.hpp"
#include "app/pipeline/runner.hpp"
#include "gpu/core/error.hpp"
#include "tests/pipeline/test_frames.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace echolux {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kListing = R"(environment cuda

import esaote_cuda
import esaote_recon_cuda

filter type dc_removal name dc_removal
filter type hilbert name envelope
filter type filtfilt name bandpass

view type colormap name echoview

link source frame@environment dest in@dc_removal
link source out@dc_removal dest in@bandpass
link source out@bandpass dest in@envelope
link source out@envelope dest in@echoview
)";

constexpr const char* kParameters = R"(
set param coeffs@bandpass value float 3 [-0.0049 0.1007 0.4761]
set param window@envelope value int 1 [15]
set param amplitude@envelope value bool 1 [true]
)";

std::string textRefusal(const std::string& text) {
    try {
        parsePipeline(text, "echo.cfg");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

const StageConfig& stage(const PipelineConfig& config, const std::string& id) {
    return *std::ranges::find(config.stages, id, &StageConfig::id);
}

ParamValue value(const PipelineConfig& config, const std::string& id, const std::string& key) {
    const StageConfig& of = stage(config, id);
    return std::ranges::find(of.values, key, [](const auto& each) { return each.first; })->second;
}

TEST(FilterText, TheListingsAreRead) {
    const PipelineConfig config = parsePipeline(std::string(kListing) + kParameters, "echo.cfg");
    EXPECT_EQ(config.environment.backend, "cuda");
    EXPECT_EQ(stage(config, "envelope").type, "envelope");
    EXPECT_EQ(stage(config, "bandpass").type, "bandpass");
    EXPECT_EQ(stage(config, "echoview").type, "linear_map");
    EXPECT_EQ(std::get<std::vector<double>>(value(config, "bandpass", "coefficients")),
              (std::vector<double>{-0.0049, 0.1007, 0.4761}));
    EXPECT_EQ(std::get<std::string>(value(config, "bandpass", "design")), "coefficients");
    EXPECT_EQ(std::get<std::int64_t>(value(config, "envelope", "window")), 15);
    EXPECT_TRUE(std::get<bool>(value(config, "envelope", "amplitude")));
    EXPECT_EQ(std::get<std::string>(value(config, "echoview", "reference")), "fixed");
    ASSERT_EQ(config.views.size(), 1U);
    EXPECT_EQ(config.views[0].id, "echoview");
}

TEST(FilterText, TheListingsAreShippedAsPublished) {
    const auto same = [](const char* shipped, const std::string& text) {
        const PipelineConfig config = shippedPipeline(shipped);
        PipelineConfig published = parsePipeline(text, std::string(shipped) + ".cfg");
        published.name = config.name;
        EXPECT_EQ(toToml(config), toToml(published));
    };
    same("listing_4_1", kListing);
    same("listing_4_2", std::string(kListing) + kParameters);
    EXPECT_EQ(shippedPipeline("listing_4_1").name, "Van Bavel 2013, listing 4.1");
}

TEST(FilterText, AnEnvelopeWithoutAmplitudeIsTheHilbertTransform) {
    const PipelineConfig config = parsePipeline(
        std::string(kListing) + "set param amplitude@envelope value bool 1 [false]\n", "echo.cfg");
    EXPECT_FALSE(std::get<bool>(value(config, "envelope", "amplitude")));
    EXPECT_THAT(
        textRefusal(std::string(kListing) + "set param amplitude@envelope value bool 1 [1]\n"),
        HasSubstr("neither true nor false"));
}

TEST(FilterText, ACommentInTheFirstLineIsItsName) {
    EXPECT_EQ(parsePipeline(std::string("#  My echoes \r\n") + kListing, "echo.cfg").name,
              "My echoes");
    EXPECT_EQ(parsePipeline(kListing, "echo.cfg").name, "echo.cfg");
    EXPECT_EQ(parsePipeline(std::string("##\n# no name\n") + kListing, "echo.cfg").name,
              "echo.cfg");
}

/// Sentences name filters and parameters as the text does, and advise nothing that it cannot say.
TEST(FilterText, AdviceIsInTheWordsOfTheLanguage) {
    const std::string unknown =
        textRefusal(std::string(kListing) + "set param coeff@bandpass value float 1 [1]\n");
    EXPECT_THAT(unknown, HasSubstr("did you mean 'coeffs'"));
    EXPECT_THAT(unknown, Not(HasSubstr("coefficients")));
    EXPECT_THAT(unknown, HasSubstr("set param P@NAME value"));
    const std::string circle = textRefusal(
        "environment cpu\nfilter type dc_removal name a\nfilter type dc_removal name b\n"
        "link source out@a dest in@b\nlink source out@b dest in@a\n");
    EXPECT_THAT(circle, HasSubstr("circle"));
    EXPECT_THAT(circle, Not(HasSubstr("frames_before")));
    // Too many taps are seen when a recording comes.
    std::string many = "set param coeffs@bandpass value float 200 [";
    for (int i = 0; i < 200; ++i) many += "1 ";
    const std::string planned = testing_support::refusal([&] {
        instantiate(parsePipeline(kListing + many + "]\n", "echo.cfg"), test::codesSpec(1, 4, 64));
    });
    EXPECT_THAT(planned, HasSubstr("Filter 'filtfilt': parameter 'coeffs'"));
    const auto ensembles = parsePipeline("environment cpu\nfilter type analytic name a\n"
                                         "filter type displacement name d\n"
                                         "link source frame@environment dest in@a\n"
                                         "link source out@a dest in@d\n",
                                         "echo.cfg");
    const std::string moved =
        testing_support::refusal([&] { instantiate(ensembles, test::codesSpec(1, 4, 64)); });
    EXPECT_THAT(moved, AllOf(HasSubstr("echo.cfg, line 3"), Not(HasSubstr("bypass"))));
}

TEST(FilterText, RunsInTheOrderOfItsLinks) {
    std::string text = kListing;
    text = text.substr(0, text.find("view type")); // up to the envelope
    text += "link source frame@environment dest in@dc_removal\n"
            "link source out@dc_removal dest in@bandpass\n"
            "link source out@bandpass dest in@envelope\n";
    const SnapshotPtr snapshot =
        instantiate(parsePipeline(text, "echo.cfg"), test::codesSpec(1, 4, 64));
    std::vector<std::string> ids;
    for (const StageState& each : snapshot->stages) ids.push_back(each.id);
    EXPECT_THAT(ids, testing::ElementsAre("to_float", "dc_removal", "bandpass", "envelope"));
}

TEST(FilterText, ReadsWindowsLineEndsCommentsAndOwnTypes) {
    const PipelineConfig config =
        parsePipeline("# mine\r\nenvironment cpu\r\nfilter type to_float name codes\r\n"
                      "filter type tgc name gain\r\n"
                      "link source frame@environment dest in@codes\r\n"
                      "link source out@codes dest in@gain\r\n",
                      "echo.cfg");
    EXPECT_EQ(config.stages.size(), 2U) << "to_float stands there already";
    EXPECT_EQ(config.environment.backend, "cpu");
}

TEST(FilterText, RefusalsNameLineAndRemedy) {
    const std::string listing = kListing;
    EXPECT_THAT(textRefusal("environment opencl\n"),
                AllOf(HasSubstr("echo.cfg, line 1, column 13"), HasSubstr("cuda or cpu")));
    EXPECT_THAT(textRefusal("environment cuda\nimport my_filters\n"),
                AllOf(HasSubstr("line 2"), HasSubstr("no plugin 'my_filters'")));
    EXPECT_THAT(textRefusal("environment cuda\nfilter type hilbret name e\n"),
                AllOf(HasSubstr("'hilbret'"), HasSubstr("did you mean 'hilbert'?")));
    EXPECT_THAT(textRefusal("environment cuda\nfliter type hilbert name e\n"),
                HasSubstr("did you mean 'filter'?"));
    EXPECT_THAT(textRefusal("environment cuda\nfilter type hilbert\n"),
                HasSubstr("reads 'filter type * name *'"));
    EXPECT_THAT(textRefusal(listing + "link source out@bandpass dest in@echoview\n"),
                HasSubstr("two links lead to 'in@echoview'"));
    EXPECT_THAT(textRefusal("environment cuda\nfilter type hilbert name e\n"),
                HasSubstr("nothing leads to in@e"));
    EXPECT_THAT(textRefusal("environment cuda\n"), HasSubstr("names no filter"));
    EXPECT_THAT(textRefusal(listing + "set param coeffs@bandpass value float 2 [1 2 3]\n"),
                AllOf(HasSubstr("2 values are announced"), HasSubstr("3 stand")));
    EXPECT_THAT(textRefusal(listing + "set param coeffs@bandpass value float 1 [x]\n"),
                HasSubstr("'x' is no number"));
    for (const char* unfit : {"15.9", "15.0", "1e1", "nan", "inf", "x"}) {
        EXPECT_THAT(
            textRefusal(listing + "set param window@envelope value int 1 [" + unfit + "]\n"),
            AllOf(HasSubstr("line 16, column 39"), HasSubstr("'" + std::string(unfit)),
                  HasSubstr("is no whole number")));
        EXPECT_THAT(
            textRefusal(listing + "set param coeffs@bandpass value int 1 [" + unfit + "]\n"),
            HasSubstr("is no whole number"));
    }
    EXPECT_THAT(
        textRefusal(listing + "set param window@envelope value int 1 [99999999999999999999]\n"),
        HasSubstr("is too large for a whole number"));
    EXPECT_THAT(textRefusal(listing + "set param window@envelope value int 1.0 [15]\n"),
                HasSubstr("'1.0' is no whole number"));
    for (const char* unfit : {"nan", "-inf"})
        EXPECT_THAT(
            textRefusal(listing + "set param coeffs@bandpass value float 1 [" + unfit + "]\n"),
            HasSubstr("is no number"));
    EXPECT_THAT(textRefusal(listing + "set param window@envelope value int 1 15\n"),
                HasSubstr("stand in brackets"));
    EXPECT_THAT(textRefusal(listing + "set param width@envelope value int 1 [15]\n"),
                HasSubstr("no parameter 'width'"));
    EXPECT_THAT(textRefusal(listing + "set param window@hilbert value int 1 [15]\n"),
                HasSubstr("no filter or view 'hilbert'"));
}

/// Words and signs of both languages, torn apart and put together anew: read or refused, never
/// anything else.
TEST(FilterText, BothParsersSurviveWhatIsNoPipeline) {
    const std::string toml = toToml(shippedPipeline("rf"));
    const std::string listing = std::string(kListing) + kParameters;
    std::mt19937 random(1);
    const auto any = [&](std::size_t below) {
        return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
    };
    int refused = 0;
    constexpr int kTries = 4000;
    for (int i = 0; i < kTries; ++i) {
        std::string text = i % 2 == 0 ? toml : listing;
        for (std::size_t edits = any(4) + 1; edits > 0; --edits) {
            const std::size_t at = any(text.size());
            switch (any(4)) {
            case 0: text.erase(at, any(20) + 1); break;
            case 1: text.insert(at, 1, static_cast<char>(any(256))); break;
            case 2: text.insert(at, text.substr(any(text.size()), any(40))); break;
            default: text[at] = static_cast<char>(any(128)); break;
            }
            if (text.empty()) text = "x";
        }
        try {
            parsePipeline(text, "torn");
        } catch (const Error& error) {
            ++refused;
            ASSERT_THAT(error.what(), HasSubstr("torn"));
        }
    }
    EXPECT_GT(refused, kTries / 4);
}

TEST(FilterText, ALinkNamesTheOutputThatItTakes) {
    const std::string text = "environment cpu\n"
                             "filter type reconstruction name das\n"
                             "view type one_transmit name one\n"
                             "link source frame@environment dest in@das\n";
    const PipelineConfig config =
        parsePipeline(text + "link source transmits@das dest in@one\n", "two.cfg");
    EXPECT_EQ(config.links.back().from, (PortName{"transmits", "das"}));
    EXPECT_THAT(testing_support::refusal([&] {
                    parsePipeline(text + "link source transmit@das dest in@one\n", "two.cfg");
                }),
                testing::AllOf(testing::HasSubstr("line 5"),
                               testing::HasSubstr("did you mean 'transmits'")));
}

} // namespace
} // namespace echolux
