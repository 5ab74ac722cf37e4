// SPDX-License-Identifier: GPL-3.0-or-later
// What the views show, kept as JSON and brought back.
#include "tests/ui/view_area_fixture.hpp"

#include <QJsonDocument>
#include <QJsonObject>

namespace echolux {
namespace {

class ViewScene : public testing_support::ViewAreaFixture {};

TEST_F(ViewScene, ASceneComesBackByWayOfJson) {
    showVolume();
    const auto arrange = [this](const char* enFace, const char* volume, const char* look) {
        for (const char* key : {enFace, volume, look}) action(key)->trigger();
    };
    arrange("N", "S", "4");
    m_area->moveWindow({3e-4, 5e-4});
    m_area->moveCrosshair({4e-4, 2e-4, 0.0});
    m_area->enFace().setDisplayRange(12.0, 34.0);
    const DepthWindow window = m_area->depthWindow();
    const Crosshair crosshair = m_area->crosshair();
    const Orbit::Turn turn = m_area->volume().scene().orbit.turn();
    const QByteArray text = QJsonDocument(QJsonObject::fromVariantMap(m_area->scene())).toJson();

    arrange("X", "P", "1");
    m_area->moveWindow({1e-4, 2e-4});
    m_area->moveCrosshair({1e-4, 1e-4, 0.0});
    m_area->enFace().autoRange();
    waitExposed();
    ASSERT_NE(m_area->enFace().displayMin(), 12.0);
    m_area->restoreScene(QJsonDocument::fromJson(text).object().toVariantMap());
    EXPECT_EQ(m_area->projection(), Projection::Mean);
    EXPECT_EQ(m_area->volume().scene().mode, VolumeScene::Mode::Slices);
    EXPECT_NEAR(m_area->depthWindow().nearest, window.nearest, 1e-9);
    EXPECT_NEAR(m_area->depthWindow().deepest, window.deepest, 1e-9);
    EXPECT_NEAR(m_area->crosshair().lateral, crosshair.lateral, 1e-9);
    EXPECT_NEAR(m_area->crosshair().depth, crosshair.depth, 1e-9);
    EXPECT_EQ(m_area->enFace().displayMin(), 12.0);
    EXPECT_EQ(m_area->enFace().displayMax(), 34.0);
    for (std::size_t i = 0; i < turn.size(); ++i)
        EXPECT_NEAR(m_area->volume().scene().orbit.turn()[i], turn[i], 1e-9);
}

TEST_F(ViewScene, ProjectionDepthCueAndOpacityComeBack) {
    showVolume();
    using Mode = VolumeScene::Mode;
    const VolumeScene& volume = m_area->volume().scene();
    EXPECT_EQ(volume.mode, Mode::Maximum);
    EXPECT_EQ(volume.depthCue, VolumeView::kDepthCue);
    action("C")->trigger();
    m_area->restore({{"composite", true}, {"depth_cue", 0.25}, {"opacity", 0.75}});
    const QByteArray text = QJsonDocument(QJsonObject::fromVariantMap(m_area->scene())).toJson();
    m_area->restore({});
    EXPECT_EQ(volume.mode, Mode::Maximum);
    EXPECT_EQ(volume.depthCue, VolumeView::kDepthCue);
    EXPECT_EQ(volume.opacity, VolumeView::kOpacity);
    m_area->restoreScene(QJsonDocument::fromJson(text).object().toVariantMap());
    EXPECT_EQ(volume.mode, Mode::Composite);
    EXPECT_EQ(volume.depthCue, 0.25);
    EXPECT_EQ(volume.opacity, 0.75);
    m_area->restoreScene({{"depth_cue", 7.0}, {"opacity", -1.0}});
    EXPECT_EQ(volume.depthCue, 0.25) << "what is none changes nothing";
    EXPECT_EQ(volume.opacity, 0.75);
    m_area->restoreScene({{"slices", false}});
    EXPECT_EQ(volume.mode, Mode::Maximum);
    EXPECT_EQ(volume.depthCue, 0.0) << "a scene from before there was a depth cue";
}

TEST_F(ViewScene, AnOldScenesTurnShowsWhatItDid) {
    showVolume();
    m_area->restoreScene({{"turn", QVariantList{0.6, 0.0, 0.8, 0.0}}, {"zoom", 1.5}});
    const Orbit& orbit = m_area->volume().scene().orbit;
    EXPECT_EQ(orbit.zoom(), 1.5);
    // Then elevation led away: turned by q, it lay at 2 (x z + w y), 0 and lateral at 1 - 2 (y y).
    EXPECT_NEAR(orbit.turned({0.0, 0.0, -1.0}).x, 2.0 * 0.6 * 0.8, 1e-9);
    EXPECT_NEAR(orbit.turned({1.0, 0.0, 0.0}).x, 1.0 - 2.0 * 0.8 * 0.8, 1e-9);
}

TEST_F(ViewScene, OfADamagedSceneWhatIsWrongChangesNothing) {
    showVolume();
    m_area->moveWindow({3e-4, 5e-4});
    const QVariantMap before = m_area->scene();
    m_area->restoreScene({{"volume_turn", QVariantList{0.0, 0.0, 0.0, 0.0}},
                          {"turn", QVariantList{0.0, 0.0, 0.0, 0.0}},
                          {"depth_window", QVariantList{0.5, 0.25}},
                          {"crosshair", "nowhere"},
                          {"depth_cue", "dim"},
                          {"en_face_limits", QVariantMap{{"0", QVariantList{5.0, 5.0}}}}});
    EXPECT_EQ(m_area->scene(), before);
}

TEST_F(ViewScene, ChosenLimitsMayComeBeforeTheFirstImage) {
    m_area->restoreScene({{"en_face_limits", QVariantMap{{"0", QVariantList{12.0, 34.0}}}}});
    showVolume();
    EXPECT_EQ(m_area->enFace().displayMin(), 12.0);
    EXPECT_EQ(m_area->enFace().displayMax(), 34.0);
}

} // namespace
} // namespace echolux
