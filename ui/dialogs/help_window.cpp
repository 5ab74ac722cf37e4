// SPDX-License-Identifier: GPL-3.0-or-later
// A list of pages, the chosen page, and a search in it.
#include "ui/dialogs/help_window.hpp"

#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QShortcut>
#include <QTextBrowser>
#include <QTextCursor>
#include <QVBoxLayout>

#include <algorithm>

namespace echolux {
namespace {

constexpr QSize kHelpSize(960, 680);
constexpr int kListWidth = 30 * kGrid;

} // namespace

HelpWindow::HelpWindow(const std::vector<HelpPage>& pages, QWidget* parent)
    : QDialog(parent), m_pages(pages), m_list(new QListWidget(this)), m_search(new QLineEdit(this)),
      m_browser(new QTextBrowser(this)) {
    setWindowTitle("Help");
    resize(kHelpSize);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    layout->setSpacing(kGrid);
    auto* left = new QVBoxLayout;
    left->setSpacing(kGrid);
    layout->addLayout(left);
    layout->addWidget(m_browser, 1);
    m_search->setPlaceholderText("Find on this page");
    m_search->setToolTip("Return: the next place (Ctrl+F)");
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(kListWidth);
    left->addWidget(m_search);
    m_list->setFixedWidth(kListWidth);
    m_list->setWordWrap(true);
    for (const HelpPage& page : m_pages) m_list->addItem(page.title);
    left->addWidget(m_list, 1);
    m_browser->setOpenExternalLinks(true);
    connect(m_list, &QListWidget::currentRowChanged, this, &HelpWindow::showPage);
    connect(m_search, &QLineEdit::returnPressed, this, &HelpWindow::find);
    auto* toSearch = new QShortcut(QKeySequence::Find, this);
    toSearch->setWhatsThis(kFindHelp);
    connect(toSearch, &QShortcut::activated, m_search, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    if (!m_pages.empty()) m_list->setCurrentRow(0);
}

void HelpWindow::openPage(const QString& name) {
    const auto at = std::ranges::find(m_pages, name, &HelpPage::name);
    if (at != m_pages.end()) m_list->setCurrentRow(static_cast<int>(at - m_pages.begin()));
}

void HelpWindow::showPage(int index) {
    if (index < 0) return;
    m_browser->setMarkdown(m_pages[static_cast<std::size_t>(index)].markdown);
}

/// Searches from the last result on. After the last one it begins at the top again.
void HelpWindow::find() {
    if (m_search->text().isEmpty() || m_browser->find(m_search->text())) return;
    m_browser->moveCursor(QTextCursor::Start);
    m_browser->find(m_search->text());
}

} // namespace echolux
