// SPDX-License-Identifier: GPL-3.0-or-later
// Arrangement of docks and keys.
#include "ui/window/main_window.hpp"

#include "ui/dialogs/message_log.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/window/docks.hpp"
#include "ui/window/message_bar.hpp"
#include "ui/window/progress_strip.hpp"
#include "ui/window/reading_order.hpp"
#include "ui/window/status_bar.hpp"
#include "ui/window/transport_bar.hpp"

#include <QAbstractButton>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDateTime>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

constexpr QSize kManagersFrame(0, 4 * kGrid); ///< approximate title bar of the window manager

/// Applies the theme before the first widget is made, because widgets measure their texts when they
/// are made.
QWidget* noParent() {
    Theme::instance().ensureApplied();
    return nullptr;
}

QStringList droppedFiles(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    return files;
}

QString kindOf(Severity severity) {
    switch (severity) {
    case Severity::Error: return "Error";
    case Severity::Warning: return "Warning";
    case Severity::Info: break;
    }
    return "Note";
}

} // namespace

MainWindow::MainWindow(const std::function<std::vector<DockEntry>()>& makeTools)
    : QMainWindow(noParent()), m_transport(new TransportBar(this)),
      m_parameters(new ParameterPanel(this)), m_display(nullptr), m_status(new StatusBar(this)),
      m_centre(new QWidget(this)), m_centreLayout(new QVBoxLayout(m_centre)),
      m_messages(new MessageBar(m_centre, menuBar())), m_messageLog(new MessageLog(this)),
      m_progress(new ProgressStrip(m_centre)) {
    setWindowTitle("Echolux");
    setAcceptDrops(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    setMinimumSize(960, 600);
    m_centre->setObjectName("centre");
    m_centre->setAttribute(Qt::WA_StyledBackground);
    m_centre->setFocusPolicy(Qt::ClickFocus);
    m_centreLayout->setContentsMargins(0, 0, 0, 0);
    setCentralWidget(m_centre);
    setStatusBar(m_status);
    addToolBar(Qt::TopToolBarArea, m_transport);
    m_display = new DisplayGroup(m_parameters->columns());
    m_parameters->addPermanentGroup(m_display);
    makeDocks(makeTools());
    makeActions();
    makeMenus();
    connect(m_transport, &TransportBar::openRequested, this, &MainWindow::openRequested);
    connect(m_transport, &TransportBar::screenshotRequested, this,
            &MainWindow::screenshotRequested);
    // Return presses the focused button in the whole window, because Space freezes everywhere.
    qApp->installEventFilter(this);
    listenToPlots(*this);
    connect(m_messages, &MessageBar::shown, this, [this](Severity severity, const QString& text) {
        m_messageLog->add(QDateTime::currentDateTime(), kindOf(severity), text);
    });
    resize(initialSize(screen()->availableSize()));
    resetLayout();
    // The focus must not be in the search field, which would take the keys.
    focusImage();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, const QWidget* now) {
        const bool isOurs = isActiveWindow() && QApplication::activePopupWidget() == nullptr;
        if (now == nullptr && isOurs) focusImage();
    });
}

/// NOTE: the focus moves while the widgets are destroyed one by one.
MainWindow::~MainWindow() { disconnect(qApp, nullptr, this, nullptr); }

QSize MainWindow::initialSize(const QSize& available) {
    constexpr QSize kWanted(1600, 1000);
    return kWanted.boundedTo(available - kManagersFrame);
}

QRect MainWindow::clamped(const QRect& wanted, const QRect& available) {
    const QRect room = available.marginsRemoved({0, kManagersFrame.height(), 0, 0});
    QRect fitting(wanted.topLeft(), wanted.size().boundedTo(room.size()));
    fitting.moveRight(std::min(fitting.right(), room.right()));
    fitting.moveBottom(std::min(fitting.bottom(), room.bottom()));
    fitting.moveLeft(std::max(fitting.left(), room.left()));
    fitting.moveTop(std::max(fitting.top(), room.top()));
    return fitting;
}

void MainWindow::fitScreen() {
    if (isMaximized() || isFullScreen()) return;
    const QRect fitting = clamped(geometry(), screen()->availableGeometry());
    if (fitting != geometry()) setGeometry(fitting);
}

void MainWindow::focusImage() { m_centre->setFocus(Qt::OtherFocusReason); }

/// NOTE: where no widget has the focus, Qt would give it to the first widget that accepts it.
bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::WindowActivate && focusWidget() == nullptr) focusImage();
    return QMainWindow::event(event);
}

void MainWindow::makeDocks(std::vector<DockEntry> tools) {
    tools.insert(tools.begin(), {"Parameters", "parameters", m_parameters, Qt::LeftDockWidgetArea});
    m_docks = new Docks(*this, std::move(tools));
}

void MainWindow::listenToPlots(const QWidget& parent) {
    for (PlotTools* tools : parent.findChildren<PlotTools*>()) {
        connect(tools, &PlotTools::saved, this, [this](const QString& path) {
            m_messages->show(Severity::Info, "Plot saved: " + QDir::toNativeSeparators(path));
        });
        connect(tools, &PlotTools::copied, this,
                [this](const QString& what) { m_messages->show(Severity::Info, what); });
        connect(tools, &PlotTools::failed, this,
                [this](const QString& sentence) { m_messages->show(Severity::Error, sentence); });
    }
}

void MainWindow::addDock(const DockEntry& entry) {
    listenToPlots(*entry.content);
    QAction* action = m_docks->add(entry);
    if (!m_beforeFullScreen.isEmpty()) m_docks->hideAll();
    m_pluginViews->addAction(action);
    m_pluginViews->menuAction()->setVisible(true);
}

void MainWindow::removeDock(const QWidget& content) {
    QAction* action = m_docks->remove(content);
    m_pluginViews->removeAction(action);
    m_pluginViews->menuAction()->setVisible(!m_pluginViews->isEmpty());
}

void MainWindow::openDock(const QWidget& content) { m_docks->reveal(content); }

void MainWindow::setDockNeeded(const QWidget& content, bool needed) {
    m_docks->setNeeded(content, needed);
}

void MainWindow::setCentralView(QWidget* view) {
    while (QLayoutItem* item = m_centreLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_centreLayout->addWidget(view);
    m_messages->raise();
    m_progress->raise();
}

QByteArray MainWindow::saveLayout() const {
    return m_beforeFullScreen.isEmpty() ? m_docks->save() : m_beforeFullScreen;
}

bool MainWindow::restoreLayout(const QByteArray& layout) {
    if (m_docks->restore(layout)) return true;
    resetLayout();
    return false;
}

void MainWindow::resetLayout() { m_docks->reset(); }

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_beforeFullScreen.isEmpty()) m_docks->followWidth();
}

void MainWindow::setFullScreen(bool on) {
    if (on == !m_beforeFullScreen.isEmpty()) return;
    if (on) {
        m_beforeFullScreen = m_docks->save();
        m_docks->hideAll();
        m_transport->hide();
        showFullScreen();
    } else {
        showNormal();
        m_docks->restore(m_beforeFullScreen);
        m_beforeFullScreen.clear();
    }
    menuBar()->setVisible(!on);
    m_status->setVisible(!on);
    m_fullScreen->setChecked(on);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_mayClose && !m_mayClose()) {
        event->ignore();
        return;
    }
    m_docks->endNeeds(); // the next window begins without them
    emit aboutToClose();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!droppedFiles(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList paths = droppedFiles(event->mimeData());
    if (paths.isEmpty()) return;
    event->acceptProposedAction();
    emit filesDropped(paths);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape) return QMainWindow::keyPressEvent(event);
    if (!m_beforeFullScreen.isEmpty())
        setFullScreen(false);
    else
        emit forgetPickedRequested();
}

bool MainWindow::focusNextPrevChild(bool next) {
    QWidget* target = besideInReadingOrder(*this, focusWidget(), next);
    if (target == nullptr) return false;
    target->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    for (QWidget* around = target->parentWidget(); around != this; around = around->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(around)) area->ensureWidgetVisible(target);
    return true;
}

void MainWindow::mousePressEvent(QMouseEvent* event) {
    // A click beside all controls ends typing, so that the keys of the window work again.
    focusImage();
    QMainWindow::mousePressEvent(event);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    const auto* widget = qobject_cast<QWidget*>(watched);
    const bool isClosing = event->type() == QEvent::Hide && !event->spontaneous();
    const auto* dialog = isClosing ? qobject_cast<QDialog*>(watched) : nullptr;
    if (dialog != nullptr && dialog->parentWidget() != nullptr &&
        dialog->parentWidget()->window() == this)
        focusImage(); // the dialog had the focus; no field gets it
    if (event->type() == QEvent::KeyPress && widget != nullptr && widget->window() == this) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            auto* button = qobject_cast<QAbstractButton*>(watched);
            if (button != nullptr && button->hasFocus()) {
                button->click();
                return true;
            }
            auto* combo = qobject_cast<QComboBox*>(watched);
            if (combo != nullptr && combo->hasFocus()) {
                combo->showPopup();
                return true;
            }
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

} // namespace echolux
