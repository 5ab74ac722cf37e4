// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of USTB's waves, from where they come and which elements fire, and of its images.
#include "tests/dataset/told_of_files.hpp"

#include <array>
#include <limits>
#include <numbers>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kSequence = "recorded/sequence/sequence_000";
const std::string kOneWave = kSequence + "1/";
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

struct PlaceXZ {
    double x, z;
};
void sourceAt(const Hdf5Editor& file, const std::string& wave, PlaceXZ at) {
    file.number(wave + "wavefront", 1);
    file.number(wave + "source/distance", std::hypot(at.x, at.z));
    file.number(wave + "source/azimuth", std::atan2(at.x, at.z));
}
/// Changes to a first wave that is focused on (1, 15) mm through a window.
std::function<void(const Hdf5Editor&)> windowed(std::function<void(const Hdf5Editor&)> change) {
    return [=](const Hdf5Editor& file) {
        sourceAt(file, kOneWave, {1e-3, 15e-3});
        file.number(kOneWave + "apodization/window", 1);
        file.numbers(kOneWave + "apodization/f_number", {2, 1}, {10.0, 1.0});
        file.number(kOneWave + "apodization/focus/x", 1e-3);
        file.number(kOneWave + "apodization/focus/z", 15e-3);
        change(file);
    };
}

TEST(ToldUstbWaves, Windows) {
    const std::string fires = kOneWave + "apodization/";
    const auto beam = [](const char* origin, int weights) {
        return HasSubstr(fmt::format("focused turned 0 0, source (0.001 0 0.015), origin {}, first "
                                     "9.35e-06, phase 3.5e-07, {} weights",
                                     origin, weights));
    };
    const std::string middle = "(0.001 0 0)";
    const auto none = beam("(0 0 0)", 0);
    expectToldOfHdf5(
        copyOfVector("uff_iq_delays.uff"),
        {{"as written", windowed([](const Hdf5Editor&) {}), beam("(0.001 0 0)", 16)},
         {"no depth", windowed(without(fires + "focus/z")), none},
         {"two x", windowed(withNumbers(fires + "focus/x", {2}, {0, 1e-3})), none},
         {"two depths", windowed(withNumbers(fires + "focus/z", {2}, {1e-3, 2e-3})), none},
         {"a second f-number of 0", windowed(withNumbers(fires + "f_number", {2}, {1, 0})), none},
         {"beside the plane", windowed(withNumber(fires + "focus/y", 1e-3)),
          beam("(0.001 0.001 0)", 16)},
         {"of two planes", windowed(withNumbers(fires + "focus/y", {2}, {1, 1})),
          beam("(0.001 0 0)", 16)},
         {"a middle beyond the focus", windowed([&](const Hdf5Editor& file) {
              file.number(fires + "origin/distance", 20e-3);
              file.number(fires + "origin/azimuth", std::atan2(1e-3, 20e-3));
          }),
          // It is the middle of the elements that fire: x = 0.45 to 1.65 mm, in steps of 0.3 mm.
          AllOf(HasSubstr("origin (0.00105 0 0)"), HasSubstr("16 weights"))}});
}

TEST(ToldUstbWaves, Origins) {
    const auto from = [](double x, double z) {
        return [=](const Hdf5Editor& file) {
            sourceAt(file, kOneWave, {1e-3, 15e-3});
            file.number(kOneWave + "origin/distance", std::hypot(x, z));
            file.number(kOneWave + "origin/azimuth", std::atan2(x, z));
        };
    };
    expectToldOfHdf5(copyOfVector("uff_iq_delays.uff"),
                     {{"stated", from(0.5e-3, 1e-3), HasSubstr("origin (0.0005 0 0.001)")},
                      {"beyond the focus", from(0.5e-3, 16e-3), HasSubstr("origin (0 0 0)")},
                      {"in no distance", from(0, 0), HasSubstr("origin (0 0 0)")}});
}

TEST(ToldUstbWaves, Kinds) {
    // 0.5 mm behind the array and on no element; at no element's place sound starts.
    const double late = 0.5e-3 / kUffSpeed;
    expectToldOfHdf5(
        copyOfVector("uff_iq_delays.uff"),
        {{"by light", withNumber(kOneWave + "wavefront", 2),
          HasSubstr("none turned 0 0, source (0 0 0), origin (0 0 0), first 9.35e-06")},
         {"a wavefront that is no number", withNumber(kOneWave + "wavefront", kNotANumber),
          HasSubstr("has the wavefront nan, but Echolux knows 0 (plane)")},
         {"close behind the array",
          [](const Hdf5Editor& file) {
              sourceAt(file, kOneWave, {0, -0.5e-3});
          },
          HasSubstr(fmt::format("element turned 0 0, source (0 0 -0.0005), origin (0 0 0), first "
                                "{:.4g}",
                                9.35e-6 - late))}});
}

TEST(ToldUstbWaves, OneElementHasNoPitch) {
    expectToldOfHdf5(
        copyOfVector("uff_iq_delays.uff"),
        {{"its own source",
          [](const Hdf5Editor& file) {
              file.remove("recorded/data");
              file.zeros("recorded/data", {1, 20});
              file.remove("recorded/probe/pitch");
              file.numbers("recorded/probe/geometry", {7, 1}, {0, 0, 0, 0, 0, 2e-4, 5e-3});
              file.remove(kSequence + "2");
              file.remove(kSequence + "3");
              sourceAt(file, kOneWave, {0, 5e-6});
          },
          AllOf(HasSubstr("of 1, pitch 0,"), HasSubstr("element turned 0 0, source (0 0 0)"))}});
}

TEST(ToldUstbWaves, BeamsThatMayStandAboveTheirFoci) {
    const auto foci = [](const std::array<PlaceXZ, 3>& at) {
        return [=](const Hdf5Editor& file) {
            for (std::size_t i = 0; i < at.size(); ++i)
                sourceAt(file, fmt::format("{}{}/", kSequence, i + 1), at[i]);
        };
    };
    const auto line = foci({{{-1e-3, 15e-3}, {0, 15e-3}, {1e-3, 15e-3}}});
    const auto unsaid = Not(HasSubstr("right above their foci"));
    expectToldOfHdf5(
        copyOfVector("uff_iq_delays.uff"),
        {{"side by side", line,
          AllOf(HasSubstr("right above their foci"), HasSubstr("origin (-0.001 0 0)"))},
         {"at two depths", foci({{{-1e-3, 15e-3}, {0, 16e-3}, {1e-3, 15e-3}}}), unsaid},
         {"left of the array", foci({{{-9e-3, 15e-3}, {0, 15e-3}, {1e-3, 15e-3}}}), unsaid},
         {"right of the array", foci({{{-1e-3, 15e-3}, {0, 15e-3}, {9e-3, 15e-3}}}), unsaid},
         {"one with an origin",
          [=](const Hdf5Editor& file) {
              line(file);
              file.number(kOneWave + "origin/distance", 1e-3);
          },
          unsaid},
         {"of a matrix",
          [=](const Hdf5Editor& file) {
              line(file);
              std::vector<double> all(7 * 16, 0.0);
              for (std::size_t k = 0; k < 16; ++k) {
                  all[k] = 3e-4 * static_cast<double>(k % 4);
                  all[16 + k] = 3e-4 * static_cast<double>(k / 4);
              }
              file.numbers("recorded/probe/geometry", {7, 16}, all);
          },
          unsaid}});
    // On an arc 20 mm from the centre of the curved array, whose radius is 5 mm.
    const auto arc = [](double radius) {
        return [=](const Hdf5Editor& file) {
            for (int i = 1; i <= 3; ++i) {
                const double angle = 0.2 * (i - 2);
                sourceAt(file, fmt::format("channel_data/sequence/sequence_000{}/", i),
                         {radius * std::sin(angle), radius * std::cos(angle) - 5e-3});
            }
        };
    };
    expectToldOfHdf5(copyOfVector("uff_curved_elements.uff"),
                     {{"on an arc", arc(20e-3),
                       AllOf(HasSubstr("right above their foci"), HasSubstr("origin (0.00099"))}});
}

class ToldUstbImages : public testing::Test {
protected:
    /// `change` to a file whose only images are a_data, without pixels.
    static std::function<void(const Hdf5Editor&)>
    images(std::function<void(const Hdf5Editor&)> change) {
        return [=](const Hdf5Editor& file) {
            for (const char* other : {"channel_data", "b_data", "a_data/data"}) file.remove(other);
            change(file);
        };
    }
    static void scan(const Hdf5Editor& file, const char* kind) {
        file.remove("a_data/scan");
        file.group("a_data/scan");
        if (kind != nullptr) file.textAttribute("a_data/scan", "class", kind);
    }
    static std::function<void(const Hdf5Editor&)> pixels(std::vector<hsize_t> shape) {
        return images([=](const Hdf5Editor& file) { file.zeros("a_data/data", shape); });
    }
    /// Pixels listed by x, y and z.
    static std::function<void(const Hdf5Editor&)> listed(const std::vector<double>& x,
                                                         const std::vector<double>& y,
                                                         const std::vector<double>& z) {
        return images([=](const Hdf5Editor& file) {
            scan(file, "uff.scan");
            file.numbers("a_data/scan/x", {x.size()}, x);
            file.numbers("a_data/scan/y", {y.size()}, y);
            file.numbers("a_data/scan/z", {z.size()}, z);
            file.zeros("a_data/data", {x.size()});
        });
    }
    /// Lines at `angles` from (x, z) of each, and three ranges.
    static std::function<void(const Hdf5Editor&)> sector(const std::vector<double>& angles,
                                                         const std::vector<PlaceXZ>& origins) {
        return images([=](const Hdf5Editor& file) {
            scan(file, "uff.sector_scan");
            file.numbers("a_data/scan/azimuth_axis", {angles.size()}, angles);
            file.numbers("a_data/scan/depth_axis", {3}, {5e-3, 10e-3, 15e-3});
            for (std::size_t i = 0; i < origins.size(); ++i) {
                const auto point = fmt::format("a_data/scan/origin/origin_000{}", i + 1);
                file.number(point + "/distance", std::hypot(origins[i].x, origins[i].z));
                file.number(point + "/azimuth", std::atan2(origins[i].x, origins[i].z));
            }
            file.zeros("a_data/data", {3 * angles.size()});
        });
    }
    static void expect(const std::vector<ToldHdf5>& all) {
        expectToldOfHdf5(copyOfVector("uff_sector_and_lines.uff"), all);
    }
};

TEST_F(ToldUstbImages, Pixels) {
    const auto without = [](const char* name) {
        return images([=](const Hdf5Editor& file) {
            file.zeros("a_data/data", {57 * 17});
            file.remove(name);
        });
    };
    expect({{"one number", pixels({}), HasSubstr("its scan has 17 x 57 pixels")},
            {"parts of sums", pixels({2, 3, 1, 57 * 17}),
             AllOf(HasSubstr("[depth 57][lateral 17]"),
                   HasSubstr("images of 1 channels and 3 waves were not summed"))},
            {"without a pulse", without("a_data/pulse"), HasSubstr("centre 0 Hz")},
            {"two scans", images([](const Hdf5Editor& file) {
                 for (const char* one : {"a_data/scan/scan_1", "a_data/scan/scan_2"}) {
                     file.group(one);
                     file.textAttribute(one, "class", "uff.linear_scan");
                 }
             }),
             HasSubstr("has 2 scans, one for each line or plane")},
            {"a centre that is no number", images([](const Hdf5Editor& file) {
                 file.zeros("a_data/data", {57 * 17});
                 file.number("a_data/pulse/center_frequency", kNotANumber);
             }),
             HasSubstr("centre 0 Hz")},
            {"mixed with no number",
             [](const Hdf5Editor& file) {
                 file.remove("channel_data");
                 file.number("a_data/modulation_frequency", kNotANumber);
             },
             HasSubstr("centre 5e+06 Hz, mixed 0 Hz")}});
}

TEST_F(ToldUstbImages, LargeOnesAreLookedAtInTheirFirstFrame) {
    const auto large = [](std::vector<hsize_t> shape) {
        return images([=](const Hdf5Editor& file) {
            std::vector<double> places(500);
            for (std::size_t i = 0; i < places.size(); ++i)
                places[i] = 1e-5 * static_cast<double>(i);
            for (const char* axis : {"a_data/scan/x_axis", "a_data/scan/z_axis"})
                file.numbers(axis, {500}, places);
            file.remove("a_data/scan/x");
            file.remove("a_data/scan/z");
            file.zeros("a_data/data", shape);
        });
    };
    constexpr hsize_t kPixels = 500 * 500; // 68 frames are more than 64 MiB
    expect({{"frame by frame", large({68, kPixels}), HasSubstr(", envelope\n")},
            {"pixel by pixel", large({kPixels, 68}), HasSubstr(", beamformed\n")}});
}

TEST_F(ToldUstbImages, Grids) {
    const auto lines = [](const char* kind, std::vector<double> z) {
        return images([=](const Hdf5Editor& file) {
            scan(file, kind);
            file.numbers("a_data/scan/x_axis", {2}, {0, 1e-3});
            file.numbers("a_data/scan/z_axis", {z.size()}, z);
            file.zeros("a_data/data", {2 * z.size()});
        });
    };
    expect({{"of no class", lines(nullptr, {1, 2}), HasSubstr("'a_data/scan' (of no class)")},
            {"one depth", lines("uff.linear_scan", {1e-3}), HasSubstr("[depth 1][lateral 2]")},
            {"falling depths", lines("uff.linear_scan", {2e-3, 1e-3}), HasSubstr("even steps")},
            {"fewer depths than pixels", listed({0, 1}, {0, 0}, {0}),
             HasSubstr("crossings of a grid")},
            {"on a diagonal", listed({0, 1, 2}, {0, 0, 0}, {0, 1, 2}),
             HasSubstr("crossings of a grid")},
            {"too many", images([](const Hdf5Editor& file) {
                 scan(file, "uff.scan");
                 file.hole("a_data/scan/x", {(1U << 23U) + 1});
             }),
             HasSubstr("lists 8388609 pixels, more than 8388608; beamform fewer")},
            {"a volume of other pixels", images([](const Hdf5Editor& file) {
                 scan(file, "uff.scan");
                 file.numbers("a_data/scan/x", {4}, {0, 0, 1, 1});
                 file.numbers("a_data/scan/y", {4}, {0, 1, 0, 1});
                 file.numbers("a_data/scan/z", {4}, {0, 0, 0, 0});
                 file.zeros("a_data/data", {3});
             }),
             HasSubstr("its scan has 2 x 2 x 1 pixels")}});
}

TEST_F(ToldUstbImages, Sectors) {
    const std::vector<double> angles{-0.2, 0.0, 0.2};
    std::vector<PlaceXZ> hollow;
    std::vector<double> x;
    std::vector<double> z;
    for (const double angle : angles)
        hollow.push_back({-4e-3 * std::sin(angle), 4e-3 - 4e-3 * std::cos(angle)});
    const std::vector<PlaceXZ> apart{{-1e-3, 0}, {0, 1e-3}, {1e-3, 0}};
    for (std::size_t line = 0; line < angles.size(); ++line)
        for (const double range : {5e-3, 10e-3, 15e-3}) {
            x.push_back(apart[line].x + range * std::sin(angles[line]));
            z.push_back(apart[line].z + range * std::cos(angles[line]));
        }
    const auto withPlaces = [&](std::size_t depths) {
        return [=](const Hdf5Editor& file) {
            sector(angles, apart)(file);
            file.numbers("a_data/scan/x", {x.size()}, x);
            file.numbers("a_data/scan/z", {depths}, {z.begin(), z.begin() + long(depths)});
        };
    };
    const auto listsOthers = HasSubstr("listed places");
    expect({{"from their own starts, listed", withPlaces(9),
             AllOf(HasSubstr("3 starts"), Not(listsOthers))},
            {"no depths",
             [&](const Hdf5Editor& file) {
                 withPlaces(9)(file);
                 file.remove("a_data/scan/z");
             },
             Not(listsOthers)},
            {"fewer depths than places", withPlaces(8), Not(listsOthers)},
            {"from a hollow", sector(angles, hollow), HasSubstr("3 starts")},
            {"angles that are no numbers",
             sector({kNotANumber, kNotANumber}, {{-1e-3, 0}, {1e-3, 0}}), HasSubstr("told.hdf5")}});
}

} // namespace
} // namespace echolux::test
