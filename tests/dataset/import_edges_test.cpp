// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptions that just fit or just do not, the first frame of those that do not, and their rows
// as text.
#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/import_array.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/dataset/sidecar/described_rows.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kBytes = 1024;

/// 4 frames of 2 transmits, 4 channels and 16 samples in kBytes.
ChannelImport fittingEchoes() {
    using enum ArrayAxis;
    ChannelImport import;
    import.type = parseElementType("<i2");
    import.axes = {{Frame, -1}, {Transmit, 2}, {Channel, 4}, { Sample, 16 }};
    import.samplingFrequencyHz = 20e6;
    import.centreFrequencyHz = 5e6;
    import.pitchM = 0.3e-3;
    import.anglesRad = {0.0, 0.1};
    return import;
}

template <class Import> struct ImportCase {
    const char* name;
    void (*change)(Import&);
    bool fits;
    const char* says;       ///< part of the sentence
    const char* firstFrame; ///< part of the error of firstFrame(); empty: there is one
};

template <class Import> std::string firstFrameFails(const Import& import, std::uint64_t bytes) {
    try {
        firstFrame(import, bytes);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(ImportedEchoes, FitOrSayWhatIsMissing) {
    using enum ArrayAxis;
    using Array = ChannelImport::Array;
    const std::vector<ImportCase<ChannelImport>> cases{
        {"as they are", [](ChannelImport&) {}, true, "", ""},
        {"an estimate of nothing",
         [](ChannelImport& i) {
             i.centreEstimated = true;
             i.centreFrequencyHz = 0.0;
         },
         true, "", ""},
        {"an estimated frequency", [](ChannelImport& i) { i.centreEstimated = true; }, true,
         "estimated", ""},
        {"a beam without a focus", [](ChannelImport& i) { i.wave = Wave::Focused; }, false, "focus",
         ""},
        {"a beam",
         [](ChannelImport& i) {
             i.wave = Wave::Focused;
             i.focusM = 20e-3;
         },
         true, "", ""},
        {"a matrix without columns",
         [](ChannelImport& i) {
             i.array = Array::Matrix;
             i.rows = 2;
         },
         false, "columns", ""},
        {"a matrix without rows",
         [](ChannelImport& i) {
             i.array = Array::Matrix;
             i.columns = 2;
         },
         false, "rows", ""},
        {"a matrix",
         [](ChannelImport& i) {
             i.array = Array::Matrix;
             i.columns = 2;
             i.rows = 2;
         },
         true, "", ""},
        {"an angle too many", [](ChannelImport& i) { i.anglesRad.push_back(0.2); }, false,
         "There are 3 angles", ""},
        {"open transmits",
         [](ChannelImport& i) {
             i.axes = {{Transmit, -1}, {Channel, 4}, {Sample, 16}};
             i.anglesRad.clear();
         },
         false, "", ""},
        {"an open axis without a meaning",
         [](ChannelImport& i) {
             i.axes = {{std::nullopt, -1}, {Channel, 4}, {Sample, 16}};
         },
         false, "", "must be one of frame"},
        {"more than the file has", [](ChannelImport& i) { i.axes[3].size = 600; }, false,
         "more than the file has", ""},
        {"pairs far apart",
         [](ChannelImport& i) {
             i.axes = {{Iq, 2}, {Channel, 4}, {Sample, 600}};
             i.anglesRad.clear();
         },
         false, "more", ""},
        {"lines longer than the file",
         [](ChannelImport& i) {
             i.axes = {{Channel, 4}, {Sample, 6000}};
             i.anglesRad.clear();
         },
         false, "more", ""},
        {"behind a header as long as the file", [](ChannelImport& i) { i.headerBytes = kBytes; },
         false, "", "file is too small"},
        {"a rest", [](ChannelImport& i) { i.axes[3].size = 15; }, false, "too few for one more",
         ""},
        {"in an array of a file",
         [](ChannelImport& i) {
             i.type.reset();
             i.name = "rf";
             i.axes[0].size = 4;
         },
         true, "", ""},
    };
    for (const auto& each : cases) {
        SCOPED_TRACE(each.name);
        ChannelImport import = fittingEchoes();
        each.change(import);
        const ChannelFit fit = checkChannelImport(import, kBytes);
        EXPECT_EQ(fit.fits, each.fits) << fit.sentence;
        EXPECT_THAT(fit.sentence, HasSubstr(each.says));
        const std::string failed = firstFrameFails(import, kBytes);
        EXPECT_EQ(failed.empty(), *each.firstFrame == '\0') << failed;
        EXPECT_THAT(failed, HasSubstr(each.firstFrame));
    }
    ChannelImport nothing = fittingEchoes();
    nothing.centreEstimated = true;
    EXPECT_THAT(toSidecar(nothing), HasSubstr("centre_frequency_estimated"));
    nothing.centreFrequencyHz = 0.0;
    EXPECT_THAT(toSidecar(nothing), Not(HasSubstr("centre_frequency_estimated")));
}

/// 16 images of 4 lines and 8 depths in kBytes.
ImageImport fittingImages() {
    using enum ArrayAxis;
    ImageImport import;
    import.type = parseElementType("<i2");
    import.axes = {{Frame, -1}, {Lateral, 4}, { Depth, 8 }};
    import.depthStepM = 1e-4;
    import.lateralStepM = 1e-3;
    return import;
}

TEST(ImportedImages, FitOrSayWhatDoesNot) {
    using enum ArrayAxis;
    constexpr auto kFan = ImageImport::Lines::FanOut;
    const std::vector<ImportCase<ImageImport>> cases{
        {"as they are", [](ImageImport&) {}, true, "", ""},
        {"levels in a range from the data", [](ImageImport& i) { i.form = RecordedForm::Decibels; },
         true, "", ""},
        {"levels in a range",
         [](ImageImport& i) {
             i.form = RecordedForm::Decibels;
             i.shownRangeDb = {-60, 0};
         },
         true, "", ""},
        {"levels in a range of one",
         [](ImageImport& i) {
             i.form = RecordedForm::Decibels;
             i.shownRangeDb = {-60};
         },
         false, "lower one first", "lower one first"},
        {"planes without a step",
         [](ImageImport& i) {
             i.axes[0] = {Elevation, 16};
         },
         true, "plane step", ""},
        {"planes",
         [](ImageImport& i) {
             i.axes[0] = {Elevation, 16};
             i.elevationStepM = 1e-3;
         },
         true, "", ""},
        {"two lines that fan out",
         [](ImageImport& i) {
             i.lines = kFan;
             i.axes[1].size = 2;
             i.anglesRad = {0.0, 0.1};
         },
         true, "", ""},
        {"lines from the first to the last",
         [](ImageImport& i) {
             i.lines = kFan;
             i.anglesRad = {0.0, 0.1};
         },
         true, "", ""},
        {"too many lines, from the first to the last",
         [](ImageImport& i) {
             i.lines = kFan;
             i.axes = {{Lateral, 128}, {Depth, 8}};
             i.anglesRad = {0.0, 0.1};
         },
         false, "more", ""},
        {"too many lines, each with its angle",
         [](ImageImport& i) {
             i.lines = kFan;
             i.axes = {{Lateral, 128}, {Depth, 8}};
             for (int k = 0; k < 128; ++k) i.anglesRad.push_back(0.01 * k);
         },
         false, "more", ""},
        {"too many lines side by side",
         [](ImageImport& i) {
             i.axes = {{Lateral, 128}, {Depth, 8}};
         },
         false, "more", ""},
        {"in an array of a file",
         [](ImageImport& i) {
             i.type.reset();
             i.name = "image";
             i.axes[0].size = 16;
         },
         true, "", ""},
    };
    for (const auto& each : cases) {
        SCOPED_TRACE(each.name);
        ImageImport import = fittingImages();
        each.change(import);
        const ImageFit fit = checkImageImport(import, kBytes);
        EXPECT_EQ(fit.fits, each.fits) << fit.sentence;
        EXPECT_THAT(fit.sentence, HasSubstr(each.says));
        const std::string failed = firstFrameFails(import, kBytes);
        EXPECT_EQ(failed.empty(), *each.firstFrame == '\0') << failed;
        toSidecar(import);
    }
}

TEST(ImportedSpectra, HaveLimits) {
    RawImport import;
    import.samplesPerLine = 16;
    import.linesPerBscan = 4;
    EXPECT_TRUE(checkRawImport(import, 1280).fits);
    import.trailerBytes = std::uint64_t{1} << 61;
    EXPECT_THAT(checkRawImport(import, 1280).sentence, HasSubstr("longer than any file"));
    import = {};
    import.inArray = true;
    import.shape = {std::int64_t{1} << 40, 4, 16};
    EXPECT_THAT(checkRawImport(import, 0).sentence, HasSubstr("An axis of the array has"));
    import.shape = {2, 2, 4, 16};
    EXPECT_TRUE(checkRawImport(import, 0).fits);
    import.bscansPerVolume = 2; // what the four axes say
    EXPECT_THAT(toSidecar(import), Not(HasSubstr("bscans_per_volume")));
    import.shape = {4, 4, 16};
    EXPECT_THAT(toSidecar(import), HasSubstr("bscans_per_volume = 2"));
}

template <class Import> const DescriptionRow<Import>& rowOf(std::string_view path) {
    const auto& rows = echolux::rowsOf<Import>();
    const auto row = std::ranges::find_if(rows, [&](const DescriptionRow<Import>& each) {
        return each.table != nullptr && each.path() == path;
    });
    EXPECT_NE(row, rows.end()) << path;
    return *row;
}

TEST(DescribedRowTexts, OfTypesFlagsAndNothing) {
    RawImport spectra;
    const auto& type = rowOf<RawImport>("data.dtype");
    EXPECT_THAT(takeText(type, spectra, "int15"), HasSubstr("no type of spectra"));
    EXPECT_EQ(takeText(type, spectra, "packed12"), "");
    EXPECT_EQ(textOf(type, spectra), "packed12");
    const auto& shift = rowOf<RawImport>("data.shift");
    EXPECT_TRUE(shift.applies(spectra));
    EXPECT_EQ(takeText(type, spectra, "<f4"), "");
    EXPECT_FALSE(shift.applies(spectra)) << "codes alone are shifted";
    spectra.inArray = true;
    EXPECT_TRUE(shift.applies(spectra));
    EXPECT_EQ(textOf(rowOf<ImageImport>("data.dtype"), ImageImport{}), "") << "no type";
    const auto& flag = rowOf<RawImport>("data.background_per_bscan");
    EXPECT_EQ(entryOf(flag, RowValue(std::string("first"))).second, "false");
    EXPECT_EQ(entryOf(flag, RowValue(std::string("each"))).second, "true");
    EXPECT_EQ(textOf(flag, RowValue()), "");
}

} // namespace
} // namespace echolux::test
