// SPDX-License-Identifier: GPL-3.0-or-later
// One entry of the menu Help > Pages per page, and one for the manual.
#include "app/desktop/help_desk.hpp"

#include "embedded/helpPages.hpp"
#include "gpu/core/embedded_file.hpp"
#include "ui/controls/action_text.hpp"
#include "ui/dialogs/help_window.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QUrl>

#include <map>
#include <vector>

namespace echolux {
namespace {

QString textOf(std::string_view from) {
    return QString::fromUtf8(from.data(), static_cast<qsizetype>(from.size()));
}

/// Each page begins with its title: "# Sidecars: how to describe an array".
std::vector<HelpPage> pages() {
    std::vector<HelpPage> all;
    for (const EmbeddedFile& file : helpPages()) {
        const QString markdown = textOf(file.text);
        QString title = markdown.section('\n', 0, 0);
        title.remove(0, title.indexOf(' ') + 1);
        all.push_back({textOf(file.name.substr(0, file.name.rfind('.'))), title, markdown});
    }
    return all;
}

/// Pages that have a menu of their own.
struct PageGroup {
    const char* title;
    const char* id;
    QStringList pages;
};
const std::vector<PageGroup>& pageGroups() {
    static const std::vector<PageGroup> kGroups{
        {"&Imaging", "help.imaging", {"transmits", "beamformers", "sound", "aberration", "flow"}},
        {"&Documents", "help.of_documents", {"documents", "ladder"}},
        {"&For programs", "help.programs", {"library", "python", "plugins"}}};
    return kGroups;
}

/// The first page of the manual: of the folder that ECHOLUX_MANUAL names, else of an installed
/// program, else of a build folder. Empty where there is none.
QString firstPageOfManual() {
    QStringList folders{"../share/doc/echolux/manual", "../manual"};
    if (qEnvironmentVariableIsSet("ECHOLUX_MANUAL"))
        folders = {QDir::current().absoluteFilePath(qEnvironmentVariable("ECHOLUX_MANUAL"))};
    const QDir program(QCoreApplication::applicationDirPath());
    for (const QString& folder : folders) {
        const QString page = QDir::cleanPath(program.filePath(folder + "/index.html"));
        if (QFileInfo(page).isFile()) return page;
    }
    return {};
}

} // namespace

HelpDesk::HelpDesk(QWidget& window) : m_window(window) {
    auto* menu = new QMenu("&Pages", &window);
    menu->setObjectName("help.pages");
    menu->setToolTipsVisible(true);
    std::map<QString, QMenu*> menuOf; // of pages in groups
    for (const PageGroup& group : pageGroups()) {
        auto* own = new QMenu(group.title, menu);
        own->setObjectName(group.id);
        own->setToolTipsVisible(true);
        for (const QString& page : group.pages) menuOf[page] = own;
    }
    for (const HelpPage& page : pages()) {
        auto* action = new QAction(QString(page.title).replace('&', "&&"), this);
        action->setObjectName("help." + page.name);
        action->setToolTip("As \"echolux help " + page.name + "\" prints it");
        connect(action, &QAction::triggered, this, [this, name = page.name] { open(name); });
        const auto own = menuOf.find(page.name);
        (own != menuOf.end() ? own->second : menu)->addAction(action);
    }
    for (QMenu* own : menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly))
        menu->addMenu(own);
    m_pages = menu->menuAction();
    m_manual = makeAction(this, "&Manual", "", {},
                          "First hours, a gallery, questions and answers, in the browser");
    connect(m_manual, &QAction::triggered, this, &HelpDesk::openManual);
}

HelpWindow* HelpDesk::window() const { return m_help; }

void HelpDesk::open(const QString& page) {
    if (!m_help) m_help = new HelpWindow(pages(), &m_window);
    m_help->openPage(page);
    m_help->show();
    m_help->raise();
    m_help->activateWindow();
}

void HelpDesk::openManual() {
    const QString page = firstPageOfManual();
    if (page.isEmpty()) {
        emit warned("The manual is not installed here. In the source folder 'manual/build.sh "
                    "FOLDER' builds it; start Echolux with ECHOLUX_MANUAL=FOLDER then.");
    } else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(page))) {
        emit warned("No browser could be started; open '" + page + "' in one.");
    }
}

} // namespace echolux
