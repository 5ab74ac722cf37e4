// SPDX-License-Identifier: GPL-3.0-or-later
// Filters saved and loaded in both namings and both kinds of file; which of them belong to an
// array.
#include "app/aberration/filter_file.hpp"
#include "app/dataset/container/hdf5_file.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

namespace echolux::aberration {
namespace {

using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::refusal;

constexpr double kCentreHz = 3.5e6;

/// Delays beyond half a period, so that they must be unwrapped.
Filter filterOf(const ElementGrid& grid) {
    Filter filter;
    for (const std::int32_t place : grid.placeOf) {
        const double x = place % grid.columns;
        const double y = static_cast<double>(place / grid.columns);
        filter.delayS.push_back(25e-9 * x - 15e-9 * y + 4e-9 * std::sin(x * y));
        filter.amplitude.push_back(1.0 + 0.1 * std::sin(x + 2.0 * y));
        filter.coherence.push_back(0.9 - 0.01 * x);
    }
    return filter;
}

Probe line(std::size_t count, double pitchM) {
    Probe probe;
    probe.pitchM = pitchM;
    for (std::size_t e = 0; e < count; ++e)
        probe.elements.push_back(
            {(static_cast<double>(e) - 0.5 * static_cast<double>(count - 1)) * pitchM, 0.0, 0.0});
    return probe;
}

class FilterFiles : public testing::TestWithParam<std::string> {
protected:
    std::filesystem::path saved(const FilterFile& filter, FilterNaming naming,
                                const std::vector<Complex>& values = {}) const {
        const std::filesystem::path path = m_folder / ("filter" + GetParam());
        OutputFiles files(path, {}, true);
        saveFilter(files, filter, naming, "a test", values);
        files.commit();
        return path;
    }
    TemporaryFolder m_folder;
};

void expectNear(const std::vector<double>& found, const std::vector<double>& expected,
                double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

TEST_P(FilterFiles, OfAnArrayComeBackAsTheyWere) {
    const Probe probe = line(12, 3e-4);
    const ElementGrid grid = elementGrid(probe);
    const FilterFile made{filterOf(grid), kCentreHz, probe.elements, grid};
    const std::filesystem::path path = saved(made, FilterNaming::Plain);
    const FilterFile found = loadFilter(path);
    EXPECT_EQ(found.filter.delayS, made.filter.delayS);
    EXPECT_EQ(found.filter.amplitude, made.filter.amplitude);
    EXPECT_EQ(found.filter.coherence, made.filter.coherence);
    EXPECT_EQ(found.centreHz, kCentreHz);
    EXPECT_EQ(found.elements, probe.elements);
    EXPECT_NO_THROW(checkFilterFits(path, found, probe));
    EXPECT_THAT(refusal([&] { checkFilterFits(path, found, line(13, 3e-4)); }),
                AllOf(HasSubstr("12 elements"), HasSubstr("has 13")));
    EXPECT_THAT(refusal([&] { checkFilterFits(path, found, line(12, 2e-4)); }), HasSubstr("lies"));
}

TEST_P(FilterFiles, OfACubeComeBackAsTheyWere) {
    const ElementGrid grid = denseGrid(3, 5);
    const FilterFile made{filterOf(grid), kCentreHz, {}, grid};
    const FilterFile found = loadFilter(saved(made, FilterNaming::Plain));
    EXPECT_EQ(found.grid.columns, 5);
    EXPECT_EQ(found.grid.rows, 3);
    EXPECT_EQ(found.filter.delayS, made.filter.delayS);
    EXPECT_TRUE(found.elements.empty());
}

TEST_P(FilterFiles, InHerikstadsNamingHoldRealAndImaginaryPart) {
    for (const std::int32_t rows : {1, 3}) {
        const ElementGrid grid = denseGrid(rows, 5);
        const FilterFile made{filterOf(grid), kCentreHz, {}, grid};
        const FilterFile found = loadFilter(saved(made, FilterNaming::Herikstad));
        EXPECT_EQ(found.grid.columns, 5);
        EXPECT_EQ(found.grid.rows, rows);
        // The phase at the first element is known to whole turns only: none here.
        expectNear(found.filter.delayS, made.filter.delayS, 1e-15);
        double mean = 0.0;
        for (const double each : made.filter.amplitude)
            mean += each / static_cast<double>(made.filter.amplitude.size());
        std::vector<double> expected = made.filter.amplitude;
        for (double& each : expected) each /= mean;
        expectNear(found.filter.amplitude, expected, 1e-12);
    }
}

TEST_P(FilterFiles, KeepTheIterationsOwnValues) {
    const ElementGrid grid = denseGrid(1, 4);
    std::vector<Complex> values;
    for (int i = 0; i < 4; ++i) values.push_back({3.0F + static_cast<float>(i), -1.0F});
    const FilterFile made{filterOf(grid), kCentreHz, {}, grid};
    const FilterFile found = loadFilter(saved(made, FilterNaming::Herikstad, values));
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(found.filter.delayS[i] * -2.0 * std::numbers::pi * kCentreHz,
                    std::atan2(-1.0, 3.0 + static_cast<double>(i)), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FilterFiles, testing::Values(".mat", ".npz"),
                         [](const auto& each) { return each.param.substr(1); });

TEST(FilterFile, OfMatlabIsWhatTheNamesSay) {
    const TemporaryFolder folder;
    const ElementGrid grid = denseGrid(2, 3);
    OutputFiles files(folder / "a.mat", {}, false);
    saveFilter(files, {filterOf(grid), kCentreHz, {}, grid}, FilterNaming::Herikstad, "a test");
    files.commit();
    const auto tree = Hdf5File::openReadOnly(folder / "a.mat");
    const auto array = tree->open("amplitude");
    // MATLAB's table (x, y) of 3 x 2: extents reversed in the file.
    EXPECT_EQ(array->layout().shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(tree->textAttribute("amplitude", "MATLAB_class"), "double");
}

TEST(FilterFile, IsRefusedInOneSentence) {
    const TemporaryFolder folder;
    EXPECT_THAT(refusal([] { checkFilterName("filter.csv"); }), HasSubstr(".mat or .npz"));
    const auto saved = [&](const FilterFile& filter) {
        OutputFiles files(folder / "a.npz", {}, true);
        saveFilter(files, filter, FilterNaming::Plain, "a test");
        files.commit();
        return folder / "a.npz";
    };
    const ElementGrid grid = denseGrid(1, 4);
    FilterFile wrong{filterOf(grid), kCentreHz, {}, grid};
    wrong.filter.delayS[2] = std::nan("");
    EXPECT_THAT(refusal([&] { loadFilter(saved(wrong)); }), HasSubstr("no finite number"));
    wrong.filter.delayS[2] = 40.0;
    EXPECT_THAT(refusal([&] { loadFilter(saved(wrong)); }), HasSubstr("seconds"));
    wrong.filter.delayS[2] = 0.0;
    wrong.filter.amplitude[1] = -1.0;
    EXPECT_THAT(refusal([&] { loadFilter(saved(wrong)); }), HasSubstr("'amplitude'"));
    EXPECT_THAT(refusal([&] { loadFilter(folder / "none.npz"); }), HasSubstr("none.npz"));
    std::ofstream(folder / "text.mat") << "words";
    EXPECT_NE(refusal([&] { loadFilter(folder / "text.mat"); }), "accepted");
}

} // namespace
} // namespace echolux::aberration
