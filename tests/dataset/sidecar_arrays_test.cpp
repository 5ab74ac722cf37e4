// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars of curved, matrix and row-column arrays, sub-apertures and beams, and what they refuse.
#include "app/dataset/transmit/array_kind.hpp"
#include "tests/dataset/sidecar_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class SidecarArrays : public SidecarTest {
protected:
    std::shared_ptr<const Acquisition> described(const Parts& parts) {
        return open(parts)->info().frame.acquisition;
    }
    /// Three channels of four samples in two transmits.
    static Parts with(const std::string& probe, const std::string& transmit) {
        Parts parts;
        parts.probe = probe;
        parts.transmit = transmit;
        return parts;
    }
    /// Four channels of three samples in two transmits.
    static Parts withFour(const std::string& probe, const std::string& transmit) {
        Parts parts = with(probe, transmit);
        parts.data = "dtype = \"<i2\"\nshape = [2, 4, 3]\n"
                     "axes = [\"transmit\", \"channel\", \"sample\"]\n";
        return parts;
    }
};

const std::string kPlane = "angles_deg = [-10, 10]\n";

TEST_F(SidecarArrays, AMatrixHasColumnsRowsAndGaps) {
    const auto acquisition =
        described(withFour("pitch = 0.3e-3\npitch_y = 0.4e-3\ncolumns = 2\nrows = 2\n"
                           "rows_per_block = 1\ngap = 0.1e-3\nelement_height = 0.35e-3\n"
                           "elevation_focus = 30e-3\n",
                           "angles_deg = [-10, 10]\nelevations_deg = [5, 0]\n"
                           "steering = \"projections\"\n"));
    const auto& elements = acquisition->probe.elements;
    EXPECT_NEAR(elements[0].x, -0.15e-3, 1e-12);
    EXPECT_NEAR(elements[1].x, 0.15e-3, 1e-12);
    EXPECT_NEAR(elements[0].y, -0.25e-3, 1e-12);
    EXPECT_NEAR(elements[3].y, 0.25e-3, 1e-12);
    EXPECT_EQ(acquisition->probe.elementHeightM, 0.35e-3);
    EXPECT_EQ(acquisition->probe.elevationFocusM, 30e-3);
    EXPECT_EQ(acquisition->steering, Steering::Projections);
    EXPECT_NEAR(acquisition->transmits[0].elevationRad, 5 * kDeg, 1e-12);
    EXPECT_EQ(describe(arrayKindOf(acquisition->probe, 1500)), "matrix array, 2 x 2 elements");
}

TEST_F(SidecarArrays, RowsAndColumnsAreLongLines) {
    const auto acquisition =
        described(with("row_column = true\npitch = 0.2e-3\n",
                       "angles_deg = [5, 0]\nelevations_deg = [0, 5]\nactive_first = [0, 3]\n"
                       "active_count = 3\nreceive_first = [3, 0]\n"));
    const Probe& probe = acquisition->probe;
    ASSERT_EQ(probe.elements.size(), 6U);
    EXPECT_NEAR(probe.elements[2].x, 0.2e-3, 1e-12);
    EXPECT_EQ(probe.longAxes[2], LongAxis::Elevation);
    EXPECT_NEAR(probe.elements[3].y, -0.2e-3, 1e-12);
    EXPECT_EQ(probe.longAxes[3], LongAxis::Lateral);
    EXPECT_THAT(acquisition->receiveElements, ElementsAre(3, 4, 5, 0, 1, 2));
    EXPECT_THAT(acquisition->transmits[0].apodization, ElementsAre(1, 1, 1, 0, 0, 0));
    EXPECT_THAT(acquisition->transmits[1].apodization, ElementsAre(0, 0, 0, 1, 1, 1));
}

TEST_F(SidecarArrays, LinesOfACurvedArrayWalk) {
    const auto acquisition =
        described(with("pitch = 0.5e-3\nradius = 40e-3\ncount = 9\n",
                       "wave = \"focused\"\nfocus = 20e-3\nangles_deg = [-4, 4]\n"
                       "active_first = [0, 6]\nactive_count = 3\nreceive_first = [0, 6]\n"));
    ASSERT_EQ(acquisition->probe.elements.size(), 9U);
    const Transmit& line = acquisition->transmits[0];
    EXPECT_EQ(line.origin, acquisition->probe.elements[1]);
    EXPECT_NEAR(line.source.x, line.origin.x - 20e-3 * std::sin(4 * kDeg), 1e-12);
    EXPECT_NEAR(line.source.z, line.origin.z + 20e-3 * std::cos(4 * kDeg), 1e-12);
    EXPECT_THAT(acquisition->receiveElements, ElementsAre(0, 1, 2, 6, 7, 8));
    EXPECT_EQ(describe(arrayKindOf(acquisition->probe, 1500)),
              "curved array, 9 elements, radius 40 mm");
}

TEST_F(SidecarArrays, VirtualSourcesLieBehindTheOrigin) {
    const auto acquisition = described(
        with("pitch = 0.3e-3\n", "wave = \"diverging\"\nfocus = 10e-3\n"
                                 "angles_deg = [0, 30]\norigins = [[0, 0, 0], [1e-3, 0, 0]]\n"));
    EXPECT_NEAR(acquisition->transmits[0].source.z, -10e-3, 1e-12);
    EXPECT_NEAR(acquisition->transmits[1].source.x, 1e-3 - 5e-3, 1e-12);
    EXPECT_NEAR(acquisition->transmits[1].origin.x, 1e-3, 1e-12);
}

TEST_F(SidecarArrays, TheFirstOfTheFiringElementsStartsTheClock) {
    Parts parts = with("pitch = 0.3e-3\n", "angles_deg = [0, 10]\nactive_first = 1\n"
                                           "active_count = 2\n");
    parts.signal += "clock = \"first_element_fires\"\n";
    const auto acquisition = described(parts);
    // Elements 1 and 2 lie at 0 and 0.3 mm: the first one fires when the wave crosses the origin.
    EXPECT_NEAR(acquisition->transmits[1].firstSampleS, 0.0, 1e-15);
}

TEST_F(SidecarArrays, NormalsAndLongAxesOfListedElements) {
    const auto acquisition = described(
        with("elements = [[-1e-3, 0, 0], [0, 0, 0], [1e-3, 0, 0]]\nlong_axes = \"elevation\"\n"
             "normals = [[-0.6, 0, 0.8], [0, 0, 1], [0.6, 0, 0.8]]\n",
             kPlane + "apodization = [1, 0.5, 0]\n"));
    EXPECT_EQ(acquisition->probe.normals[2].x, 0.6);
    EXPECT_EQ(acquisition->probe.longAxes, std::vector<LongAxis>(3, LongAxis::Elevation));
    EXPECT_THAT(acquisition->transmits[1].apodization, ElementsAre(1.0F, 0.5F, 0.0F));
}

TEST_F(SidecarArrays, ReceiveWeightsOverRange) {
    const auto acquisition = described(
        with("pitch = 0.3e-3\n", kPlane + "receive_weights = [[1, 0.5], [0, 2], [0.25, 1]]\n"
                                          "receive_weights_step = 5e-3\n"));
    EXPECT_THAT(acquisition->rangeWeights.values, ElementsAre(1, 0.5F, 0, 2, 0.25F, 1));
    EXPECT_EQ(acquisition->rangeWeights.firstM, 0.0);
    EXPECT_EQ(acquisition->rangeWeights.stepM, 5e-3);
    EXPECT_THAT(described(with("pitch = 0.3e-3\n", kPlane))->rangeWeights.values,
                testing::IsEmpty());
}

TEST_F(SidecarArrays, ReceiveWeightsOverRangeFromTheDataFile) {
    const auto path = m_folder / "data.h5";
    {
        Hdf5Builder file(path);
        file.add<float>("rf", {2, 3, 4}, countedUp<float>(24));
        file.add<float>("apo", {3, 5}, countedUp<float>(15));
        file.add<float>("turned", {5, 3}, countedUp<float>(15));
        file.add<float>("flat", {15}, countedUp<float>(15));
    }
    const auto text = [](const std::string& name) {
        Parts parts;
        parts.data = "array = \"rf\"\naxes = [\"transmit\", \"channel\", \"sample\"]\n";
        parts.transmit = kPlane + "receive_weights = { from = \"" + name +
                         "\", scale = 0.5 }\nreceive_weights_first = 2e-3\n"
                         "receive_weights_step = 1e-3\n";
        return parts.text();
    };
    writeFile(m_folder / "data.toml", text("apo"));
    const RangeWeights weights = openRecording(path)->info().frame.acquisition->rangeWeights;
    ASSERT_EQ(weights.values.size(), 15U);
    EXPECT_EQ(weights.values[14], 7.0F);
    EXPECT_EQ(weights.firstM, 2e-3);
    writeFile(m_folder / "data.toml", text("turned"));
    EXPECT_THAT(refusalOf(path),
                AllOf(HasSubstr("'turned'"), HasSubstr("[5, 3]"), HasSubstr("3 rows")));
    writeFile(m_folder / "data.toml", text("flat"));
    EXPECT_THAT(refusalOf(path), HasSubstr("shape [15]"));
}

TEST_F(SidecarArrays, RefusesReceiveWeightsThatDoNotFit) {
    const auto table = [&](const std::string& text) {
        return refusal(with("pitch = 0.3e-3\n", kPlane + text));
    };
    const std::string ones = "receive_weights = [[1, 1], [1, 1], [1, 1]]\n";
    const std::string step = "receive_weights_step = 5e-3\n";
    EXPECT_THAT(table(ones), HasSubstr("receive_weights_step go together"));
    EXPECT_THAT(table(step), HasSubstr("receive_weights_step go together"));
    EXPECT_THAT(table("receive_weights_first = 1e-3\n"), HasSubstr("go together"));
    EXPECT_THAT(table("receive_weights = [1, 1, 1, 1, 1, 1]\n" + step),
                AllOf(HasSubstr("transmit.receive_weights"), HasSubstr("3 lists")));
    EXPECT_THAT(table("receive_weights = [[1, 1], [1, 1]]\n" + step), HasSubstr("3 lists"));
    EXPECT_THAT(table("receive_weights = [[1, 1], [1], [1, 1, 1]]\n" + step), HasSubstr("3 lists"));
    EXPECT_THAT(table("receive_weights = [[1, 1], [1, -1], [1, 1]]\n" + step),
                HasSubstr("negative"));
    EXPECT_THAT(table("receive_weights = [[1, 1], [1, nan], [1, 1]]\n" + step),
                HasSubstr("finite"));
    EXPECT_THAT(table(ones + "receive_weights_step = 0\n"), HasSubstr("in steps of 0 m"));
    EXPECT_THAT(table(ones + "receive_weights_step = -1e-3\n"), HasSubstr("in steps of -0.001 m"));
}

TEST_F(SidecarArrays, RefusesWhatDoesNotFit) {
    const auto probe = [&](const std::string& text) { return refusal(with(text, kPlane)); };
    const auto waves = [&](const std::string& text) {
        return refusal(with("pitch = 0.3e-3\n", text));
    };
    EXPECT_THAT(probe("pitch = 0.3e-3\ncolumns = 3\n"), HasSubstr("both columns and rows"));
    EXPECT_THAT(probe("pitch = 0.3e-3\ncolumns = 2\nrows = 2\n"),
                AllOf(HasSubstr("4 elements"), HasSubstr("3 channels")));
    EXPECT_THAT(probe("pitch = 0.3e-3\ncolumns = 1.5\nrows = 2\n"),
                AllOf(HasSubstr("probe.columns is 1.5"), HasSubstr("whole number")));
    EXPECT_THAT(probe("pitch = 0.3e-3\ncolumns = 3\nrows = 1\npitch_y = -1\n"),
                AllOf(HasSubstr("probe.pitch_y"), HasSubstr("greater than 0")));
    EXPECT_THAT(probe("pitch = 0.3e-3\nradius = 0.05\ncolumns = 3\nrows = 1\n"),
                AllOf(HasSubstr("'probe.radius'"), HasSubstr("curved row")));
    EXPECT_THAT(probe("x = [0, 1e-3, 2e-3]\ncolumns = 3\nrows = 1\n"),
                HasSubstr("array by its pitch"));
    EXPECT_THAT(probe("pitch = 0.3e-3\ngap = 1e-3\n"), HasSubstr("belong to a matrix"));
    EXPECT_THAT(probe("pitch = 0.3e-3\nelement_height = -1e-3\n"),
                HasSubstr("probe.element_height is -0.001 m"));
    EXPECT_THAT(probe("pitch = 0.3e-3\nlong_axes = [\"depth\"]\n"),
                HasSubstr("cannot hold 'depth'"));
    EXPECT_THAT(probe("pitch = 0.3e-3\nlong_axes = [\"lateral\", \"none\"]\n"),
                AllOf(HasSubstr("2 entries"), HasSubstr("3 elements")));
    EXPECT_THAT(probe("pitch = 0.3e-3\nnormals = [0, 0, 1]\n"), HasSubstr("3 points need 9"));
    EXPECT_THAT(probe("pitch = 0.3e-3\nnormals = [[0, 0, 2], [0, 0, 1], [0, 0, 1]]\n"),
                AllOf(HasSubstr("normal"), HasSubstr("element 0"), HasSubstr("length 2")));
    EXPECT_THAT(probe("pitch = 0.3e-3\ncount = 5\n"),
                AllOf(HasSubstr("5 elements"), HasSubstr("3 channels"),
                      HasSubstr("transmit.receive_first")));
    EXPECT_THAT(waves("angles = [-10, 10]\n"),
                AllOf(HasSubstr("angle of transmit 1"), HasSubstr("-10 rad")));
    EXPECT_THAT(waves(kPlane + "elevations = [0, 5]\n"),
                AllOf(HasSubstr("elevation of transmit 2"), HasSubstr("5 rad")));
    EXPECT_THAT(waves(kPlane + "elevations = [0, 0.1]\nelevations_deg = [0, 5]\n"),
                HasSubstr("elevations_deg are both given"));
    EXPECT_THAT(waves(kPlane + "steering = \"sideways\"\n"), HasSubstr("tilts, projections"));
    EXPECT_THAT(waves(kPlane + "focus = 0.02\n"), HasSubstr("'transmit.focus' belongs to"));
    EXPECT_THAT(waves("wave = \"focused\"\n"), HasSubstr("'transmit.sources' is missing"));
    EXPECT_THAT(waves("wave = \"focused\"\nfocus = -0.02\n"), HasSubstr("above 0"));
    EXPECT_THAT(waves("wave = \"focused\"\nfocus = 0.02\nsources = [0, 0, 1, 0, 0, 1]\n"),
                HasSubstr("keep one"));
    EXPECT_THAT(waves(kPlane + "active_first = 0\n"), HasSubstr("go together"));
    EXPECT_THAT(
        waves(kPlane + "active_first = 2\nactive_count = 2\n"),
        AllOf(HasSubstr("transmit 1"), HasSubstr("2 elements from element 2"), HasSubstr("are 3")));
    EXPECT_THAT(waves(kPlane + "active_first = -1\nactive_count = 2\n"), HasSubstr("element -1"));
    EXPECT_THAT(waves(kPlane + "apodization = [1, 1]\n"),
                AllOf(HasSubstr("need 6, or 3"), HasSubstr("transmit.apodization")));
    EXPECT_THAT(waves(kPlane + "apodization = [0, 0, 0]\n"), HasSubstr("no element fires"));
    EXPECT_THAT(waves(kPlane + "receive_first = 1\n"),
                AllOf(HasSubstr("element 3"), HasSubstr("0 to 2")));
    EXPECT_THAT(waves(kPlane + "receive_elements = [0, 1]\n"),
                AllOf(HasSubstr("need 6, or 3"), HasSubstr("transmit.receive_elements")));
    EXPECT_THAT(waves(kPlane + "receive_elements = [0, 1, 1.5]\n"), HasSubstr("element 1.5"));
    EXPECT_THAT(waves(kPlane + "origins = [0, 0, 0]\n"), HasSubstr("2 points need 6"));
}

} // namespace
} // namespace echolux::test
