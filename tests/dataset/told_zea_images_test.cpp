// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of zea's images and maps: their axes, ranges and labels, the places of their pixels,
// and tracks whose numbers have gaps.
#include "tests/dataset/told_of_files.hpp"

#include <algorithm>
#include <limits>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kZeaTrack0 = "tracks/track_0/data/";
const std::string kZeaImage = kZeaTrack0 + "image/";
using ZeaFile = std::function<void(const std::filesystem::path&)>;

ZeaFile imagesOfZea(const std::vector<hsize_t>& shape) {
    return [=](const std::filesystem::path& path) {
        Hdf5Editor(path).zeros(kZeaImage + "values", shape);
    };
}
const auto kAsItIs = [](const Hdf5Editor&) {};

TEST(ToldZeaImages, Axes) {
    const std::string values = kZeaImage + "values";
    const std::string beamformed = kZeaTrack0 + "beamformed_data";
    const auto axes = HasSubstr("images of zea are frames x depths x laterals");
    expectToldOfHdf5(imagesOfZea({2, 3, 4}),
                     {{"complex pixels", withComplex(values, {2, 3, 4}), axes},
                      {"too large", withHole(values, {1, 20000, 20000}),
                       HasSubstr("which is no image; correct it")}});
    const auto beams = [&](const std::vector<hsize_t>& shape) {
        return
            [=](const std::filesystem::path& path) { Hdf5Editor(path).zeros(beamformed, shape); };
    };
    expectToldOfHdf5(beams({2, 3, 4}),
                     {{"three axes", kAsItIs, HasSubstr("[depth 3][lateral 4]")}});
    expectToldOfHdf5(beams({2, 3, 4, 5}),
                     {{"planes", kAsItIs, HasSubstr("[elevation 5][depth 3][lateral 4]")},
                      {"a volume", withComplex(beamformed, {2, 3, 4}),
                       HasSubstr("complex_f32 [depth 3][lateral 4]")}});
    expectToldOfHdf5(
        beams({2, 3, 4, 2}),
        {{"pairs of a stated band",
          [](const Hdf5Editor& file) { file.number("tracks/track_0/scan/center_frequency", 5e6); },
          HasSubstr("centre 5e+06 Hz, mixed 5e+06 Hz, beamformed")}});
}

TEST(ToldZeaImages, PlacesAndExtents) {
    const std::string at = kZeaImage + "coordinates";
    const auto misfit = HasSubstr("does not fit 'tracks/track_0/data/image/values'");
    expectToldOfHdf5(
        imagesOfZea({2, 3, 4}),
        {{"one number", withZeros(at, {}), misfit},
         {"two coordinates", withZeros(at, {3, 4, 2}), misfit},
         {"a part of a frame more", withZeros(at, {18, 3}), misfit},
         {"no numbers",
          withNumbers(at, {3, 4, 3}, std::vector(36, std::numeric_limits<double>::quiet_NaN())),
          HasSubstr("without a scale")}});
    expectToldOfHdf5(
        imagesOfZea({2, 3, 4, 2}),
        {{"the extent of a volume", withNumbers(kZeaImage + "extent", {4}, {0, 1, 0, 1}),
          HasSubstr("Nothing says where the pixels of")}});
}

/// Places of depths x laterals pixels.
std::function<void(const Hdf5Editor&)> placed(hsize_t depths, hsize_t laterals,
                                              Point (*place)(double depth, double lateral)) {
    return [=](const Hdf5Editor& file) {
        std::vector<double> all;
        for (hsize_t d = 0; d < depths; ++d)
            for (hsize_t l = 0; l < laterals; ++l) {
                const Point p = place(static_cast<double>(d), static_cast<double>(l));
                all.insert(all.end(), {p.x, p.y, p.z});
            }
        file.numbers(kZeaImage + "coordinates", {depths, laterals, 3}, all);
    };
}

TEST(ToldZeaImages, Grids) {
    const auto no = HasSubstr("make neither a rectangle");
    expectToldOfHdf5(imagesOfZea({1, 1, 4}), {{"one row",
                                               placed(1, 4,
                                                      [](double, double l) {
                                                          return Point{1e-3 * l, 0, 5e-3};
                                                      }),
                                               AllOf(HasSubstr("depth 1 from 0.005"),
                                                     HasSubstr("lateral 4 from 0 by 0.001 m"))},
                                              {"one falling row",
                                               placed(1, 4,
                                                      [](double, double l) {
                                                          return Point{-l, 0, 1};
                                                      }),
                                               no}});
    expectToldOfHdf5(imagesOfZea({1, 3, 1}), {{"one line",
                                               placed(3, 1,
                                                      [](double d, double) {
                                                          return Point{0, 0, 1e-3 * d};
                                                      }),
                                               HasSubstr("depth 3 from 0 by 0.001 m")},
                                              {"one rising line",
                                               placed(3, 1,
                                                      [](double d, double) {
                                                          return Point{0, 0, -d};
                                                      }),
                                               no}});
    const auto fan = [](double d, double l) {
        const double angle = 0.1 * (l - 1.5);
        const double range = 40e-3 + 1e-3 * d;
        return Point{range * std::sin(angle), 0, range * std::cos(angle) - 40e-3};
    };
    const auto apart = [](double d, double l) { // 1 mm apart, each at an angle of its own
        const double angle = 0.1 * (l - 1.5) * (l == 0.0 ? 2.0 : 1.0);
        const double range = 1e-3 * d;
        return Point{1e-3 * l + range * std::sin(angle), 0, range * std::cos(angle)};
    };
    const auto tilted = [](double d, double l) { // parallel, from 5 mm below the plane z = 0
        const double range = 5e-3 + 1e-3 * d;
        return Point{1e-3 * l + range * std::sin(0.2), 0, range * std::cos(0.2)};
    };
    const auto steps = [](double d, double l) { // parallel lines that start deeper and deeper
        const double range = 1e-3 * (d + l);
        return Point{1e-3 * l + range * std::sin(0.2), 0, range * std::cos(0.2)};
    };
    const auto atPlane = [](double d, double l) { // parallel, from the plane z = 0
        return Point{1e-3 * l + 1e-3 * d * std::sin(0.2), 0, 1e-3 * d * std::cos(0.2)};
    };
    const auto crossed = [](double d, double l) {
        const double angle = -0.5 * (l - 1.5);
        return Point{1e-3 * l + 4e-3 * d * std::sin(angle), 0, 4e-3 * d * std::cos(angle)};
    };
    const auto bent = [](double d, double l) {
        return Point{1e-3 * l + 1e-3 * d * d, 0, 1e-3 * d};
    };
    const auto before = [](double d, double l) { // in front of the apex, behind the plane z = 0
        const double angle = 0.1 * (l - 1.5);
        const double range = 1e-3 + 1e-3 * d;
        return Point{range * std::sin(angle), 0, range * std::cos(angle) - 40e-3};
    };
    expectToldOfHdf5(
        imagesOfZea({1, 3, 4}),
        {{"a fan", placed(3, 4, fan),
          AllOf(HasSubstr("sector from (0 -0.04), radius 0.04, 0 starts"),
                HasSubstr("depth 3 from 0 by 0.001 m"))},
         {"a fan behind the plane", placed(3, 4, before), HasSubstr("radius 0.001, 0 starts")},
         {"lines of their own", placed(3, 4, apart),
          AllOf(HasSubstr("4 starts"), HasSubstr("depth 3 from 0 by 0.001 m"))},
         {"tilted lines", placed(3, 4, tilted),
          AllOf(HasSubstr("4 starts"), HasSubstr("depth 3 from 0.005 by 0.001 m"))},
         {"tilted lines in steps", placed(3, 4, steps),
          AllOf(HasSubstr("4 starts"), HasSubstr("depth 3 from 0 by 0.001 m"))},
         {"tilted lines from the plane", placed(3, 4, atPlane),
          HasSubstr("depth 3 from 0 by 0.001 m")},
         {"lines that cross", placed(3, 4, crossed), no},
         {"bent lines", placed(3, 4, bent), no},
         {"all in one place", placed(3, 4, [](double, double) { return Point{}; }), no},
         {"all depths in one place",
          placed(3, 4,
                 [](double, double l) {
                     return Point{l, 0, 0};
                 }),
          no}});
    expectToldOfHdf5(imagesOfZea({1, 3, 4, 2}),
                     {{"a volume in one plane",
                       [](const Hdf5Editor& file) {
                           file.zeros(kZeaImage + "coordinates", {3, 4, 2, 3});
                       },
                       no},
                      {"planes one upon the other",
                       [](const Hdf5Editor& file) {
                           std::vector<double> all;
                           for (int i = 0; i < 24; ++i)
                               all.insert(all.end(), {double(i / 2 % 4), 0.0, double(i / 8)});
                           file.numbers(kZeaImage + "coordinates", {3, 4, 2, 3}, all);
                       },
                       no}});
}

TEST(ToldZeaImages, RangesOfCodes) {
    const auto codes = [](std::int16_t low, std::int16_t high) {
        return [=](const std::filesystem::path& path) {
            Hdf5Builder(path).add<std::int16_t>(kZeaImage + "values", {1, 2, 2},
                                                {low, high, low, high});
        };
    };
    const auto states = [](double low, double high) {
        return [=](const Hdf5Editor& file) {
            file.number(kZeaImage + "min", low);
            file.number(kZeaImage + "max", high);
        };
    };
    expectToldOfHdf5(codes(0, 200), {{"grey values", kAsItIs, HasSubstr("range 0 to 255")},
                                     {"within", states(0, 220), HasSubstr("range 0 to 220")},
                                     {"too low", states(0, 100), HasSubstr("range 0 to 255")},
                                     {"too high", states(10, 220), HasSubstr("range 0 to 255")}});
    expectToldOfHdf5(codes(-5, 200), {{"below 0", kAsItIs, HasSubstr("range -5 to 200")}});
    expectToldOfHdf5(codes(0, 300), {{"above 255", kAsItIs, HasSubstr("range 0 to 300")}});
}

TEST(ToldZeaImages, LabelsAndUnitsOfMaps) {
    const std::string map = kZeaTrack0 + "tissue/";
    const auto labelled = [map](const std::vector<hsize_t>& shape) {
        return [=](const std::filesystem::path& path) {
            const Hdf5Editor file(path);
            file.zeros(kZeaImage + "values", {1, 2, 2});
            file.zeros(map + "values", shape);
            file.texts(map + "labels", {"wall", "blood"});
        };
    };
    const auto entry = HasSubstr("its last axis is to have an entry for each of its labels");
    expectToldOfHdf5(labelled({}), {{"one number", kAsItIs, entry}}, {.track = 1});
    expectToldOfHdf5(labelled({1, 2, 2, 1}), {{"one entry", kAsItIs, entry}}, {.track = 2});
    expectToldOfHdf5(labelled({1, 2, 2, 2}),
                     {{"two entries", kAsItIs, HasSubstr("range 0 to 1 \n")}}, {.track = 1});
    const auto unit = [map](const char* text) {
        return [=](const std::filesystem::path& path) {
            const Hdf5Editor file(path);
            file.numbers(map + "values", {1, 2, 2}, {0, 1, 2, 3});
            file.text(map + "unit", text);
        };
    };
    expectToldOfHdf5(unit("kPa"), {{"a unit", kAsItIs, HasSubstr("range 0 to 3 kPa\n")}});
    expectToldOfHdf5(unit("\xe2\x80\x93"), {{"a dash", kAsItIs, HasSubstr("range 0 to 3 \n")}});
}

TEST(ToldZeaImages, Tracks) {
    const auto tracks = [](const std::vector<std::string>& names) {
        return [=](const std::filesystem::path& path) {
            const Hdf5Editor file(path);
            for (const std::string& name : names)
                file.zeros("tracks/" + name + "/data/image/pixels", {1, 2, 2});
        };
    };
    const auto second = HasSubstr("track 2 was asked for, but it holds 1 'image'; choose");
    expectToldOfHdf5(tracks({"track_0", "track_"}), {{"no number", kAsItIs, second}}, {.track = 1});
    expectToldOfHdf5(tracks({"track_0", "track_x", "track_1x"}), {{"letters", kAsItIs, second}},
                     {.track = 1});
    expectToldOfHdf5(tracks({"track_0", "track_99999999999999999999999"}),
                     {{"too large a number", kAsItIs, second}}, {.track = 1});
    expectToldOfHdf5(tracks({"track_0", "track_2"}), {{"a gap", kAsItIs, second}}, {.track = 1});
    expectToldOfHdf5(
        tracks({"track_0"}),
        {{"no group", withNumber("tracks/track_1", 1), second},
         {"a label", [](const Hdf5Editor& file) { file.text("tracks/track_0/label", "B-mode"); },
          HasSubstr("holds 1 'B-mode: image'; choose")},
         {"more than images",
          [](const Hdf5Editor& file) {
              file.number("tracks/track_0/data/spare", 1);
              file.group("tracks/track_0/data/other");
              file.zeros("tracks/track_0/data/sos_map/values", {1, 2, 2});
          },
          HasSubstr("Not shown: other, spare")}},
        {.track = 1});
    expectToldOfHdf5(
        tracks({"track_0", "track_1"}),
        {{"a map of a track without images",
          [](const Hdf5Editor& file) {
              file.remove("tracks/track_1/data/image");
              file.zeros("tracks/track_1/data/sos_map/values", {1, 2, 2});
          },
          HasSubstr("it holds 1 'track_0: image', 2 'track_1: sos map (m/s)'; choose")}},
        {.track = 2});
}

} // namespace
} // namespace echolux::test
