// SPDX-License-Identifier: GPL-3.0-or-later
// The sliders of the resampling curve follow the length of the lines, and settings keep the shape
// of the curve on lines of another length.
#include "app/desktop/edit_desk.hpp"
#include "gpu/oct/oct_params.hpp"
#include "tests/desktop/open_window.hpp"
#include "tests/support/oct_frames.hpp"
#include "tests/support/spans_by_key.hpp"
#include "ui/controls/number_field.hpp"
#include "ui/parameters/number_editor.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::OpenWindow;
using testing_support::spansByKey;
using testing_support::spectraSpec;

constexpr const char* kId = "k_linearize";

SnapshotPtr polynomialOn(std::int64_t samples, const PipelineConfig& config) {
    const SnapshotPtr snapshot = instantiate(config, spectraSpec(DType::U16, 4, samples));
    return withValue(*snapshot, kId, "curve", std::string("polynomial"));
}

PipelineConfig oct() { return shippedPipeline("oct"); }

TEST(ResamplingSliders, SpanHalfALine) {
    for (const std::int64_t samples : {1024, 2048, 4096}) {
        auto ranges = spansByKey(polynomialOn(samples, oct())->stage(kId));
        const double half = 0.5 * static_cast<double>(samples);
        for (const char* key : {"c0", "c1", "c2", "c3"})
            EXPECT_EQ(ranges[key], std::pair(-half, half)) << key;
    }
}

/// r(m) is (n - 1) times a function of m / (n - 1), so every second value of the curve of 2n - 1
/// samples is twice a value of the curve of n samples.
TEST(ResamplingSliders, SettingsKeepTheShapeOnOtherLines) {
    constexpr std::int64_t kShort = 513;
    constexpr std::int64_t kLong = 1025;
    SnapshotPtr made = polynomialOn(kLong, oct());
    for (const auto& [key, value] : {std::pair("c1", -31.0), {"c2", 80.0}, {"c3", -47.5}}) {
        made = withValue(*made, kId, key, value);
        for (const auto& [other, with] : made->stage(kId).companions(key))
            made = withValue(*made, kId, other, with);
    }
    EXPECT_EQ(made->stage(kId).params.as<oct::KLinearizeParams>().lineLength, kLong);
    const auto curveOf = [](const Snapshot& snapshot) {
        const StageState& stage = snapshot.stage(kId);
        return oct::resamplingCurve(stage.input(), stage.params.as<oct::KLinearizeParams>());
    };
    const SnapshotPtr taken = polynomialOn(kShort, toConfig(*made)); // what a preset holds
    const std::vector<double> longCurve = curveOf(*made);
    const std::vector<double> shortCurve = curveOf(*taken);
    ASSERT_EQ(shortCurve.size(), static_cast<std::size_t>(kShort));
    for (std::size_t m = 0; m < shortCurve.size(); ++m)
        ASSERT_NEAR(2.0 * shortCurve[m], longCurve[2 * m], 1e-9) << m;
    const double u = 100.0 / 512.0;
    EXPECT_NEAR(shortCurve[100], 512.0 * u + 0.5 * (-31.0 * u + 80.0 * u * u - 47.5 * u * u * u),
                1e-9);
    EXPECT_EQ(spansByKey(taken->stage(kId))["c2"].second, 512.5)
        << "the sliders count in samples of the lines that the settings were made for";
}

/// Settings that do not say for which lines they are count in the samples of any line.
TEST(ResamplingSliders, SettingsWithoutALengthStayAsTheyAre) {
    SnapshotPtr snapshot = polynomialOn(1025, oct());
    snapshot = withValue(*snapshot, kId, "c0", 12.5);
    const StageState& stage = snapshot->stage(kId);
    EXPECT_EQ(oct::resamplingCurve(stage.input(), stage.params.as<oct::KLinearizeParams>())[0],
              12.5);
}

TEST(ResamplingSliders, AMovedSliderStatesTheLengthInTheSameStep) {
    OpenWindow window(testing_support::bundled("retina_cine.echolux.h5"));
    ASSERT_TRUE(window.showsFrames(1));
    ParameterPanel& panel = window.desktop.window().parameters();
    const auto length = [&] {
        return window.desktop.session().snapshot()->stage(kId).params.get("line_length");
    };
    emit panel.parameterEdited(kId, "curve", std::string("polynomial"));
    emit panel.parameterEdited(kId, "c2", 25.0);
    EXPECT_EQ(length(), ParamValue(std::int64_t{512}));
    const auto* c2 = qobject_cast<NumberEditor*>(panel.group(kId)->row("c2")->editor());
    EXPECT_DOUBLE_EQ(c2->field()->scale().position(256.0), 1.0);
    emit panel.parameterEdited(kId, "line_length", std::int64_t{2048});
    EXPECT_DOUBLE_EQ(c2->field()->scale().position(1024.0), 1.0);
    window.desktop.edits().undo();
    EXPECT_DOUBLE_EQ(c2->field()->scale().position(256.0), 1.0);
    window.desktop.edits().undo();
    EXPECT_EQ(length(), ParamValue(std::int64_t{0}));
    EXPECT_EQ(window.value(kId, "c2"), 0.0);
}

} // namespace
} // namespace echolux
