// SPDX-License-Identifier: GPL-3.0-or-later
// Views that are drawn over another view of the pipeline.
#include "tests/ui/view_area_fixture.hpp"

#include "ui/parameters/display_group.hpp"
#include "ui/views/further_views.hpp"

#include <array>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::HostSupplier;
using testing_support::imageSpec;

/// A B-mode image of -30 dB; over it velocities, 1 cm/s at the left and none at the right; power
/// over it.
class OverViewsTest : public testing_support::ViewAreaFixture {
protected:
    static constexpr std::int64_t kSide = 20;

    void SetUp() override {
        ViewAreaFixture::SetUp();
        if (m_area == nullptr || IsSkipped()) return;
        m_area->setViewNames({"B-mode", "velocity", "power"});
        m_area->further().setBeneath({std::nullopt, 0, 0});
        const std::vector<float> grey(kSide * kSide, -30.0F);
        const FrameSpec image = imageSpec(kSide, kSide, 1e-3);
        FrameSpec velocities = image;
        velocities.valueRange = ValueRange{-1.0, 1.0, "cm/s", ""};
        std::vector<float> moving(kSide * kSide, 0.0F);
        for (std::size_t i = 0; i < moving.size(); ++i)
            if (i % kSide < kSide / 2) moving[i] = 1.0F;
        std::vector<float> power(kSide * kSide, 0.0F);
        for (std::size_t i = 0; i < power.size(); ++i)
            if (i % kSide >= kSide / 2) power[i] = -60.0F;
        m_suppliers[1].putBeneath(image, grey);
        m_suppliers[2].putBeneath(image, grey);
        m_suppliers[0].offer(image, grey);
        m_suppliers[1].offer(velocities, moving);
        m_suppliers[2].offer(image, power);
        first().setFrameSupplier(&m_suppliers[0]);
        for (const int i : {0, 1})
            view(i).setFrameSupplier(&m_suppliers[static_cast<std::size_t>(i) + 1]);
        ASSERT_TRUE(
            comesTrue([&] { return first().hasImage() && view(0).isOver() && view(1).isOver(); }));
    }
    ImageView& first() { return m_area->bscan(); }
    ImageView& view(int further) { return m_area->further().view(further); }
    /// Colour at a part of the image's width.
    static QColor colourAt(ImageView& view, double part) {
        const Rect image = view.view().imageInPixels();
        const QPointF place(image.left + part * image.width(), image.top + 0.5 * image.height());
        return view.grabImage().pixelColor(place.toPoint());
    }

    std::array<HostSupplier, 3> m_suppliers;
};

TEST_F(OverViewsTest, ColoursOfFlowCoverTheGreyImage) {
    EXPECT_FALSE(first().isOver());
    EXPECT_EQ(view(0).colourMapName(), "red-blue");
    EXPECT_EQ(view(1).colourMapName(), "hot") << "power over grey is not grey";
    const QColor grey = colourAt(first(), 0.75);
    EXPECT_EQ(grey.red(), grey.blue());
    EXPECT_NEAR(grey.red(), 128, 1);
    EXPECT_EQ(colourAt(view(0), 0.75), grey) << "no flow";
    EXPECT_EQ(colourAt(view(0), 0.25).rgb(), colourMap("red-blue").colour[255] | 0xff000000U);
    EXPECT_EQ(colourAt(view(1), 0.75), grey) << "no power";
    EXPECT_EQ(colourAt(view(1), 0.25).rgb(), colourMap("hot").colour[255] | 0xff000000U);
}

TEST_F(OverViewsTest, TheImageBeneathHasTheLimitsAndColoursOfItsOwnView) {
    first().setDisplayRange(-30.0, 0.0);
    EXPECT_EQ(colourAt(view(0), 0.75), QColor(Qt::black));
    first().setDisplayRange(-60.0, -30.0);
    EXPECT_EQ(colourAt(view(0), 0.75), QColor(Qt::white));
    DisplayChoice choice;
    choice.colourMap = "viridis";
    choice.priority = 0.9; // -30 dB is the brightest now
    m_area->setColours(choice);
    EXPECT_EQ(colourAt(view(0), 0.25), colourAt(first(), 0.25)) << "too bright for flow";
    choice.priority = 1.0;
    choice.opacity = 0.0;
    m_area->setColours(choice);
    EXPECT_EQ(colourAt(view(0), 0.25), colourAt(first(), 0.25)) << "flow is transparent";
}

TEST_F(OverViewsTest, SpeedsAreHotOnBlackToo) {
    m_area->further().setBeneath({std::nullopt, std::nullopt, std::nullopt});
    FrameSpec speeds = imageSpec(kSide, kSide, 1e-3);
    speeds.valueRange = ValueRange{0.0, 50.0, "mm/s", ""};
    m_suppliers[1].offer(speeds, std::vector<float>(kSide * kSide, 10.0F));
    ASSERT_TRUE(comesTrue([&] { return view(0).colourMapName() == "hot"; }));
}

TEST(OverRows, AreShownForViewsThatAreDrawnOverAnother) {
    testing_support::application();
    const RowColumns columns;
    DisplayGroup group(columns);
    group.show();
    EXPECT_FALSE(group.row("opacity")->isVisible());
    group.setBlends(true);
    EXPECT_TRUE(group.row("opacity")->isVisible());
    EXPECT_TRUE(group.row("priority")->isVisible());
    group.setRangeLimits(-10.0, 10.0, "dB"); // makes the rows anew
    EXPECT_TRUE(group.row("priority")->isVisible());
    group.setBlends(false);
    EXPECT_FALSE(group.row("priority")->isVisible());
}

TEST(ParticleRows, AreShownForViewsOfFlowAndSetItsParticles) {
    testing_support::application();
    const RowColumns columns;
    DisplayGroup group(columns);
    group.show();
    EXPECT_FALSE(group.row("particles")->isVisible());
    group.setMoves(true);
    for (const char* key : {"particles", "particle_count", "particle_pace"})
        EXPECT_TRUE(group.row(key)->isVisible()) << key;
    DisplayChoice chosen;
    QObject::connect(&group, &DisplayGroup::edited,
                     [&](const DisplayChoice& choice) { chosen = choice; });
    emit group.row("particle_count")->edited("particle_count", std::int64_t{77});
    EXPECT_EQ(chosen.particleCount, 77);
    emit group.row("particle_pace")->edited("particle_pace", 0.5);
    EXPECT_EQ(chosen.particlePace, 0.5);
    emit group.row("particles")->edited("particles", false);
    EXPECT_FALSE(chosen.particles);
}

TEST_F(OverViewsTest, ParticlesFollowTheChoice) {
    DisplayChoice choice;
    choice.particleCount = 77;
    choice.particlePace = 0.5;
    m_area->setColours(choice);
    EXPECT_EQ(first().particles(), (ParticleSettings{77, 0.5}));
    EXPECT_EQ(view(0).particles(), (ParticleSettings{77, 0.5}));
    choice.particles = false;
    m_area->setColours(choice);
    EXPECT_EQ(view(0).particles().count, 0);
}

} // namespace
} // namespace echolux
