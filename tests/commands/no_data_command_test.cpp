// SPDX-License-Identifier: GPL-3.0-or-later
// Sectors of a full circle and of a part of it, as catheters record them, through the command line:
// targets lie where they are, and what lies beside the sector is no data in every file.
#include "app/export/picture.hpp"
#include "render/view/colour_map.hpp"
#include "tests/commands/golden.hpp"

#include <QImage>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace echolux::catheter {
namespace {

constexpr int kLines = 128;
constexpr int kRanges = 200;
constexpr double kRangeStepM = 20e-6;
constexpr double kRadiusM = 0.5e-3;

struct Target {
    double x, z; ///< mm
};
const std::vector<Target> kTargets{{-0.45, -1.64}, {-2.65, 1.18}, {0.72, 2.18}, {3.41, -0.77}};

class CatheterFile : public testing::Test {
protected:
    /// Envelopes of the targets on lines over `degrees`, the first one at -degrees / 2.
    void write(double degrees) {
        const double gaps = degrees < 360.0 ? kLines - 1 : kLines;
        const double step = degrees / gaps * std::numbers::pi / 180.0;
        const double first = -0.5 * degrees * std::numbers::pi / 180.0;
        std::vector<float> values;
        for (int line = 0; line < kLines; ++line) {
            for (int i = 0; i < kRanges; ++i) {
                const double r = 1e3 * (kRadiusM + i * kRangeStepM);
                const double x = r * std::sin(first + line * step);
                const double z = r * std::cos(first + line * step);
                double sum = 0.01;
                for (const Target& t : kTargets) {
                    const double away = std::hypot(x - t.x, z - t.z) / 0.2;
                    sum += std::exp(-0.5 * away * away);
                }
                values.push_back(static_cast<float>(sum));
            }
        }
        std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': (128, 200), }";
        head.append(117 - head.size(), ' ');
        head += '\n';
        std::ofstream file(m_file, std::ios::binary);
        file << "\x93NUMPY" << '\x01' << '\0' << static_cast<char>(head.size()) << '\0' << head;
        file.write(reinterpret_cast<const char*>(values.data()),
                   static_cast<std::streamsize>(values.size() * sizeof(float)));
        std::ofstream(m_file + ".toml")
            << "sound_speed = 1540\n"
               "image = { form = \"envelope\", depth_step = 20e-6, radius = 0.5e-3, angle_step_deg "
               "= "
            << degrees / gaps << ", angle_first_deg = " << -0.5 * degrees
            << ", apex = [0, 0], frame_rate = 30 }\n[data]\naxes = [\"lateral\", \"depth\"]\n";
    }
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    void render(const std::string& out, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"render", m_file, "-o", file(out), "--backend", "cpu"};
        words.insert(words.end(), more.begin(), more.end());
        const auto result = test::runEcholux(words);
        ASSERT_EQ(result.status, 0) << result.err;
    }

    test::TemporaryFolder m_folder;
    std::string m_file = (m_folder / "catheter.npy").string();
};

TEST_F(CatheterFile, AFullCircleShowsEveryTargetAtItsPlace) {
    write(360.0);
    render("a.npy");
    std::ifstream text(file("a.json"));
    const auto facts = nlohmann::json::parse(text);
    const auto& axes = facts.at("axes");
    const auto at = [&](std::size_t axis, std::size_t i) { // mm
        return 1e3 * (axes[axis].at("origin").get<double>() +
                      static_cast<double>(i) * axes[axis].at("spacing").get<double>());
    };
    const auto columns = axes[1].at("size").get<std::size_t>();
    EXPECT_NEAR(at(1, 0), -4.48, 0.03);
    EXPECT_NEAR(at(0, 0), -4.48, 0.03);
    const std::vector<float> image = test::npyValues(file("a.npy"));
    for (const Target& target : kTargets) {
        Target brightest{};
        float most = -1e9F;
        for (std::size_t i = 0; i < image.size(); ++i) {
            const Target place{at(1, i % columns), at(0, i / columns)};
            if (std::hypot(place.x - target.x, place.z - target.z) > 0.4 || !(image[i] > most))
                continue;
            most = image[i];
            brightest = place;
        }
        EXPECT_NEAR(most, 0.0F, 0.5F) << "dB";
        EXPECT_NEAR(brightest.x, target.x, 0.03);
        EXPECT_NEAR(brightest.z, target.z, 0.03);
    }
}

TEST_F(CatheterFile, BesideTheSectorThereIsNoDataInAnyFile) {
    write(270.0);
    render("a.npy");
    const std::vector<float> image = test::npyValues(file("a.npy"));
    std::ifstream text(file("a.json"));
    const auto axes = nlohmann::json::parse(text).at("axes");
    const double pixel = axes[0].at("spacing").get<double>();
    const auto columns = axes[1].at("size").get<std::size_t>();
    const auto inside = std::ranges::count_if(image, [](float v) { return !std::isnan(v); });
    const double far = kRadiusM + (kRanges - 1) * kRangeStepM;
    const double area = 0.75 * std::numbers::pi * (far * far - kRadiusM * kRadiusM);
    EXPECT_NEAR(static_cast<double>(inside) * pixel * pixel / area, 1.0, 5e-3);
    EXPECT_TRUE(std::isnan(image.front()));

    render("a.png");
    const QImage picture(QString::fromStdString(file("a.png")));
    ASSERT_EQ(static_cast<std::size_t>(picture.width()), columns);
    EXPECT_EQ(picture.pixel(0, 0), 0xff000000U);
    std::size_t coloured = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            if (const QRgb p = picture.pixel(x, y); qRed(p) != qGreen(p) || p == 0xffff00ffU)
                ++coloured;
    EXPECT_EQ(coloured, 0U);

    // What was exported opens again with the same places without data.
    const auto exported =
        test::runEcholux({"export", m_file, "-o", file("again.nii"), "--backend", "cpu"});
    ASSERT_EQ(exported.status, 0) << exported.err;
    const auto again =
        test::runEcholux({"render", file("again.nii"), "-o", file("b.npy"), "--backend", "cpu"});
    ASSERT_EQ(again.status, 0) << again.err;
    const std::vector<float> reopened = test::npyValues(file("b.npy"));
    ASSERT_EQ(reopened.size(), image.size());
    for (std::size_t i = 0; i < image.size(); ++i)
        ASSERT_EQ(std::isnan(reopened[i]), std::isnan(image[i])) << i;
}

/// 9 and -9 of a cycle of 20 are 2 apart, through 10, in a picture whose pixels become square.
TEST(StretchedPictures, VelocitiesAreMixedOnTheirCircle) {
    FrameSpec spec;
    spec.axes = {{AxisName::Depth, 4, 0.1e-3, 0.0, "m"}, {AxisName::Lateral, 2, 0.8e-3, 0.0, "m"}};
    spec.valueKind = ValueKind::Cyclic;
    spec.cycle = 20.0;
    spec.valueRange = ValueRange{-10.0, 10.0, "cm/s", ""};
    const std::vector<float> rows{9.0F, -9.0F, 9.0F, -9.0F, 9.0F, -9.0F, 9.0F, -9.0F};
    const auto bytes = std::as_bytes(std::span(rows));
    const QImage picture = toPicture({spec, {bytes.begin(), bytes.end()}},
                                     {.colourMap = "red-blue"}, *spec.valueRange);
    ASSERT_EQ(picture.width(), 16);
    ASSERT_EQ(picture.height(), 4);
    for (int x = 0; x < 16; ++x) {
        const double part = std::clamp((x + 0.5) * 2.0 / 16.0 - 0.5, 0.0, 1.0);
        const double value = 10.0 / std::numbers::pi *
                             std::atan2((1.0 - 2.0 * part) * std::sin(0.9 * std::numbers::pi),
                                        std::cos(0.9 * std::numbers::pi));
        const auto entry = static_cast<std::size_t>(std::lround((value + 10.0) / 20.0 * 255.0));
        EXPECT_EQ(picture.pixel(x, 1) & 0xffffffU, colourMap("red-blue").colour[entry]) << x;
    }
}

} // namespace
} // namespace echolux::catheter
