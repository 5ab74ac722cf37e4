// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of text that can be selected and copied.
#include "ui/dialogs/message_log.hpp"

#include "ui/dialogs/dialog_parts.hpp"
#include "ui/theme/theme.hpp"

#include <QDateTime>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextOption>
#include <QVBoxLayout>

#include <utility>

namespace echolux {
namespace {

constexpr QSize kLogSize(760, 420);

} // namespace

MessageLog::MessageLog(QWidget* parent) : QDialog(parent), m_lines(new QPlainTextEdit(this)) {
    setWindowTitle("Messages");
    resize(kLogSize);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    m_lines->setReadOnly(true);
    m_lines->setTabChangesFocus(true);
    m_lines->setMaximumBlockCount(kMost);
    m_lines->setPlaceholderText("There was no message yet.");
    m_lines->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    const auto behind = [this](double start, const char* widest) {
        return start + m_lines->fontMetrics().horizontalAdvance(widest) + 2.0 * kGrid;
    };
    const double kind = behind(0.0, "0000-00-00 00:00:00");
    QTextOption columns = m_lines->document()->defaultTextOption();
    columns.setTabs({QTextOption::Tab(kind, QTextOption::LeftTab),
                     QTextOption::Tab(behind(kind, "Warning"), QTextOption::LeftTab)});
    m_lines->document()->setDefaultTextOption(columns);
    layout->addWidget(m_lines, 1);
    addCopyAndClose(layout, this, [this] { return text(); });
}

void MessageLog::add(const QDateTime& when, const QString& kind, const QString& text) {
    const QString one = text.simplified(); // one line, even if the sentence has line breaks
    const bool atEnd =
        m_lines->verticalScrollBar()->value() == m_lines->verticalScrollBar()->maximum();
    if (std::exchange(m_last, kind + '\t' + one) == m_last) {
        QTextCursor cursor(m_lines->document()->lastBlock());
        cursor.select(QTextCursor::BlockUnderCursor);
        cursor.removeSelectedText();
    }
    m_lines->appendPlainText(when.toString("yyyy-MM-dd HH:mm:ss") + '\t' + m_last);
    if (atEnd) m_lines->verticalScrollBar()->setValue(m_lines->verticalScrollBar()->maximum());
}

QString MessageLog::text() const { return m_lines->toPlainText() + '\n'; }

} // namespace echolux
