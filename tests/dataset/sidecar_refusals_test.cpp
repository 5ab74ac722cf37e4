// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars that contradict the file or themselves: one sentence with the numbers.
#include "tests/dataset/sidecar_fixture.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST_F(SidecarTest, ContradictionsNameBothNumbers) {
    const auto with = [](auto change) {
        Parts parts;
        change(parts);
        return parts;
    };
    const std::string raw = "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    EXPECT_THAT(
        refusal(with([&](Parts& p) { p.data = "dtype = \"<i2\"\nshape = [2, 3, 5]\n" + raw; })),
        AllOf(HasSubstr("60 bytes"), HasSubstr("has 48")));
    EXPECT_THAT(refusal(with([&](Parts& p) {
                    p.data = "dtype = \"<i2\"\nshape = [2, 3, 4]\noffset = 100\n" + raw;
                })),
                AllOf(HasSubstr("48 bytes"), HasSubstr("has 0")));
    EXPECT_THAT(
        refusal(with([&](Parts& p) { p.data = "dtype = \"<i2\"\nshape = [-1, 5, 4]\n" + raw; })),
        AllOf(HasSubstr("48 bytes"), HasSubstr("40 bytes")));
    EXPECT_THAT(
        refusal(with([&](Parts& p) { p.data = "dtype = \"<i2\"\nshape = [6, 4]\n" + raw; })),
        AllOf(HasSubstr("3 axes"), HasSubstr("2 axes")));
    EXPECT_THAT(refusal(with([&](Parts& p) {
                    p.data =
                        "dtype = \"<i2\"\nshape = [4000000000, 4000000000, 4000000000]\n" + raw;
                })),
                HasSubstr("larger than any file"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.transmit = "angles_deg = [-10, 0, 10]\n"; })),
                AllOf(HasSubstr("3 entries"), HasSubstr("2 transmits")));
    EXPECT_THAT(refusal(with([](Parts& p) { p.transmit = ""; })), HasSubstr("2 transmits"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.transmit = "angles = [-10, 10]\n"; })),
                HasSubstr("rad"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.probe = "x = [0, 1e-3]\n"; })),
                AllOf(HasSubstr("2 entries"), HasSubstr("3 channels")));
    EXPECT_THAT(refusal(with([](Parts& p) { p.probe = "elements = [[0, 0, 0]]\n"; })),
                AllOf(HasSubstr("3 numbers"), HasSubstr("need 9")));
    EXPECT_THAT(refusal(with([](Parts& p) { p.signal += "first_sample = [0, 0, 0]\n"; })),
                HasSubstr("3 entries"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.signal += "demodulation_frequency = 5e6\n"; })),
                HasSubstr("samples are real"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.data += "conjugate = true\n"; })),
                HasSubstr("samples are real"));
    EXPECT_THAT(
        refusal(with([](Parts& p) { p.transmit = "wave = \"element\"\nelements = [0, 3]\n"; })),
        AllOf(HasSubstr("element 3"), HasSubstr("0 to 2")));
    EXPECT_THAT(refusal(with([](Parts& p) { p.signal = "sampling_frequency = \"fs\"\n"; })),
                HasSubstr("headerless"));
    EXPECT_THAT(refusal(with([](Parts& p) { p.signal = "sampling_frequency = -1\n"; })),
                HasSubstr("greater than 0"));
}

TEST_F(SidecarTest, DamagedSidecars) {
    const auto refused = [&](const std::string& text) {
        writeFile(m_folder / "data.raw.toml", text);
        return refusalOf(m_path);
    };
    EXPECT_THAT(refused("sound_speed = = 3\n"), AllOf(HasSubstr("line 1"), HasSubstr("TOML")));
    EXPECT_THAT(refused("\xff\xfe\n"), HasSubstr("TOML"));
    EXPECT_THAT(refused(""), HasSubstr("data.axes"));
    EXPECT_THAT(refused("data = 3\n"), HasSubstr("must be a table"));
    EXPECT_THAT(refused("speed = 1\n" + Parts().text()),
                AllOf(HasSubstr("'speed'"), HasSubstr("sound_speed")));
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = Parts().text();
        text.replace(text.find(from), from.size(), to);
        return refused(text);
    };
    EXPECT_THAT(changed("\"sample\"", "\"time\""), HasSubstr("'time'"));
    EXPECT_THAT(changed("\"sample\"", "\"channel\""), HasSubstr("named twice"));
    EXPECT_THAT(changed("\"channel\"", "\"frame\""), HasSubstr("'channel'"));
    EXPECT_THAT(changed("\"<i2\"", "\"i3\""), HasSubstr("data.dtype"));
    EXPECT_THAT(changed("dtype = \"<i2\"", ""), HasSubstr("dtype"));
    EXPECT_THAT(changed("[2, 3, 4]", "[2, 3, 0]"), HasSubstr("data.shape"));
    EXPECT_THAT(changed("0.3e-3", "\"wide\""), HasSubstr("'wide'"));
    EXPECT_THAT(changed("0.3e-3", "0"), HasSubstr("probe.pitch"));
    EXPECT_THAT(changed("0.3e-3", "nan"), HasSubstr("finite"));
    EXPECT_THAT(changed("20e6", "inf"), HasSubstr("finite"));
    EXPECT_THAT(changed("20e6", "true"), HasSubstr("must be a number"));
    EXPECT_THAT(changed("1500", "{ from = 3 }"), HasSubstr("sound_speed"));
    EXPECT_THAT(changed("angles_deg = [-10, 10]", "wave = \"spiral\""),
                AllOf(HasSubstr("spiral"), HasSubstr("diverging")));
    EXPECT_THAT(changed("angles_deg = [-10, 10]", "wave = \"diverging\""), HasSubstr("sources"));
    EXPECT_THAT(changed("pitch = 0.3e-3", "name = \"?\""), HasSubstr("exactly one"));
}

} // namespace
} // namespace echolux::test
