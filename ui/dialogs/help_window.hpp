// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of help in a window.
#pragma once

#include <QDialog>
#include <QString>

#include <vector>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace echolux {

struct HelpPage {
    QString name; ///< "formats"
    QString title;
    QString markdown;
};

class HelpWindow : public QDialog {
    Q_OBJECT
public:
    /// Tooltip of its shortcut.
    static constexpr const char* kFindHelp = "Find a word on a page of help";

    explicit HelpWindow(const std::vector<HelpPage>& pages, QWidget* parent = nullptr);
    /// Shows a page. Does nothing where there is no such page.
    void openPage(const QString& name);
    QTextBrowser* browser() const { return m_browser; }

private:
    void showPage(int index);
    void find();

    std::vector<HelpPage> m_pages;
    QListWidget* m_list;
    QLineEdit* m_search;
    QTextBrowser* m_browser;
};

} // namespace echolux
