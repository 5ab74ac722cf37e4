// SPDX-License-Identifier: GPL-3.0-or-later
// Device files: those that ship, damaged ones, and the way there and back.
#include "app/prediction/device_file.hpp"

#include "gpu/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace echolux {
namespace {

using model::Device;
using model::Rates;
using testing::HasSubstr;

/// What the file's error says.
std::string refusalOf(const std::string& text) {
    try {
        parseDevice(text, "card.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

const std::string kGood = "name = \"Card\"\nkind = \"gpu\"\nsources = [\"a book\"]\n"
                          "[chip]\nmultiprocessors = 2\nclock = 1e9\nflop_per_clock = 64\n"
                          "special_per_clock = 4\noffset_high_per_clock = 32\n"
                          "offset_low_per_clock = 16\nshared_bytes_per_clock = 64\n"
                          "[theory]\nglobal = 100e9\n";

/// kGood with one text in place of another.
std::string with(const std::string& from, const std::string& to) {
    std::string text = kGood;
    return text.replace(text.find(from), from.size(), to);
}

TEST(DeviceFiles, TheoryFollowsFromTheChip) {
    const Device device = parseDevice(kGood, "card.toml");
    EXPECT_EQ(device.id, "card");
    EXPECT_FALSE(device.isCpu);
    EXPECT_DOUBLE_EQ(device.theory.ffma, 128e9);
    EXPECT_DOUBLE_EQ(device.theory.fadd, 64e9);
    EXPECT_DOUBLE_EQ(device.theory.global, 100e9);
    EXPECT_DOUBLE_EQ(device.measured.global, 0.0);
    EXPECT_DOUBLE_EQ(device.chip.hiddenInstructions, 3.0);
    EXPECT_DOUBLE_EQ(parseDevice(kGood + "ffma = 5e9\n", "card.toml").theory.ffma, 5e9);
}

TEST(DeviceFiles, SayWhetherCopiesOverlapAndHowMuchABlockMayHave) {
    EXPECT_TRUE(parseDevice(kGood, "card.toml").overlapsCopies);
    const Device alone = parseDevice(
        with("kind = \"gpu\"\n", "kind = \"gpu\"\noverlaps_copies = false\n"), "card.toml");
    EXPECT_FALSE(alone.overlapsCopies);
    EXPECT_FALSE(parseDevice(toToml(alone), "card.toml").overlapsCopies);
    EXPECT_THAT(refusalOf(with("kind = \"gpu\"\n", "kind = \"gpu\"\noverlaps_copies = 1\n")),
                HasSubstr("must be true or false"));
    EXPECT_FALSE(deviceBy("quadro_k420").overlapsCopies) << "Tschupp 2019, 3.2";
    EXPECT_DOUBLE_EQ(deviceBy("gtx_1080_ti").limits.mostShared(), 49152.0);
}

TEST(DeviceFiles, ErrorsNameKeyAndRemedy) {
    EXPECT_EQ(
        refusalOf(with("global = 100e9\n", "")),
        "card.toml gives no 'global'; write 'global = ...' in B/s (device memory; main memory "
        "of a CPU) below [theory].");
    EXPECT_EQ(
        refusalOf(with("clock = 1e9\n", "")),
        "card.toml gives no 'clock'; write 'clock = ...' in Hz (highest clock that the vendor "
        "names) below [chip].");
    EXPECT_EQ(refusalOf(with("clock = 1e9", "clock = -1")),
              "card.toml, line 6: 'clock' in [chip] must be a number above 0 in Hz.");
    EXPECT_EQ(refusalOf(with("clock = 1e9", "clock = \"fast\"")),
              "card.toml, line 6: 'clock' in [chip] must be a number above 0 in Hz.");
    EXPECT_EQ(refusalOf(with("clock = 1e9", "clock = nan")),
              "card.toml, line 6: 'clock' in [chip] must be a number above 0 in Hz.");
    EXPECT_THAT(refusalOf(with("clock =", "clok =")), HasSubstr("(did you mean 'clock'?)"));
    EXPECT_THAT(refusalOf(with("[theory]", "[teory]")), HasSubstr("(did you mean 'theory'?)"));
    EXPECT_EQ(refusalOf(with("\"gpu\"", "\"tpu\"")),
              "card.toml, line 2: 'kind' is \"tpu\"; write \"gpu\" or \"cpu\".");
    EXPECT_THAT(refusalOf(with("name = \"Card\"\n", "")), HasSubstr("gives no 'name'"));
    EXPECT_THAT(refusalOf(with("name = \"Card\"", "name = 5")), HasSubstr("text in quotes"));
    EXPECT_THAT(refusalOf(with("[\"a book\"]", "[]")), HasSubstr("at least one text"));
    EXPECT_THAT(refusalOf(with("sources = [\"a book\"]\n", "")), HasSubstr("gives no 'sources'"));
    EXPECT_THAT(refusalOf(with("[chip]", "[chip")),
                HasSubstr("line 4, column 6 is not valid TOML"));
    EXPECT_THAT(refusalOf("limits = 3\n" + kGood), HasSubstr("must be a table [limits]"));
    EXPECT_NE(refusalOf(""), "");
}

TEST(DeviceFiles, EveryPieceOfAFileIsReadOrRefused) {
    for (std::size_t length = 0; length < kGood.size(); ++length) {
        const std::string text = kGood.substr(0, length);
        try {
            EXPECT_GT(parseDevice(text, "card.toml").theory.global, 0.0);
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), testing::StartsWith("card.toml"));
        }
    }
}

TEST(DeviceFiles, SurviveTheWayThereAndBack) {
    for (const Device& device : shippedDevices()) {
        const Device again = parseDevice(toToml(device), device.id + ".toml");
        EXPECT_EQ(again.id, device.id);
        EXPECT_EQ(again.name, device.name);
        EXPECT_EQ(again.isCpu, device.isCpu);
        EXPECT_EQ(again.sources, device.sources);
        for (const auto& row : model::rateRows()) {
            EXPECT_NEAR(again.theory.*row.member, device.theory.*row.member,
                        1e-5 * device.theory.*row.member);
            EXPECT_NEAR(again.measured.*row.member, device.measured.*row.member,
                        1e-5 * device.measured.*row.member);
        }
        for (const auto& row : model::limitRows())
            EXPECT_NEAR(again.limits.*row.member, device.limits.*row.member,
                        1e-5 * device.limits.*row.member);
    }
}

TEST(ShippedDevices, NameTheirSources) {
    EXPECT_GE(shippedDevices().size(), 16U);
    for (const Device& device : shippedDevices()) {
        EXPECT_FALSE(device.sources.empty()) << device.id;
        if (!device.isCpu) {
            EXPECT_GT(device.theory.toDevice, 0.0) << device.id;
            EXPECT_GT(device.theory.launch, 0.0) << device.id;
            EXPECT_GT(device.limits.memoryBytes, 0.0) << device.id;
            EXPECT_GT(device.limits.registers, 0.0) << device.id;
        }
    }
}

/// GFLOPS and GOPS that vendors print, against those that follow from the numbers per clock.
TEST(ShippedDevices, TheoryAgreesWithPrintedRates) {
    const std::vector<std::pair<std::string, double>> printed{
        {"gtx_470", 1089e9},        {"gtx_660_ti", 3056e9},   {"quadro_k420", 300e9},
        {"quadro_p1000", 1894e9},   {"gtx_1080_ti", 11.3e12}, {"tesla_t4", 8.1e12},
        {"rtx_2080_ti", 13.4e12},   {"rtx_3090", 35.6e12},    {"rtx_4090", 82.6e12},
        {"rtx_5090", 104.8e12},     {"l4", 30.3e12},          {"a100", 19.5e12},
        {"h100_pcie", 51.2e12},     {"h100", 66.9e12},        {"h200", 66.9e12},
        {"jetson_agx_orin", 5.3e12}};
    for (const auto& [id, rate] : printed)
        EXPECT_NEAR(deviceBy(id).theory.ffma, rate, 0.01 * rate) << id;
    // Table 5.6 of van Bavel 2013.
    EXPECT_DOUBLE_EQ(deviceBy("gtx_660_ti").theory.offsetHigh, 1273e9);
    EXPECT_DOUBLE_EQ(deviceBy("gtx_470").theory.global, 134e9);
}

TEST(ShippedDevices, AreFoundByIdFileAndDriverName) {
    EXPECT_EQ(deviceBy("h200").name, "NVIDIA H200");
    EXPECT_EQ(shippedDeviceCalled("NVIDIA H200")->id, "h200");
    EXPECT_EQ(shippedDeviceCalled("GeForce GTX 470")->id, "gtx_470");
    EXPECT_EQ(shippedDeviceCalled("Voodoo 2"), nullptr);
    const test::TemporaryFolder folder;
    const std::string path = folder / "mine.toml";
    std::ofstream(path) << kGood;
    EXPECT_EQ(deviceBy(path).id, "mine");
}

TEST(ShippedDevices, AnUnknownNameIsToldTheNearest) {
    const auto refused = [](const std::string& name) {
        try {
            deviceBy(name);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refused("h20"), HasSubstr("There is no device 'h20' (did you mean 'h200'?); "));
    EXPECT_THAT(refused("gtx_1080ti"), HasSubstr("(did you mean 'gtx_1080_ti'?)"));
    EXPECT_THAT(refused("qqqqqqqqqqq"), HasSubstr("choose one of a100, "));
    EXPECT_THAT(refused("none.toml"), HasSubstr("The device file 'none.toml' cannot be read"));
}

} // namespace
} // namespace echolux
