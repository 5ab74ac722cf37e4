// SPDX-License-Identifier: GPL-3.0-or-later
// Small functions about facts: arrays and beams, screens, ensembles, marks, texts, carried facts,
// and where sidecars are looked for.
#include "app/dataset/carried/carried_hdf5.hpp"
#include "app/dataset/carried/native_carried.hpp"
#include "app/dataset/carried/zea_carried.hpp"
#include "app/dataset/container/npy_writer.hpp"
#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/dataset/recording/aberration_truth.hpp"
#include "app/dataset/recording/ensemble.hpp"
#include "app/dataset/recording/marks.hpp"
#include "app/dataset/recording/printable.hpp"
#include "app/dataset/sidecar/sidecar.hpp"
#include "app/dataset/transmit/array_kind.hpp"
#include "app/dataset/transmit/beam_origins.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"
#include "app/dataset/transmit/transmit_fit.hpp"
#include "tests/dataset/damage_attempts.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace echolux::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();

TEST(ArrayKinds, HaveNames) {
    const std::array names{"linear", "phased", "curved", "matrix", "row-column", "other"};
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_EQ(nameOf(static_cast<ArrayShape>(i)), names[i]);
}

TEST(ArrayKinds, OfPlacesThatFormNoneOfThem) {
    Probe probe;
    const auto kind = [&](const std::vector<Point>& elements) {
        probe.elements = elements;
        return arrayKindOf(probe, 1540.0).shape;
    };
    EXPECT_EQ(kind({}), ArrayShape::Other);
    EXPECT_EQ(kind({{0, 0, 0}, {1e-3, 0, 0}, {0, 1e-3, 0}, {1e-3, 1e-3, 0}}), ArrayShape::Matrix);
    EXPECT_EQ(kind({{0, 0, 0}, {1e-3, 0, 0}, {0, 1e-3, 1e-3}, {1e-3, 1e-3, 0}}), ArrayShape::Other)
        << "not in one plane";
    EXPECT_EQ(kind({{0, 0, 0}, {0, 1e-3, 0}, {0, 2e-3, 0}}), ArrayShape::Other) << "one column";
    EXPECT_EQ(kind({{0, 0, 0}, {1e-3, 1e-3, 0}, {2e-3, 2e-3, 0}, {3e-3, 3e-3, 0}, {4e-3, 4e-3, 0}}),
              ArrayShape::Other)
        << "a diagonal";
    probe.elements = {{-1e-3, 0, 0}, {0, 0, 0}, {1e-3, 0, 0}};
    probe.elementHeightM = 5e-3;
    EXPECT_THAT(crossedLines(probe), IsEmpty()) << "one row alone";
    probe.elements = {{0, -1e-3, 0}, {0, 1e-3, 0}};
    EXPECT_THAT(crossedLines(probe), IsEmpty()) << "one column alone";
}

TEST(ArrayLines, AreStraightOrBulgeForward) {
    Probe probe;
    EXPECT_FALSE(ArrayLine::of(probe, 1540.0));
    probe.elements = linearArray(8, 1e-3);
    const auto straight = ArrayLine::of(probe, 1540.0);
    ASSERT_TRUE(straight);
    EXPECT_FALSE(straight->originOf({0, 0, -1e-3}, 0.1)) << "behind the array";
    EXPECT_NEAR(straight->originOf({0, 0, 10e-3}, std::atan(0.1))->x, -1e-3, 1e-12);
    probe.elements = convexArray(32, 1e-3, 40e-3);
    const auto convex = ArrayLine::of(probe, 1540.0);
    ASSERT_TRUE(convex && convex->isCurved());
    EXPECT_FALSE(convex->originOf({0, 0, -10e-3}, 0.0)) << "within the arc";
    for (Point& element : probe.elements) element.z = -element.z;
    EXPECT_FALSE(ArrayLine::of(probe, 1540.0)) << "a concave array";
    EXPECT_THAT(convexArrayByEdges(0, 1e-3, 40e-3), IsEmpty());
}

/// Beams of 4 elements that fan out from apertures that walk; one beam fires nothing.
TEST(BeamOrigins, OfAperturesAtTheEndAndOfNone) {
    const std::vector<Point> elements = linearArray(8, 1e-3);
    EXPECT_EQ(middleOfFiring(std::vector<float>(8), elements), (Point{}));
    for (const double pitch : {1e-3, 0.0}) {
        Probe probe;
        probe.elements = elements;
        probe.pitchM = pitch; // unknown: from the places
        std::vector<Transmit> transmits;
        const auto fire = [&](std::size_t first, std::size_t count, double x) {
            Transmit& t = transmits.emplace_back();
            t.wave = Wave::Focused;
            t.source = {x, 0, 20e-3};
            t.apodization.assign(8, 0.0F);
            for (std::size_t e = first; e < first + count; ++e) t.apodization[e] = 1.0F;
        };
        fire(0, 2, -30e-3); // cut off by the end: it would be -2 to 1
        fire(0, 4, -10e-3);
        fire(2, 4, 0.0);
        fire(4, 4, 10e-3);
        fire(0, 0, 0.0);
        EXPECT_EQ(placeBeams(probe, 1540.0, transmits), 1U);
        EXPECT_NEAR(transmits[2].origin.x, 0.0, 1e-12);
        EXPECT_NEAR(transmits[1].origin.x, -2e-3, 1e-12);
        EXPECT_EQ(transmits[0].origin.x, -3.5e-3) << "at the array's end";
        EXPECT_EQ(transmits[4].origin, (Point{}));
        for (Transmit& t : transmits) t.origin = {};
        transmits[2].apodization.assign(8, 0.0F); // a whole aperture of another width
        transmits[2].apodization[4] = 1.0F;
        EXPECT_EQ(placeBeams(probe, 1540.0, transmits), 1U);
        EXPECT_NEAR(transmits[0].origin.x, -3e-3, 1e-12) << "apertures differ: its own middle";
    }
}

TEST(FittedWaves, OfNoElementOrOfOneLine) {
    const std::vector<Point> elements = linearArray(8, 0.3e-3);
    EXPECT_FALSE(fitWave(elements, std::vector<double>(8, kUnmeasured), 1540.0, 2e-7, 20e-3));
    std::vector<double> jagged;
    for (int i = 0; i < 8; ++i) jagged.push_back(i % 2 == 0 ? 0.0 : 5e-6);
    EXPECT_FALSE(fitWave(elements, jagged, 1540.0, 2e-7, 20e-3));
    const std::vector<Point> together(3);
    EXPECT_FALSE(fitWave(together, std::vector{0.0, 1e-6, 5e-6}, 1540.0, 2e-7, 20e-3))
        << "all in one place, and no wave is there three times";
}

/// Of a grid of 8 x 8: delays change from column to column alone, in halves.
TEST(Screens, HaveFiguresOfTheirElements) {
    AberrationTruth truth;
    std::vector<Point> elements;
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column) {
            elements.push_back({1e-3 * column, 2e-3 * row, 0.0});
            truth.delayS.push_back(column < 4 ? -1e-8 : 1e-8);
            truth.amplitude.push_back(column == 0 ? 0.0 : 1.0);
        }
    const AberrationFigures figures = figuresOf(truth, elements);
    EXPECT_NEAR(figures.delayRmsS, 1e-8, 1e-15);
    EXPECT_EQ(figures.leastDelayS, -1e-8);
    EXPECT_EQ(figures.gainRmsDb, 0.0) << "silent elements do not count";
    // Pairs n columns apart: of 8 - n, n are in different halves. 1 - 2n / (8 - n) falls to 1/e
    // between n = 1 (5/7) and n = 2 (1/3).
    const double part = (5.0 / 7.0 - std::exp(-1.0)) / (5.0 / 7.0 - 1.0 / 3.0);
    EXPECT_NEAR(figures.lengthXM, 1e-3 * (1.0 + part), 1e-9);
    EXPECT_EQ(figures.lengthYM, 0.0) << "along y nothing changes";
    EXPECT_EQ(figuresOf({}, elements).delayRmsS, 0.0);
    EXPECT_EQ(figuresOf(truth, {{0, 0, 0}}).delayRmsS, 0.0);
    EXPECT_EQ(figuresOf({{0, 1e-8}, {}}, {{0, 0, 0}, {0, 0, 0}}).lengthXM, 0.0) << "in one place";
    // Places with a gap of two steps between them.
    EXPECT_GT(
        figuresOf({{0, 0, 1e-8, 1e-8}, {}}, {{0, 0, 0}, {1e-3, 0, 0}, {5e-3, 0, 0}, {6e-3, 0, 0}})
            .lengthXM,
        1e-3);
}

TEST(Ensembles, AreWholeWindows) {
    RecordingInfo info;
    info.path = "short.h5";
    info.frameCount = 5;
    EXPECT_EQ(windowsOf(info, 2, "flow").count(), 2);
    EXPECT_EQ(windowsOf(info, 2, "flow").lastOf(4), 3);
    try {
        windowsOf(info, 6, "flow");
        ADD_FAILURE() << "it is too short";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("'flow' takes 6 at once"));
    }
    const TemporaryFolder folder;
    const FrameSpec spec = sampleSpec(DType::I16, 1, 2, 30);
    writeSample(folder / "a.h5", spec, 3);
    const auto recording = openNative(folder / "a.h5");
    std::vector<std::byte> two(2 * spec.bytes());
    readFrames(*recording, 1, two);
    std::vector<std::byte> expected = sampleFrame(spec, 1);
    const std::vector<std::byte> next = sampleFrame(spec, 2);
    expected.insert(expected.end(), next.begin(), next.end());
    EXPECT_EQ(two, expected);
}

TEST(Marks, ThatAreNoNumbersAreSkipped) {
    const TemporaryFolder folder;
    const auto path = folder / "a.h5";
    writeFile(eventsOf(path), "frame,seconds,event,what,value\n1x,0.5,mark,no frame,\n"
                              "2,nan,mark,no time,\n2,0.5s,mark,no time,\n9,1,mark,no such,\n"
                              "-1,1,mark,none,\n2,0.5,start,no mark,\n2,0.5,mark,\"one, two\",\n");
    const auto marks = readMarks(path, 3);
    ASSERT_EQ(marks.size(), 1U);
    EXPECT_EQ(marks.front(), (RecordingMark{1, 0.5, "one, two"}));
}

TEST(Printable, LeavesOutMarksThatTurnText) {
    for (const char* turned : {"\xE2\x80\x8E", "\xE2\x80\x8F", "\xE2\x80\xA8", "\xE2\x80\xAE",
                               "\xE2\x81\xA6", "\xE2\x81\xA9"})
        EXPECT_EQ(printable(turned), "?") << turned;
    for (const char* plain : {"\xE2\x80\x8D", "\xE2\x80\x90", "\xE2\x80\xA7", "\xE2\x80\xAF",
                              "\xE2\x81\xA5", "\xE2\x81\xAA"})
        EXPECT_EQ(printable(plain), plain);
}

TEST(CarriedFacts, OfZeaHaveTheirPlaces) {
    for (const char* name : {"description", "scan/sampling_frequency", "scan/tgc_gain_curve",
                             "probe/name", "probe/lens_thickness", "metadata/any", "map/labels"})
        EXPECT_TRUE(isZeaField(name)) << name;
    for (const char* name : {"any", "scan/origin", "scan/any", "probe/any"})
        EXPECT_FALSE(isZeaField(name)) << name;
    const TemporaryFolder folder;
    const auto path = uffCopy(folder, "zea_told.hdf5");
    RecordingInfo info = openRecording(path)->info();
    EXPECT_THAT(zeaCarried(info).facts, testing::Not(IsEmpty()));
    info.track = 9;
    EXPECT_THAT(zeaCarried(info).facts, IsEmpty()) << "there is no such track";
}

TEST(CarriedFacts, OfEcholuxRecordingsComeBack) {
    const TemporaryFolder folder;
    const auto path = folder / "a.echolux.h5";
    writeSample(path, sampleSpec(DType::I16, 1, 2, 30), 3);
    writeNativeCarried(path, {});
    RecordingInfo info;
    info.path = path;
    info.frameCount = 3;
    EXPECT_THAT(nativeCarried(info).facts, IsEmpty());
    const ElementType pair{.kind = ElementType::Kind::Real, .bytes = 4, .components = 2};
    const ElementType byte{.kind = ElementType::Kind::Unsigned, .bytes = 1};
    const std::vector<std::byte> numbers(16, std::byte{1});
    const std::vector<CarriedFact> written{
        {.name = "alone", .layout = {byte, {}}, .numbers = {std::byte{7}}, .perFrame = true},
        {.name = "each",
         .layout = {byte, {3}},
         .numbers = std::vector<std::byte>(3),
         .perFrame = true},
        {.name = "group/pairs", .layout = {pair, {2}}, .numbers = numbers, .unit = "V"},
        {.name = "other",
         .layout = {byte, {2}},
         .numbers = std::vector<std::byte>(2),
         .perFrame = true},
        {.name = "texts", .layout = {{}, {2}}, .texts = {"a", "b"}, .description = "two"}};
    writeNativeCarried(path, {.family = "zea", .facts = written});
    const CarriedFacts found = nativeCarried(info);
    EXPECT_EQ(found.family, "zea");
    ASSERT_EQ(found.facts.size(), written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        EXPECT_EQ(found.facts[i].name, written[i].name);
        EXPECT_EQ(found.facts[i].numbers, written[i].numbers) << written[i].name;
        EXPECT_EQ(found.facts[i].texts, written[i].texts) << written[i].name;
        EXPECT_EQ(found.facts[i].perFrame, written[i].name == "each") << "3 frames";
    }
    EXPECT_EQ(found.facts[2].layout.type, pair);
    {
        const Hdf5Editor file(path);
        file.remove("carried");
        file.number("carried", 1);
    }
    EXPECT_THAT(nativeCarried(info).facts, IsEmpty()) << "no group";
}

TEST(CarriedFacts, TakeThePlaceOfFormerOnes) {
    const TemporaryFolder folder;
    const Hdf5Handle file(
        H5Fcreate((folder / "a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const ElementType byte{.kind = ElementType::Kind::Unsigned, .bytes = 1};
    writeFact(file.get(), "fact", {.name = "fact", .layout = {byte, {2}}, .numbers = {}});
    writeFact(file.get(), "fact",
              {.name = "fact", .layout = {byte, {1}}, .numbers = {std::byte{9}}});
    const Hdf5Handle data(H5Dopen2(file.get(), "fact", H5P_DEFAULT));
    std::uint8_t value = 0;
    H5Dread(data.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
    EXPECT_EQ(value, 9);
}

TEST(ImageAxes, AreToldWithoutASectorOrARange) {
    FrameSpec plain;
    plain.dtype = DType::F32;
    plain.axes = {{AxisName::Depth, 2, 1e-3, 0.0, "m"}, {AxisName::Lateral, 3, 1e-3, 0.0, "m"}};
    const auto json = axesAsJson(plain);
    EXPECT_FALSE(json.contains("lines"));
    EXPECT_FALSE(json.contains("value_range"));
    EXPECT_EQ(json["axes"].size(), 2U);
}

/// Sets a variable of the environment while it lives; null: it is not set.
class Variable {
public:
    Variable(const char* name, const char* value) : m_name(name) {
        const char* was = std::getenv(name);
        if (was != nullptr) m_was = was;
        value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() { m_was ? ::setenv(m_name, m_was->c_str(), 1) : ::unsetenv(m_name); }

private:
    const char* m_name;
    std::optional<std::string> m_was;
};

TEST(SidecarPlaces, FollowTheEnvironment) {
    const TemporaryFolder folder;
    writeFile(folder / "a.raw", "x");
    const auto kept = [&](const char* data, const char* home) {
        const Variable ofData("XDG_DATA_HOME", data);
        const Variable ofHome("HOME", home);
        const auto path = keptSidecarPath(folder / "a.raw", 1);
        if (!path) {
            EXPECT_FALSE(findSidecar(folder / "a.raw", 1, std::nullopt));
            return std::string("nowhere");
        }
        return path->parent_path().string();
    };
    EXPECT_EQ(kept("/data", "/home"), "/data/echolux/sidecars");
    EXPECT_EQ(kept("data", "/home"), "/home/.local/share/echolux/sidecars");
    EXPECT_EQ(kept(nullptr, "/home"), "/home/.local/share/echolux/sidecars");
    EXPECT_EQ(kept(nullptr, nullptr), "nowhere");
    EXPECT_EQ(kept("", "home"), "nowhere");
    EXPECT_FALSE(keptSidecarPath(folder / "absent.raw", 1));
    for (const char* text : {"[data]\n", "data.dtype = 1\n", "data = 1\n"}) {
        writeFile(folder / "s.toml", text);
        EXPECT_TRUE(isSidecar(folder / "s.toml")) << text;
        EXPECT_FALSE(findSidecar(folder / "s.toml", 1, std::nullopt)) << "it is none of itself";
    }
    writeFile(folder / "s.toml", "[other]\ndatabase = 1\n");
    EXPECT_FALSE(isSidecar(folder / "s.toml"));
}

/// Descriptions of arrays in a file that holds none.
TEST(Descriptions, OfArraysNeedArrays) {
    const ReadsInside inside;
    const TemporaryFolder folder;
    writeFile(folder / "noise.raw", std::string(4096, '\3'));
    const auto file = std::make_shared<const InputFile>(folder / "noise.raw");
    const auto said = [](const auto& open) {
        try {
            open();
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto none = HasSubstr("it holds no arrays that a sidecar can name");
    ImageImport image;
    image.name = "an \"array\"";
    image.axes = {{ArrayAxis::Depth, 4}, {ArrayAxis::Lateral, 8}};
    EXPECT_THAT(toSidecar(image), HasSubstr(R"(array = "an \"array\"")"));
    EXPECT_THAT(said([&] { openImageImport(file, image); }), none);
    RawImport spectra;
    spectra.samplesPerLine = 64;
    spectra.linesPerBscan = 4;
    EXPECT_THAT(said([&] { openSpectraImport(file, spectra); }), IsEmpty()) << "headerless";
    spectra.inArray = true;
    spectra.array = "x";
    spectra.shape = {2, 4, 64};
    EXPECT_THAT(toSidecar(spectra), HasSubstr(R"(array = "x")"));
    EXPECT_THAT(said([&] { openSpectraImport(file, spectra); }), none);
}

} // namespace
} // namespace echolux::test
