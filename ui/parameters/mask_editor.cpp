// SPDX-License-Identifier: GPL-3.0-or-later
// Grid of cells and its buttons.
#include "ui/parameters/mask_editor.hpp"

#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace echolux {
namespace {

constexpr int kGap = 2;
constexpr int kFewItems = 16;
constexpr const char* kAll = "all";

} // namespace

MaskGrid::MaskGrid(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MaskGrid::setItems(const QStringList& labels) {
    m_labels = labels;
    m_states.resize(static_cast<std::size_t>(labels.size()), true);
    fitHeight();
    update();
}

void MaskGrid::setStates(std::vector<bool> states) {
    m_states = std::move(states);
    fitHeight();
    update();
}

QSize MaskGrid::cellSize() const {
    return m_states.size() <= kFewItems ? QSize(18, 14) : QSize(10, 10);
}

int MaskGrid::columns() const {
    return std::max(1, (width() + kGap) / (cellSize().width() + kGap));
}

QRect MaskGrid::cellRect(int index) const {
    const QSize size = cellSize();
    const int row = index / columns();
    const int column = index % columns();
    return {QPoint(column * (size.width() + kGap), row * (size.height() + kGap)), size};
}

int MaskGrid::cellAt(QPoint point) const {
    const QSize size = cellSize();
    const int column = point.x() / (size.width() + kGap);
    const int row = point.y() / (size.height() + kGap);
    if (point.x() < 0 || point.y() < 0 || column >= columns()) return -1;
    const int index = row * columns() + column;
    return index < static_cast<int>(m_states.size()) ? index : -1;
}

void MaskGrid::fitHeight() {
    const int count = static_cast<int>(m_states.size());
    setFixedHeight(count == 0 ? 0 : cellRect(count - 1).bottom() + 1);
}

void MaskGrid::resizeEvent(QResizeEvent*) { fitHeight(); }

void MaskGrid::paintEvent(QPaintEvent*) {
    const ThemeTokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int i = 0; i < static_cast<int>(m_states.size()); ++i) {
        const bool on = m_states[static_cast<std::size_t>(i)];
        const QRectF cell = QRectF(cellRect(i)).adjusted(0.5, 0.5, -0.5, -0.5);
        const bool cursor = hasFocus() && i == m_cursor;
        painter.setPen(QPen(cursor ? t.text : on ? t.accent : t.line, cursor ? 1.5 : 1.0));
        painter.setBrush(on && isEnabled() ? withAlpha(t.accent, 0.7) : QBrush(t.field));
        painter.drawRoundedRect(cell, 2.0, 2.0);
    }
}

void MaskGrid::paintCells(int from, int to) {
    const auto [first, last] = std::minmax(from, to);
    for (int i = first; i <= last; ++i) m_states[static_cast<std::size_t>(i)] = m_brush;
    update();
}

void MaskGrid::mousePressEvent(QMouseEvent* event) {
    const int index = cellAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || index < 0) return event->ignore();
    m_brush = !m_states[static_cast<std::size_t>(index)];
    m_last = m_cursor = index;
    paintCells(index, index);
    emit edited();
}

void MaskGrid::mouseMoveEvent(QMouseEvent* event) {
    const int index = cellAt(event->position().toPoint());
    if (m_last < 0 || index < 0 || index == m_last) return;
    paintCells(m_last, index);
    m_last = index;
    emit edited();
}

void MaskGrid::mouseReleaseEvent(QMouseEvent*) { m_last = -1; }

void MaskGrid::keyPressEvent(QKeyEvent* event) {
    const int count = static_cast<int>(m_states.size());
    int move = 0;
    switch (event->key()) {
    case Qt::Key_Up: move = -1; break;
    case Qt::Key_Down: move = 1; break;
    case Qt::Key_PageUp: move = -columns(); break;
    case Qt::Key_PageDown: move = columns(); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_cursor >= count) return;
        m_brush = !m_states[static_cast<std::size_t>(m_cursor)];
        paintCells(m_cursor, m_cursor);
        emit edited();
        return;
    default: event->ignore(); return;
    }
    m_cursor = std::clamp(m_cursor + move, 0, std::max(0, count - 1));
    update();
}

bool MaskGrid::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int index = cellAt(help->pos());
    if (index < 0) return QWidget::event(event);
    const QString name = index < m_labels.size() ? m_labels[index] : QString::number(index + 1);
    const bool on = m_states[static_cast<std::size_t>(index)];
    QToolTip::showText(help->globalPos(), name + (on ? ": on" : ": off"), this);
    return true;
}

MaskEditor::MaskEditor(const ParamRow& row, const QStringList& items, const RowColumns& columns,
                       QWidget* parent)
    : ParamEditor(parent), m_items(items), m_grid(new MaskGrid(this)),
      m_count(new ElidedLabel({}, this)) {
    setRole(m_count, LabelRole::Secondary);
    if (m_items.isEmpty()) {
        for (const std::string& label : row.listLabels) m_items << QString::fromStdString(label);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, kGrid / 2);
    layout->setSpacing(kGrid / 2);
    auto* head = new QHBoxLayout;
    head->setSpacing(kGrid);
    auto* label = new ElidedLabel(QString::fromStdString(row.label), this);
    label->setFixedSize(columns.labelWidth, 3 * kGrid);
    head->addWidget(label);
    head->addWidget(m_count, 1);
    head->addWidget(makeButtons());
    layout->addLayout(head);
    layout->addWidget(m_grid);
    fit(static_cast<std::size_t>(m_items.size()));
    connect(m_grid, &MaskGrid::edited, this, [this] {
        m_word.clear();
        showCount();
        emit edited(value());
    });
}

QWidget* MaskEditor::makeButtons() {
    auto* box = new QWidget(this);
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    const auto add = [&](const QString& text, const QString& tip) {
        auto* button = new QToolButton(box);
        button->setText(text);
        button->setToolTip(tip);
        button->setFocusPolicy(Qt::TabFocus);
        button->setFixedHeight(3 * kGrid);
        layout->addWidget(button);
        return button;
    };
    connect(add("All", "Switch all on"), &QToolButton::clicked, this, [this] { keepEvery(1); });
    connect(add("None", "Switch all off"), &QToolButton::clicked, this, [this] { keepEvery(0); });
    auto* every = add("Only\u2026", "Keep every n-th, or one, and switch the others off");
    auto* menu = new QMenu(every);
    for (const int n : {2, 3, 4, 5, 8, 16}) {
        menu->addAction(QString("Every %1")
                            .arg(n == 2   ? QString("2nd")
                                 : n == 3 ? QString("3rd")
                                          : QString("%1th").arg(n)),
                        this, [this, n] { keepEvery(n); });
    }
    menu->addSeparator();
    for (const char* word : {"first", "middle", "last"})
        menu->addAction(QString("The %1 alone").arg(word), this, [this, word] { take(word); });
    connect(every, &QToolButton::clicked, this,
            [menu, every] { menu->popup(every->mapToGlobal(QPoint(0, every->height()))); });
    return box;
}

void MaskEditor::fit(std::size_t count) {
    if (count == m_grid->states().size() && count != 0) return;
    QStringList labels = m_items.mid(0, static_cast<qsizetype>(count));
    while (labels.size() < static_cast<qsizetype>(count)) {
        labels << QString::number(labels.size() + 1);
    }
    m_grid->setItems(labels);
    showCount();
}

void MaskEditor::showCount() {
    const auto& states = m_grid->states();
    const QString word = QString::fromStdString(m_word);
    if (states.empty()) return m_count->setFullText(m_word.empty() ? QString("all") : word);
    const auto on = std::count(states.begin(), states.end(), true);
    const bool alone = !m_word.empty() && m_word != kAll;
    m_count->setFullText(QString("%1 / %2").arg(on).arg(states.size()) +
                         (alone ? ", " + word : QString()));
}

void MaskEditor::showWord(const std::string& word) {
    m_word = word;
    const auto count = std::ssize(m_grid->states());
    std::vector<bool> states;
    for (std::ptrdiff_t i = 0; i < count; ++i) states.push_back(Mask{word, {}}.isOn(i, count));
    m_grid->setStates(std::move(states));
    showCount();
}

void MaskEditor::setValue(const ParamValue& value) {
    const Mask mask = toMask(value);
    if (!mask.word.empty()) return showWord(mask.word);
    m_word.clear();
    fit(mask.entries.size());
    std::vector<bool> states;
    for (const double state : mask.entries) states.push_back(state != 0.0);
    m_grid->setStates(std::move(states));
    showCount();
}

ParamValue MaskEditor::value() const {
    if (!m_word.empty()) return m_word;
    const auto& states = m_grid->states();
    if (std::find(states.begin(), states.end(), false) == states.end()) return std::string(kAll);
    std::vector<double> list;
    for (const bool on : states) list.push_back(on ? 1.0 : 0.0);
    return list;
}

void MaskEditor::take(const std::string& word) {
    if (word == m_word) return;
    showWord(word);
    emit edited(value());
}

void MaskEditor::setDefault(const ParamValue& value) {
    const Mask mask = toMask(value);
    if (mask.word.empty() && m_grid->states().empty()) fit(mask.entries.size());
}

void MaskEditor::setInvalid(bool invalid) {
    setRole(m_count, invalid ? LabelRole::Error : LabelRole::Secondary);
}

void MaskEditor::keepEvery(int n) {
    std::vector<bool> states(m_grid->states().size(), false);
    for (std::size_t i = 0; n > 0 && i < states.size(); i += static_cast<std::size_t>(n)) {
        states[i] = true;
    }
    if (states == m_grid->states()) return;
    m_word.clear();
    m_grid->setStates(std::move(states));
    showCount();
    emit edited(value());
}

} // namespace echolux
