// SPDX-License-Identifier: GPL-3.0-or-later
// Line numbers, colours and the mark of the editor.
#include "ui/graph/toml_editor.hpp"

#include "ui/graph/toml_spans.hpp"
#include "ui/theme/theme.hpp"

#include <QPainter>
#include <QSyntaxHighlighter>
#include <QTextBlock>

#include <algorithm>

namespace echolux {

class TomlHighlighter : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override {
        TomlState state = TomlState::fromInt(previousBlockState());
        for (const TomlSpan& span : tomlSpans(text, state))
            setFormat(int(span.start), int(span.length), formatOf(span.kind));
        setCurrentBlockState(state.toInt());
    }

private:
    static QTextCharFormat formatOf(TomlSpan::Kind kind) {
        const ThemeTokens& t = tokens();
        QTextCharFormat format;
        switch (kind) {
        case TomlSpan::Kind::Section:
            format.setForeground(t.accent);
            format.setFontWeight(QFont::Bold);
            break;
        case TomlSpan::Kind::Key: format.setForeground(t.text); break;
        case TomlSpan::Kind::String: format.setForeground(t.warning); break;
        case TomlSpan::Kind::Number: format.setForeground(plotColour(0)); break;
        case TomlSpan::Kind::Comment:
            format.setForeground(t.secondary);
            format.setFontItalic(true);
            break;
        }
        return format;
    }
};

TomlEditor::TomlEditor(QWidget* parent)
    : QPlainTextEdit(parent), m_numbers(new QWidget(this)),
      m_highlighter(new TomlHighlighter(document())) {
    setLineWrapMode(NoWrap);
    setTabChangesFocus(true);
    setFrameShape(NoFrame);
    setAccessibleName("Pipeline as text");
    m_numbers->installEventFilter(this);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &TomlEditor::placeNumbers);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy != 0) {
            m_numbers->scroll(0, dy);
        } else {
            m_numbers->update(0, rect.y(), m_numbers->width(), rect.height());
        }
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &TomlEditor::showExtras);
    connect(&Theme::instance(), &Theme::changed, this, &TomlEditor::applyTheme);
    applyTheme();
}

void TomlEditor::applyTheme() {
    setFont(fixedFont());
    m_numbers->setFont(fixedFont());
    m_highlighter->rehighlight();
    placeNumbers();
    showExtras();
}

void TomlEditor::replaceText(const QString& text) {
    const QString old = toPlainText();
    if (old == text) return;
    const auto [a, b] = std::ranges::mismatch(old, text);
    const auto same = a - old.begin();
    qsizetype tail = 0;
    const qsizetype most = std::min(old.size(), text.size()) - same;
    while (tail < most && old[old.size() - 1 - tail] == text[text.size() - 1 - tail]) ++tail;
    QTextCursor kept = textCursor();
    kept.setKeepPositionOnInsert(true);
    QTextCursor cursor(document());
    cursor.setPosition(int(same));
    cursor.setPosition(int(old.size() - tail), QTextCursor::KeepAnchor);
    cursor.insertText(text.mid(same, text.size() - tail - same));
    kept.setKeepPositionOnInsert(false);
    if (!textCursor().hasSelection()) kept.clearSelection();
    if (kept.position() != textCursor().position()) setTextCursor(kept);
}

void TomlEditor::setMark(int line, int column) {
    m_mark = {};
    if (line > 0) {
        const QTextBlock block =
            document()->findBlockByNumber(std::min(line, document()->blockCount()) - 1);
        m_mark = QTextCursor(block);
        m_mark.setPosition(block.position() + std::clamp(column - 1, 0, block.length() - 1));
    }
    showExtras();
    m_numbers->update();
}

int TomlEditor::markedLine() const { return m_mark.isNull() ? 0 : m_mark.blockNumber() + 1; }

/// Shows the cursor's line and the marked line. The text at the marked column is underlined.
void TomlEditor::showExtras() {
    QList<QTextEdit::ExtraSelection> extras;
    const auto addLine = [&](const QTextCursor& cursor, const QColor& colour) {
        QTextEdit::ExtraSelection line;
        line.format.setBackground(colour);
        line.format.setProperty(QTextFormat::FullWidthSelection, true);
        line.cursor = cursor;
        line.cursor.clearSelection();
        extras.append(line);
    };
    addLine(textCursor(), withAlpha(tokens().hover, 0.6));
    if (!m_mark.isNull()) {
        addLine(m_mark, withAlpha(tokens().error, 0.18));
        QTextEdit::ExtraSelection word;
        word.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        word.format.setUnderlineColor(tokens().error);
        word.cursor = m_mark;
        word.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
        if (!word.cursor.hasSelection())
            word.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        extras.append(word);
    }
    setExtraSelections(extras);
}

int TomlEditor::numbersWidth() const {
    const auto digits = std::max<qsizetype>(2, QString::number(blockCount()).size());
    return QFontMetrics(fixedFont()).horizontalAdvance(u'0') * int(digits) + 2 * kGrid;
}

void TomlEditor::placeNumbers() {
    setViewportMargins(numbersWidth(), 0, 0, 0);
    const QRect room = contentsRect();
    m_numbers->setGeometry(room.left(), room.top(), numbersWidth(), room.height());
}

void TomlEditor::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeNumbers();
}

bool TomlEditor::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_numbers || event->type() != QEvent::Paint)
        return QPlainTextEdit::eventFilter(watched, event);
    paintNumbers();
    return true;
}

void TomlEditor::paintNumbers() {
    const ThemeTokens& t = tokens();
    QPainter painter(m_numbers);
    painter.fillRect(m_numbers->rect(), t.panel);
    const int current = textCursor().blockNumber();
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
        if (line.top() > m_numbers->height()) break;
        const bool marked = block.blockNumber() + 1 == markedLine();
        if (marked) painter.fillRect(QRectF(0.0, line.top(), kGrid / 4.0, line.height()), t.error);
        painter.setPen(marked ? t.error : block.blockNumber() == current ? t.text : t.secondary);
        painter.drawText(QRectF(0.0, line.top(), m_numbers->width() - kGrid, line.height()),
                         Qt::AlignRight | Qt::AlignTop, QString::number(block.blockNumber() + 1));
    }
}

} // namespace echolux
