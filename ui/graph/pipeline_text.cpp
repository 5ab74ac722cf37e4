// SPDX-License-Identifier: GPL-3.0-or-later
// Edits, problems and the state line.
#include "ui/graph/pipeline_text.hpp"

#include "ui/graph/toml_editor.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <chrono>

namespace echolux {
namespace {

using namespace std::chrono_literals;
constexpr auto kTypingPause = 300ms;
constexpr int kSign = 16;
constexpr int kMostTextLines = 8; ///< lines of a problem; its tooltip has all

} // namespace

PipelineText::PipelineText(QWidget* parent)
    : QWidget(parent), m_editor(new TomlEditor(this)), m_icon(new QLabel(this)),
      m_state(makeLabel({}, LabelRole::Secondary, this)), m_defaults(new QToolButton(this)),
      m_discard(new QToolButton(this)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_editor, 1);
    auto* below = new QHBoxLayout;
    below->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
    below->setSpacing(kGrid);
    m_icon->setFixedSize(kSign, kSign);
    below->addWidget(m_icon);
    m_state->setObjectName("state");
    m_state->setWordWrap(true);
    m_state->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_state->setMaximumHeight(kMostTextLines * m_state->fontMetrics().lineSpacing());
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    below->addWidget(m_state, 1);
    m_defaults->setObjectName("defaults");
    m_defaults->setText("Defaults");
    m_defaults->setCheckable(true);
    m_defaults->setToolTip(
        "Also writes parameters with default values, as comments. Remove the # to set one");
    m_defaults->setFocusPolicy(Qt::TabFocus);
    below->addWidget(m_defaults);
    m_discard->setObjectName("discard");
    m_discard->setText("Discard edits");
    m_discard->setToolTip("Discards your edits and shows the text in force");
    m_discard->setFocusPolicy(Qt::TabFocus);
    // The button keeps its room, so that nothing moves while the user types.
    QSizePolicy policy = m_discard->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_discard->setSizePolicy(policy);
    below->addWidget(m_discard);
    layout->addLayout(below);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kTypingPause);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        m_told = text();
        emit textEdited(m_told);
    });
    connect(m_editor, &QPlainTextEdit::textChanged, this, &PipelineText::typed);
    connect(m_defaults, &QToolButton::clicked, this, &PipelineText::showsDefaultsChanged);
    connect(m_discard, &QToolButton::clicked, this, &PipelineText::discard);
    connect(&Theme::instance(), &Theme::changed, this, &PipelineText::showState);
    showState();
}

QString PipelineText::text() const { return m_editor->toPlainText(); }

void PipelineText::setText(const QString& text) {
    m_inForce = text;
    if (m_edited) return;
    m_setting = true;
    m_editor->replaceText(text);
    m_shown = this->text();
    m_setting = false;
}

void PipelineText::typed() {
    // NOTE: the editor reports a change also when the text is only coloured.
    if (m_setting || text() == m_shown) return;
    m_shown = text();
    m_edited = true;
    m_pause.start();
    showState();
}

void PipelineText::setInForce() {
    if (!m_edited || m_pause.isActive() || text() != m_told) return;
    m_edited = false;
    m_inForce = text();
    clearProblem();
}

void PipelineText::discard() {
    m_pause.stop();
    m_edited = false;
    setText(m_inForce);
    clearProblem();
    m_editor->setFocus();
    // Receivers of the edited text must learn that the edits are dropped.
    m_told = text();
    emit textEdited(m_told);
}

void PipelineText::setProblem(int line, int column, const QString& sentence) {
    m_problem = sentence;
    m_editor->setMark(line, column);
    showState();
}

void PipelineText::clearProblem() {
    m_problem.clear();
    m_editor->setMark(0, 0);
    showState();
}

bool PipelineText::showsDefaults() const { return m_defaults->isChecked(); }
void PipelineText::setShowsDefaults(bool shown) { m_defaults->setChecked(shown); }

QString PipelineText::stateText() const { return m_state->text(); }

void PipelineText::showState() {
    const bool wrong = !m_problem.isEmpty();
    m_state->setText(wrong ? m_problem : m_edited ? "edited" : "in force");
    m_state->setToolTip(m_problem);
    setRole(m_state, wrong      ? LabelRole::Error
                     : m_edited ? LabelRole::Warning
                                : LabelRole::Secondary);
    m_icon->setPixmap(
        wrong      ? themeIcon("error", &ThemeTokens::error).pixmap(QSize(kSign, kSign))
        : m_edited ? QPixmap()
                   : themeIcon("check", &ThemeTokens::secondary).pixmap(QSize(kSign, kSign)));
    m_discard->setVisible(m_edited);
}

} // namespace echolux
