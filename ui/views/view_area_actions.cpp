// SPDX-License-Identifier: GPL-3.0-or-later
// The user's choices in the views: which views are shown and how, their pictures.
#include "ui/controls/action_text.hpp"
#include "ui/views/drawn_region.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/overlay/column_overlay.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/view_pane.hpp"
#include "ui/views/volume_tuning.hpp"
#include "ui/views/volume_view.hpp"

#include <QActionGroup>
#include <QMenu>

#include <optional>

namespace echolux {

void ViewArea::makeActions() {
    const auto make = [this](const char* text, const char* onButton, const char* key,
                             const char* help, bool checkable) {
        QAction* action = makeAction(this, tr(text), {}, {QKeySequence(key)}, tr(help));
        if (*onButton != '\0') action->setIconText(tr(onButton));
        action->setCheckable(checkable);
        m_actions << action;
        return action;
    };
    const auto choice = [this](const QList<QAction*>& actions) {
        auto* group = new QActionGroup(this);
        for (QAction* each : actions) group->addAction(each);
        actions.front()->setChecked(true);
    };
    m_showEnFace = make("&En face", "", "E", "The volume seen along depth", true);
    m_showVolume = make("&Volume", "", "V", "The volume in space", true);
    m_showSide = make("S&ide plane", "", "Y",
                      "The plane of elevation and depth through the crosshair", true);
    m_maximum = make("En face: ma&ximum", "Max", "X",
                     "En face: the highest value of the depth window", true);
    m_mean = make("En face: mea&n", "Mean", "N", "En face: the mean of the depth window", true);
    m_volumeMaximum = make("Volume: maximum &projection", "Max", "P",
                           "Volume: the highest value along each line of sight", true);
    m_composite =
        make("Volume: &composite", "Composite", "C",
             "Volume: voxels hide what lies behind them, bright voxels more than dark ones", true);
    m_slices =
        make("Volume: &slices", "Slices", "S", "Volume: three slices through the crosshair", true);
    m_standardLook =
        make("Volume at an &angle", "", "1",
             "Volume: half from the side, half from the top, as it is shown at first", false);
    m_frontLook = make("Volume from the &front", "", "2",
                       "Volume: from the front, oriented like the B-scan", false);
    m_topLook = make("Volume from the &top", "", "3", "Volume: from the top, along depth", false);
    m_sideLook = make("Volume from the s&ide", "", "4",
                      "Volume: from the side, along the lateral axis", false);
    m_tune =
        make("&Depth cue and opacity\u2026", "", "T",
             "Volume: how much distant voxels are darkened, and how much a composite hides", false);
    m_showEnFace->setChecked(true);
    m_showSide->setChecked(true);
    m_showVolume->setChecked(true);
    choice({m_maximum, m_mean});
    choice({m_volumeMaximum, m_composite, m_slices});
    makeEntries();

    connect(m_showEnFace, &QAction::toggled, this, &ViewArea::arrange);
    connect(m_showVolume, &QAction::toggled, this, &ViewArea::arrange);
    connect(m_showSide, &QAction::toggled, this, &ViewArea::arrange);
    connect(m_mean, &QAction::toggled, this, &ViewArea::showWindow);
    const auto look = [this](QAction* action, VolumeView::Look from) {
        connect(action, &QAction::triggered, this, [this, from] { m_volume->look(from); });
    };
    look(m_standardLook, VolumeView::Look::Standard);
    look(m_frontLook, VolumeView::Look::Front);
    look(m_topLook, VolumeView::Look::Top);
    look(m_sideLook, VolumeView::Look::Side);
}

void ViewArea::makeEntries() {
    const auto menu = [this](const QList<QAction*>& actions, const QString& title) {
        auto* made = new QMenu(title, this);
        made->setToolTipsVisible(true);
        made->addActions(actions);
        return made;
    };
    m_enFaceMenu = menu({m_maximum, m_mean}, {});
    m_enFaceMenu->menuAction()->setObjectName("en_face_projection");
    m_volumeMenu = menu({m_volumeMaximum, m_composite, m_slices}, tr("Volume pro&jection"));
    m_lookMenu =
        menu({m_standardLook, m_frontLook, m_topLook, m_sideLook}, tr("&Look at the volume"));
    m_lookMenu->addSeparator();
    m_lookMenu->addAction(m_tune);
    makeAloneActions();
    m_entries = {m_showEnFace,
                 m_showVolume,
                 m_showSide,
                 m_enFaceMenu->menuAction(),
                 m_volumeMenu->menuAction(),
                 m_lookMenu->menuAction()};
    nameEnFaceActions(false);
}

void ViewArea::makeAloneActions() {
    m_aloneMenu = new QMenu(tr("&One view alone"), this);
    m_aloneMenu->setToolTipsVisible(true);
    for (int number = 1; number <= 4; ++number) {
        QAction* action =
            makeAction(this, {}, {}, {QKeySequence(QStringLiteral("Shift+%1").arg(number))},
                       tr("Show view %1 alone, and all again").arg(number));
        action->setObjectName(QString::number(number));
        action->setCheckable(true);
        connect(action, &QAction::triggered, this,
                [this, number] { showAlone(openPanes()[static_cast<std::size_t>(number - 1)]); });
        m_aloneActions << action;
    }
    m_aloneMenu->addActions(m_aloneActions);
}

void ViewArea::makeTuning() {
    m_tuning = new VolumeTuning(this);
    connect(m_tuning, &VolumeTuning::depthCueChosen, m_volume, &VolumeView::setDepthCue);
    connect(m_tuning, &VolumeTuning::opacityChosen, m_volume, &VolumeView::setOpacity);
    connect(m_tune, &QAction::triggered, this,
            [this] { m_tuning->openBelow(m_volumePane->header()); });
    for (QAction* each : {m_volumeMaximum, m_composite, m_slices}) {
        connect(each, &QAction::toggled, this, [this](bool on) {
            if (on) showMode();
        });
    }
    showMode();
}

void ViewArea::showMode() {
    using Mode = VolumeScene::Mode;
    m_volume->setMode(m_slices->isChecked()      ? Mode::Slices
                      : m_composite->isChecked() ? Mode::Composite
                                                 : Mode::Maximum);
    m_tuning->setOpacityUsed(m_composite->isChecked());
    m_tune->setEnabled(m_volumeMaximum->isEnabled() && !m_slices->isChecked());
}

void ViewArea::setShading(double depthCue, double opacity) {
    m_volume->setDepthCue(depthCue);
    m_volume->setOpacity(opacity);
    m_tuning->setDepthCue(m_volume->scene().depthCue);
    m_tuning->setOpacity(m_volume->scene().opacity);
}

void ViewArea::nameEnFaceActions(bool ofEchoes) {
    m_showEnFace->setText(ofEchoes ? tr("&C-plane") : tr("&En face"));
    m_maximum->setText(ofEchoes ? tr("C-plane: ma&ximum") : tr("En face: ma&ximum"));
    m_mean->setText(ofEchoes ? tr("C-plane: mea&n") : tr("En face: mea&n"));
    m_enFaceMenu->setTitle(ofEchoes ? tr("C-plane p&rojection") : tr("En face p&rojection"));
}

void ViewArea::makeImageActions() {
    m_imageActions = new ImageActions(this);
    m_imageActions->serve(m_bscan, "image");
    m_imageActions->serve(m_enFace, "en_face");
    m_imageActions->serve(m_volume, "volume");
    m_imageActions->serve(m_side, "side");
    for (ImageView* view : {m_bscan, m_enFace, m_side}) {
        connect(m_imageActions->scaleBar(), &QAction::toggled, view, &ImageView::setScaleBar);
        connect(m_imageActions->stretch(), &QAction::toggled, view, &ImageView::setStretched);
    }
    connect(m_imageActions->columnInPictures(), &QAction::toggled, this,
            [this](bool shown) { m_column->setInPictures(shown); });
    m_imageActions->add(m_region->actions());
}

} // namespace echolux
