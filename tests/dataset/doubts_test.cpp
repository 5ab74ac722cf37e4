// SPDX-License-Identifier: GPL-3.0-or-later
// Facts and samples that no device has are told of, with the value, the unit and what is plausible.
#include "app/dataset/recording/doubts.hpp"
#include "tests/dataset/sidecar_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Doubts, AreOneSentenceWithValueUnitAndRange) {
    EXPECT_EQ(doubtAbout(fact::kPitch, 0.3),
              "The pitch is 300 mm, but 0.005 to 20 mm are plausible; 0.3 mm would be, so check "
              "the unit: it is taken in m.");
    EXPECT_EQ(doubtAbout(fact::kSoundSpeed, 1.54),
              "The speed of sound is 1.54 m/s, but 300 to 20000 m/s are plausible; 1.54 km/s "
              "(mm/us) would be, so check the unit: it is taken in m/s.");
    EXPECT_EQ(doubtAbout(fact::kSamplingFrequency, 25.0),
              "The sampling frequency is 2.5e-05 MHz, but 0.1 to 10000 MHz are plausible; 25 MHz "
              "would be, so check the unit: it is taken in Hz.");
    EXPECT_EQ(doubtAbout(fact::kDepth, 24601.5),
              "The farthest depth is 2.4602e+07 mm, but 0.001 to 2000 mm are plausible; 24602 um "
              "would be, so check the unit: it is taken in m.");
    EXPECT_EQ(doubtAbout(fact::kDepth, 1e9),
              "The farthest depth is 1e+12 mm, but 0.001 to 2000 mm are plausible; check the "
              "number and its unit, m.");
    EXPECT_EQ(doubtAbout(fact::kLargestSample, 1e38, "check the scale"),
              "The largest sample of the first frame is 1e+38, but 0 to 1e+12 are plausible; check "
              "the scale.");
}

TEST(Doubts, EndAtTheRangeAndWhereNothingIsKnown) {
    EXPECT_EQ(doubtAbout(fact::kPitch, 0.0), std::nullopt);
    for (const Fact& fact : {fact::kPitch, fact::kSamplingFrequency, fact::kDepth}) {
        EXPECT_EQ(doubtAbout(fact, fact.plausible.most), std::nullopt);
        EXPECT_EQ(doubtAbout(fact, fact.plausible.least), std::nullopt);
        EXPECT_NE(doubtAbout(fact, 1.001 * fact.plausible.most), std::nullopt);
        EXPECT_NE(doubtAbout(fact, 0.999 * fact.plausible.least), std::nullopt);
        EXPECT_NE(doubtAbout(fact, -1.001 * fact.plausible.most), std::nullopt);
    }
    EXPECT_EQ(doubtAbout(fact::kFirstSample, -20e-6), std::nullopt) << "before the wave";
}

class DoubtfulSidecar : public SidecarTest {
protected:
    std::vector<std::string> warnings(const Parts& parts) { return open(parts)->info().warnings; }
};

TEST_F(DoubtfulSidecar, NamesTheFactThatIsWrong) {
    EXPECT_THAT(warnings({}), IsEmpty());
    Parts pitch;
    pitch.probe = "pitch = 0.3\n";
    EXPECT_THAT(warnings(pitch),
                ElementsAre(AllOf(HasSubstr("The pitch is 300 mm"), HasSubstr("0.3 mm would be"))));
    Parts speed;
    speed.top = "sound_speed = 1.54\n";
    EXPECT_THAT(warnings(speed), ElementsAre(HasSubstr("The speed of sound is 1.54 m/s")));
    Parts sampling;
    sampling.signal = "sampling_frequency = 25\ncentre_frequency = 5e6\n";
    EXPECT_THAT(warnings(sampling), Contains(AllOf(HasSubstr("sampling frequency is 2.5e-05 MHz"),
                                                   HasSubstr("25 MHz would be"))));
    Parts centre;
    centre.signal = "sampling_frequency = 20e6\ncentre_frequency = 5\n";
    EXPECT_THAT(warnings(centre), Contains(AllOf(HasSubstr("centre frequency is 5e-06 MHz"),
                                                 HasSubstr("5 MHz would be"))));
    Parts start;
    start.signal += "first_sample = 10\n";
    EXPECT_THAT(warnings(start), ElementsAre(AllOf(HasSubstr("first sample is 1e+07 us"),
                                                   HasSubstr("10 us would be"))));
}

TEST_F(DoubtfulSidecar, NamesLongRecordings) {
    // 300,000 samples of 1500 m/s at 0.1 MHz end at 2250 m.
    writeFile(m_path, std::string(2 * 300000, '\0'));
    Parts parts;
    parts.data = "dtype = \"<i2\"\nshape = [1, 1, 300000]\n"
                 "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    parts.signal = "sampling_frequency = 0.1e6\ncentre_frequency = 0.02e6\n";
    parts.transmit = "angles_deg = [0]\n";
    EXPECT_THAT(warnings(parts), ElementsAre(HasSubstr("farthest depth is 2.25e+06 mm")));
}

TEST_F(DoubtfulSidecar, NamesImagesInMillimetres) {
    const auto warnings = [&](const std::string& step) {
        writeFile(m_folder / "data.raw.toml",
                  "[data]\ndtype = \"<i2\"\nshape = [6, 4]\naxes = [\"depth\", \"lateral\"]\n"
                  "[image]\nform = \"envelope\"\ndepth_step = " +
                      step + "\nlateral_step = " + step + "\n");
        return openRecording(m_path)->info().warnings;
    };
    EXPECT_THAT(warnings("0.5e-3"), IsEmpty());
    EXPECT_THAT(warnings("2"), ElementsAre(AllOf(HasSubstr("farthest depth is 12000 mm"),
                                                 HasSubstr("12 mm would be"), HasSubstr("in m")),
                                           HasSubstr("width of the image is 8000 mm")));
}

TEST_F(DoubtfulSidecar, NamesLightInNanometres) {
    std::vector<std::uint16_t> codes(24);
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i * i);
    writeFile(m_path, bytesOfValues(codes));
    const auto warnings = [&](const std::string& spectrometer) {
        writeFile(m_folder / "data.raw.toml",
                  "[data]\ndtype = \"<u2\"\nshape = [1, 4, 6]\n"
                  "axes = [\"bscan\", \"lateral\", \"sample\"]\n[spectrometer]\n" +
                      spectrometer);
        return openRecording(m_path)->info().warnings;
    };
    EXPECT_THAT(warnings("centre_wavelength = 840e-9\nbandwidth = 60e-9\n"
                         "refractive_index = 1.38\nline_spacing = 10e-6\n"),
                IsEmpty());
    EXPECT_THAT(warnings("centre_wavelength = 840\nbandwidth = 60\nrefractive_index = 138\n"
                         "line_spacing = 10\n"),
                ElementsAre(HasSubstr("840 nm would be"), HasSubstr("60 nm would be"),
                            HasSubstr("refractive index is 138"), HasSubstr("10 um would be")));
}

TEST_F(DoubtfulSidecar, NamesNumbersThatAreFarTooLarge) {
    std::vector<float> values(24, 0.5F);
    Parts parts;
    parts.data = "dtype = \"<f4\"\nshape = [2, 3, 4]\n"
                 "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    writeFile(m_path, bytesOfValues(values));
    EXPECT_THAT(warnings(parts), IsEmpty());
    values[7] = -1e38F;
    writeFile(m_path, bytesOfValues(values));
    EXPECT_THAT(warnings(parts), ElementsAre(HasSubstr("first frame is 1e+38")));
}

/// A sine of 40 samples per period on each line, cut off at `top`.
template <class T> std::string cutOff(int lines, int length, double amplitude, double top) {
    std::vector<T> values;
    for (int line = 0; line < lines; ++line)
        for (int n = 0; n < length; ++n)
            values.push_back(static_cast<T>(std::lround(
                std::clamp(amplitude * std::sin(2 * std::numbers::pi * n / 40.0), -top, top))));
    return bytesOfValues(values);
}

TEST_F(DoubtfulSidecar, CountsSamplesAtFullScale) {
    Parts parts;
    parts.data = "dtype = \"<i2\"\nshape = [2, 3, 40]\n"
                 "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    writeFile(m_path, cutOff<std::int16_t>(6, 40, 32767.0, 32767.0));
    EXPECT_THAT(warnings(parts), IsEmpty()) << "a wave that just reaches full scale";
    // sin(2 pi n / 40) is above 1 / 2 from n = 3.33 to 16.67: 13 samples of each half period.
    writeFile(m_path, cutOff<std::int16_t>(6, 40, 65536.0, 32767.0));
    EXPECT_THAT(warnings(parts),
                ElementsAre(AllOf(HasSubstr("156 of 240 samples"), HasSubstr("up to 13 in a row"),
                                  HasSubstr("full scale (-32768 to 32767)"))));
    parts.data += "converter_range = [-2048, 2047]\n";
    writeFile(m_path, cutOff<std::int16_t>(6, 40, 4094.0, 2047.0));
    EXPECT_THAT(warnings(parts),
                ElementsAre(AllOf(HasSubstr("156 of 240 samples"), HasSubstr("(-2048 to 2047)"))));
}

TEST_F(DoubtfulSidecar, PairsAreCountedPartByPart) {
    // I is cut off in 4 neighbouring samples, Q nowhere.
    std::vector<std::int16_t> values;
    for (int n = 0; n < 12; ++n) {
        values.push_back(n >= 4 && n < 8 ? std::int16_t{32767} : std::int16_t{5});
        values.push_back(static_cast<std::int16_t>(n));
    }
    writeFile(m_path, bytesOfValues(values));
    Parts parts;
    parts.data = "dtype = \"<i2\"\nshape = [1, 12, 2]\naxes = [\"channel\", \"sample\", \"iq\"]\n";
    parts.signal += "demodulation_frequency = 5e6\n";
    parts.transmit = "angles_deg = [0]\n";
    EXPECT_THAT(warnings(parts),
                ElementsAre(AllOf(HasSubstr("4 of 24 samples"), HasSubstr("up to 4 in a row"))));
}

TEST_F(DoubtfulSidecar, DarkSpectraAreNotCutOff) {
    std::vector<std::uint16_t> codes(30, 0);
    codes[10] = 900;
    const auto warnings = [&] {
        writeFile(m_path, bytesOfValues(codes));
        writeFile(m_folder / "data.raw.toml",
                  "[data]\ndtype = \"<u2\"\nshape = [1, 3, 10]\n"
                  "axes = [\"bscan\", \"lateral\", \"sample\"]\n[spectrometer]\n");
        return openRecording(m_path)->info().warnings;
    };
    EXPECT_THAT(warnings(), IsEmpty());
    std::fill_n(codes.begin() + 12, 5, std::uint16_t{65535});
    EXPECT_THAT(warnings(),
                ElementsAre(AllOf(HasSubstr("5 of 30 samples"), HasSubstr("(0 to 65535)"))));
}

} // namespace
} // namespace echolux::test
