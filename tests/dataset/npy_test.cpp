// SPDX-License-Identifier: GPL-3.0-or-later
// .npy: versions, byte and axis orders, element types, and headers that lie.
#include "app/dataset/container/array_source.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kSidecar = "sound_speed = 1500\n"
                             "[data]\naxes = [\"transmit\", \"channel\", \"sample\"]\n"
                             "[probe]\npitch = 0.3e-3\n"
                             "[signal]\nsampling_frequency = 20e6\ncentre_frequency = 5e6\n"
                             "[transmit]\nangles_deg = [-1, 1]\n";

/// 2 transmits, 3 channels, 4 samples: 0 to 23.
class Npy : public testing::Test {
protected:
    std::unique_ptr<Recording> open(const std::string& bytes) {
        writeFile(m_path, bytes);
        writeFile(m_folder / "data.npy.toml", kSidecar);
        return openRecording(m_path);
    }
    std::string refusal(const std::string& bytes) {
        writeFile(m_path, bytes);
        writeFile(m_folder / "data.npy.toml", kSidecar);
        return refusalOf(m_path);
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "data.npy";
    const std::vector<double> m_expected = countedUp<double>(24);
};

TEST_F(Npy, EveryVersionOfTheHeader) {
    const std::string data = bytesOfValues(countedUp<std::int16_t>(24));
    for (const int major : {1, 2, 3}) {
        const auto recording = open(npyBytes(npyDictionary("<i2", "(2, 3, 4)"), data, major));
        EXPECT_EQ(recording->info().frame.describe(), "i16 [transmit 2][channel 3][sample 4]");
        EXPECT_EQ(frameOf(*recording), m_expected) << major;
    }
    EXPECT_THAT(refusal(npyBytes(npyDictionary("<i2", "(2, 3, 4)"), data, 9)),
                HasSubstr("version 9"));
}

TEST_F(Npy, ByteOrders) {
    const auto recording = open(npyBytes(npyDictionary(">i2", "(2, 3, 4)"),
                                         bytesOfValues(countedUp<std::int16_t>(24), true)));
    EXPECT_EQ(frameOf(*recording), m_expected);
}

TEST_F(Npy, FortranOrder) {
    // In Fortran order the first index runs fastest.
    std::vector<std::int16_t> values;
    for (int n = 0; n < 4; ++n)
        for (int e = 0; e < 3; ++e)
            for (int t = 0; t < 2; ++t)
                values.push_back(static_cast<std::int16_t>((t * 3 + e) * 4 + n));
    const auto recording =
        open(npyBytes(npyDictionary("<i2", "(2, 3, 4)", true), bytesOfValues(values)));
    EXPECT_EQ(frameOf(*recording), m_expected);
}

TEST_F(Npy, FramesLastInFortranOrderAreReadOneByOne) {
    writeFile(m_path, npyBytes(npyDictionary("<i2", "(4, 3, 5)", true),
                               bytesOfValues(countedUp<std::int16_t>(60))));
    std::string sidecar = kSidecar;
    sidecar.replace(sidecar.find("\"transmit\", \"channel\", \"sample\""), 31,
                    "\"sample\", \"channel\", \"frame\"");
    sidecar.replace(sidecar.find("[-1, 1]"), 7, 1, '0');
    writeFile(m_folder / "data.npy.toml", sidecar);
    const auto recording = openRecording(m_path);
    EXPECT_EQ(recording->info().frameCount, 5);
    EXPECT_EQ(recording->info().frame.describe(), "i16 [transmit 1][channel 3][sample 4]");
    EXPECT_EQ(frameOf(*recording, 3).front(), 36.0);
    EXPECT_EQ(frameOf(*recording, 3).back(), 47.0);
}

template <class T> void expectType(const std::string& descr, DType expected) {
    TemporaryFolder folder;
    const auto path = folder / "data.npy";
    writeFile(path, npyBytes(npyDictionary(descr, "(2, 3, 4)"), bytesOfValues(countedUp<T>(24))));
    writeFile(folder / "data.toml", kSidecar);
    const auto recording = openRecording(path);
    EXPECT_EQ(recording->info().frame.dtype, expected) << descr;
    EXPECT_EQ(frameOf(*recording), countedUp<double>(24)) << descr;
}

TEST_F(Npy, ElementTypes) {
    expectType<std::uint8_t>("|u1", DType::U8);
    expectType<std::int8_t>("|i1", DType::I16);
    expectType<std::uint16_t>("<u2", DType::U16);
    expectType<std::int32_t>("<i4", DType::F32);
    expectType<std::int64_t>("<i8", DType::F32);
    expectType<float>("<f4", DType::F32);
    expectType<double>("<f8", DType::F32);
    expectType<double>("=f8", DType::F32);
}

TEST_F(Npy, ComplexElements) {
    writeFile(m_path,
              npyBytes(npyDictionary("<c16", "(2, 3, 2)"), bytesOfValues(countedUp<double>(24))));
    writeFile(m_folder / "data.npy.toml",
              "sound_speed = 1500\n[data]\nconjugate = true\n"
              "axes = [\"transmit\", \"channel\", \"sample\"]\n[probe]\npitch = 0.3e-3\n"
              "[signal]\nsampling_frequency = 5e6\ndemodulation_frequency = 5e6\n"
              "[transmit]\nangles_deg = [-1, 1]\n");
    const auto recording = openRecording(m_path);
    EXPECT_EQ(recording->info().frame.dtype, DType::ComplexF32);
    std::vector<double> expected = countedUp<double>(24);
    for (std::size_t i = 1; i < 24; i += 2) expected[i] = -expected[i];
    EXPECT_EQ(frameOf(*recording), expected);
}

TEST(ElementTypes, HaveWordsForPeople) {
    const std::pair<const char*, const char*> kWords[] = {
        {"<i2", "16-bit integers"},
        {"|u1", "unsigned 8-bit integers"},
        {">f4", "32-bit floats, big-endian"},
        {"<c8", "complex 32-bit floats"},
        {">u2", "unsigned 16-bit integers, big-endian"}};
    for (const auto& [numpy, words] : kWords)
        EXPECT_EQ(inWords(parseElementType(numpy).value()), words);
    EXPECT_EQ((ArrayLayout{.type = *parseElementType("<f8"), .shape = {}}.describe()),
              "one number (64-bit floats)");
}

TEST_F(Npy, RefusesHeadersThatLie) {
    const std::string data = bytesOfValues(countedUp<std::int16_t>(24));
    const std::string good = npyBytes(npyDictionary("<i2", "(2, 3, 4)"), data);
    EXPECT_THAT(refusal(good.substr(0, good.size() - 1)),
                AllOf(HasSubstr("48 bytes"), HasSubstr("47")));
    EXPECT_THAT(refusal(good.substr(0, 40)), HasSubstr("claims"));
    EXPECT_THAT(refusal(good.substr(0, 9)), HasSubstr("cut off"));
    std::string lying = good;
    lying[8] = lying[9] = '\xFF';
    EXPECT_THAT(refusal(lying), AllOf(HasSubstr("65535"), HasSubstr("copy it again")));
    EXPECT_THAT(refusal(npyBytes(npyDictionary("<i2", "(9223372036854775807, 3, 4)"), data)),
                HasSubstr("larger than any file"));
    EXPECT_THAT(refusal(npyBytes(npyDictionary("<i2", "(100000, 100000, 100000)"), data)),
                HasSubstr("has 48"));
    EXPECT_THAT(refusal(npyBytes(npyDictionary("<i2", "(2, -3, 4)"), data)), HasSubstr("negative"));
    EXPECT_THAT(refusal(npyBytes(npyDictionary("<i2", "(2, 0, 4)"), data)), HasSubstr("empty"));
    EXPECT_THAT(refusal(npyBytes(npyDictionary("<i2", "(6, 4)"), data)), HasSubstr("3 axes"));
}

TEST_F(Npy, RefusesWhatIsNoPlainNumber) {
    EXPECT_THAT(refusal(npyBytes(npyDictionary("|O", "(2,)"), "pickle")), HasSubstr("unpickle"));
    EXPECT_THAT(refusal(npyBytes("{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (2,)}",
                                 "abcd")),
                HasSubstr("structured"));
    for (const char* descr : {"<U4", "<f16", "<i3", "x", "<f2x", "<i99999999999"})
        EXPECT_THAT(refusal(npyBytes(npyDictionary(descr, "(2, 3, 4)"), std::string(999, 'a'))),
                    HasSubstr("no supported number"))
            << descr;
    for (const char* text : {"", "{", "{'descr'", "{'descr': '<i2'}", "[1, 2]", "{'shape': (1, 2}",
                             "{'descr': '<i2', 'fortran_order': Maybe, 'shape': (2, 3, 4)}",
                             "{'descr': '<i2', 'fortran_order': False, 'shape': (2 3 4)}"})
        EXPECT_THAT(refusal(npyBytes(text, std::string(999, 'a'))), HasSubstr("NumPy header"))
            << text;
}

TEST_F(Npy, WithoutSidecarSaysWhatIsMissing) {
    const auto path = m_folder / "bare.npy";
    writeFile(path, npyBytes(npyDictionary("<i2", "(2, 3, 4)"),
                             bytesOfValues(countedUp<std::int16_t>(24))));
    EXPECT_THAT(refusalOf(path),
                AllOf(HasSubstr("bare.npy"), HasSubstr("2 x 3 x 4"), HasSubstr("16-bit integers"),
                      HasSubstr("how it was recorded"), HasSubstr("bare.npy.toml"),
                      HasSubstr("--sidecar")));
}

TEST(ArrayLayouts, ElementsThatAreNoNumbersAreRefused) {
    const auto refusal = [](int bytes, int components) {
        try {
            ArrayLayout{.type = {.bytes = bytes, .components = components}, .shape = {4}}.check(
                "file", "array");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const auto& [bytes, components] :
         {std::pair{0, 1}, {4, 0}, {-1, 1}, {5, 1}, {4, 3}, {1668573552, 104}, {1 << 16, 1 << 16}})
        EXPECT_THAT(refusal(bytes, components), HasSubstr("are no numbers"))
            << bytes << " " << components;
    EXPECT_EQ(refusal(3, 1), "");
    EXPECT_EQ(refusal(8, 2), "");
}

} // namespace
} // namespace echolux::test
