// SPDX-License-Identifier: GPL-3.0-or-later
// Menus of the views' pictures.
#include "ui/views/image_actions.hpp"

#include "ui/controls/action_text.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view.hpp"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>

#include <algorithm>

namespace echolux {
namespace {

constexpr double kTimes[] = {1.0, 2.0, 3.0, 4.0, 8.0};

} // namespace

ImageActions::ImageActions(QWidget* parent)
    : QObject(parent), m_menu(new QMenu(parent)),
      m_resolution(new QMenu(tr("Image reso&lution"), parent)) {
    const auto make = [&](const char* text, const char* keys, const char* help) {
        QList<QKeySequence> sequences;
        if (*keys != '\0') sequences << QKeySequence(keys);
        return makeAction(parent, tr(text), {}, sequences, tr(help));
    };
    m_copy = make("&Copy image", "Ctrl+C", "Copy the image under the pointer to the clipboard");
    m_save = make("Save ima&ge as\u2026", "Ctrl+Shift+S",
                  "Save the image under the pointer, with all settings");
    m_resolution->menuAction()->setWhatsThis(
        tr("Resolution of copied and saved images, compared with the screen"));
    auto* choices = new QActionGroup(this);
    for (const double times : kTimes) {
        QAction* choice = m_resolution->addAction(
            times == 1.0 ? tr("As on screen") : tr("%1\u00d7 the screen").arg(times));
        choice->setCheckable(true);
        choice->setData(times);
        choices->addAction(choice);
        connect(choice, &QAction::triggered, this, [this, times] { m_times = times; });
    }
    m_scaleBar = make("Scale &bar", "B", "Draw a scale bar over images whose scale is known");
    m_stretch =
        make("Stretch to &fill", "F",
             "Stretch the image to fill its view, even if the scales across and down then differ");
    m_scaleBarHelp = m_scaleBar->toolTip();
    m_beams = make("&Beam geometry", "W",
                   "Draw the array, the transmitted beams with their foci, and the receive "
                   "aperture of the pixel under the pointer or of the clicked pixel");
    m_columnInPictures = make("Picked col&umn in pictures", "",
                              "Copied and saved images show the picked column; without it they "
                              "show the image as it was before the click");
    m_drawing = {m_scaleBar, m_beams, m_stretch, m_columnInPictures};
    for (QAction* action : m_drawing) action->setCheckable(true);
    m_beams->setEnabled(false);
    m_columnInPictures->setChecked(true);
    m_menu->addAction(m_copy);
    m_menu->addActions(saving());
    m_menu->addSeparator();
    m_menu->addActions(m_drawing);
    setTimes(1.0);
    connect(m_copy, &QAction::triggered, this, [this] {
        withPicture([this](const QImage& picture, const QString&) {
            QApplication::clipboard()->setImage(picture);
            emit informed(
                tr("Image copied: %1 \u00d7 %2 pixels").arg(picture.width()).arg(picture.height()));
        });
    });
    connect(m_save, &QAction::triggered, this, [this] {
        withPicture([this](const QImage& picture, const QString& name) {
            emit saveRequested(picture, name);
        });
    });
}

void ImageActions::setNoLengths(const QString& why) {
    m_scaleBar->setEnabled(why.isEmpty());
    m_scaleBar->setToolTip(why.isEmpty() ? m_scaleBarHelp : why);
}

void ImageActions::setTimes(double times) {
    const auto choices = m_resolution->actions();
    const auto at = std::ranges::find_if(
        choices, [&](const QAction* each) { return each->data().toDouble() == times; });
    QAction* choice = at == choices.end() ? choices.front() : *at;
    choice->setChecked(true);
    m_times = choice->data().toDouble();
}

void ImageActions::serve(View* view, const QString& name) {
    m_served.push_back({view, name});
    view->installEventFilter(this);
}

void ImageActions::add(const QList<QAction*>& actions) {
    auto* line = new QAction(this);
    line->setSeparator(true);
    for (QAction* action : QList<QAction*>{line} + actions) {
        m_drawing << action;
        m_menu->addAction(action);
    }
}

QList<QAction*> ImageActions::saving() const { return {m_save, m_resolution->menuAction()}; }

const ImageActions::Served* ImageActions::meant() const {
    if (m_served.empty()) return nullptr;
    const auto asked = std::ranges::find(m_served, m_asked, &Served::view);
    if (asked != m_served.end()) return &*asked;
    const auto pointed = std::ranges::find_if(m_served, [](const Served& each) {
        return each.view->isVisible() && each.view->underMouse();
    });
    return pointed != m_served.end() ? &*pointed : &m_served.front();
}

void ImageActions::withPicture(const std::function<void(const QImage&, const QString&)>& use) {
    const Served* served = meant();
    if (served == nullptr) return;
    const QImage picture = served->view->imageAt(m_times);
    if (picture.isNull()) {
        emit failed(
            tr("The graphics card draws no image of %1\u00d7 the screen's resolution; choose "
               "a lower one.")
                .arg(m_times));
        return;
    }
    use(picture, served->name);
}

bool ImageActions::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ContextMenu) return QObject::eventFilter(watched, event);
    const auto* asked = static_cast<QContextMenuEvent*>(event);
    const auto* image = qobject_cast<ImageView*>(watched);
    if (image != nullptr && image->isRangeHeld()) return true; // it asks again after a click
    m_asked = static_cast<QWidget*>(watched);
    const bool byKey = asked->reason() == QContextMenuEvent::Keyboard;
    m_menu->exec(byKey ? m_asked->mapToGlobal(m_asked->rect().center()) : asked->globalPos());
    m_asked = nullptr;
    return true;
}

} // namespace echolux
