// SPDX-License-Identifier: GPL-3.0-or-later
// Quantiles found on the graphics card against those of sorted values.
#include "tests/support/gl_context.hpp"

#include "gpu/core/decibels.hpp"
#include "render/view/level_probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace echolux {
namespace {

constexpr float kAny = std::numeric_limits<float>::lowest();

class LevelProbes : public testing_support::GlTest {
protected:
    void SetUp() override {
        GlTest::SetUp();
        if (m_context) m_probe = std::make_unique<LevelProbe>();
    }
    void TearDown() override { m_probe.reset(); }

    static gl::Texture textureOf(int width, int height, const std::vector<float>& values,
                                 GLint internalFormat = GL_R32F, GLenum format = GL_RED) {
        gl::Texture texture = gl::makeTexture2d(internalFormat, width, height, format, GL_FLOAT);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, format, GL_FLOAT, values.data());
        return texture;
    }
    Levels found(const gl::Texture& texture, int width, int height, float lowest) {
        m_probe->look(texture.name(), width, height, lowest);
        EXPECT_TRUE(m_probe->looking());
        glFinish();
        const auto levels = m_probe->take();
        EXPECT_TRUE(levels) << "all commands have run";
        EXPECT_FALSE(m_probe->looking());
        EXPECT_FALSE(m_probe->take()) << "once";
        return levels.value_or(Levels{});
    }
    Levels found(int width, int height, const std::vector<float>& values, float lowest = kAny) {
        return found(textureOf(width, height, values), width, height, lowest);
    }
    static void expectQuantiles(const Levels& levels, std::vector<float> values) {
        ASSERT_EQ(levels.count, std::ssize(values));
        std::ranges::sort(values);
        const auto at = [&](double part) {
            return double(values[std::size_t(part * double(values.size() - 1))]);
        };
        // Even bins span the powers of two around the outer quantiles.
        const double margin = 1.02 / 4096.0 * 2.0 *
                              (std::max(std::abs(at(0.01)), std::abs(at(0.999))) +
                               std::abs(at(0.999)) + std::abs(at(0.01)));
        EXPECT_NEAR(levels.black, at(0.01), margin);
        EXPECT_NEAR(levels.noise, at(0.25), margin);
        EXPECT_NEAR(levels.white, at(0.999), margin);
    }

    std::unique_ptr<LevelProbe> m_probe;
};

TEST_F(LevelProbes, AreThoseOfTheSortedValues) {
    std::mt19937 random(7);
    std::normal_distribution<float> level(-35.0F, 12.0F);
    std::lognormal_distribution<float> amplitude(3.0F, 2.0F);
    std::vector<float> values(200 * 171);
    std::ranges::generate(values, [&] { return level(random); });
    expectQuantiles(found(200, 171, values), values);
    std::ranges::generate(values, [&] { return amplitude(random); });
    expectQuantiles(found(200, 171, values), values);
    for (std::size_t i = 0; i < values.size(); i += 2) values[i] = -1e-12F * values[i];
    expectQuantiles(found(200, 171, values), values);
}

TEST_F(LevelProbes, OneValueIsAllQuantiles) {
    for (const float value : {60.0F, -60.0F, 1.0F, 0.0F, 1e30F, -3e37F}) {
        const Levels levels = found(3, 5, std::vector<float>(15, value));
        EXPECT_EQ(levels.count, 15);
        EXPECT_NEAR(levels.black, value, std::abs(value) / 2000.0 + 1e-30);
        EXPECT_EQ(levels.black, levels.white);
    }
}

TEST_F(LevelProbes, WhatIsNoValueDoesNotCount) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    std::vector<float> values{kNan, kInfinite, -kInfinite, kNothingDb, 10.0F, 20.0F};
    EXPECT_EQ(found(6, 1, values, kNothingDb).count, 2);
    EXPECT_EQ(found(6, 1, values).count, 3);
    EXPECT_NEAR(found(6, 1, values, kNothingDb).black, 10.0, 0.02);
    EXPECT_EQ(found(2, 2, std::vector<float>(4, kNan)).count, 0);
    // Red, and alpha 0 for what lies beside a volume.
    const std::vector<float> texels{5.0F, 0, 0, 1.0F, 99.0F, 0, 0, 0.0F};
    const gl::Texture texture = textureOf(2, 1, texels, GL_RGBA32F, GL_RGBA);
    const Levels levels = found(texture, 2, 1, kAny);
    EXPECT_EQ(levels.count, 1);
    EXPECT_NEAR(levels.white, 5.0, 0.02);
}

TEST_F(LevelProbes, OfALargePictureAnEvenGridIsLookedAt) {
    std::vector<float> ramp(1000 * 300);
    for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = float(i % 1000);
    const Levels levels = found(1000, 300, ramp);
    EXPECT_EQ(levels.count, 256 * 256);
    EXPECT_NEAR(levels.black, 10.0, 5.0);
    EXPECT_NEAR(levels.noise, 250.0, 5.0);
    EXPECT_NEAR(levels.white, 999.0, 5.0);
}

TEST_F(LevelProbes, LimitsAreThoseOfTheValues) {
    std::mt19937 random(3);
    std::normal_distribution<float> level(40.0F, 9.0F);
    std::vector<float> values(128 * 128);
    std::ranges::generate(values, [&] { return level(random); });
    values[17] = kNothingDb;
    for (const Content content :
         {Content::Amplitudes, Content::Decibels, Content::ProjectedDecibels}) {
        const auto exact = autoRange(values, content);
        const auto quick = autoRange(found(128, 128, values, lowestOf(content)), content);
        ASSERT_TRUE(exact && quick);
        const double range = exact->second - exact->first;
        EXPECT_NEAR(quick->first, exact->first, 0.012 * range);
        EXPECT_NEAR(quick->second, exact->second, 0.012 * range);
    }
}

} // namespace
} // namespace echolux
