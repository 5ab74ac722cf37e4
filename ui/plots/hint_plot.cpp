// SPDX-License-Identifier: GPL-3.0-or-later
// Frame of the plots in the right docks.
#include "ui/plots/hint_plot.hpp"

#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace echolux {

HintPlot::HintPlot(const QString& title, const QString& hint, QWidget* parent)
    : SeenWidget(parent), m_head(new QHBoxLayout), m_subtitle(new ElidedLabel({}, this)),
      m_hint(makeLabel(hint, LabelRole::Secondary, this)), m_firstHint(hint),
      m_plot(new QCustomPlot(this)), m_stack(new QStackedLayout) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kGrid / 2, 0, 0);
    layout->setSpacing(kGrid / 2);
    m_head->setContentsMargins(kGrid, 0, kGrid, 0);
    m_head->setSpacing(kGrid);
    auto* name = new QLabel(title, this);
    name->setToolTip(PlotTools::help());
    m_head->addWidget(name);
    setRole(m_subtitle, LabelRole::Secondary);
    m_head->addWidget(m_subtitle, 1);
    layout->addLayout(m_head);
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_plot->setMinimumSize(
        QSize(120, 16 * kGrid)); // three fit into a dock of half the window's height
    m_stack->addWidget(m_hint);
    m_stack->addWidget(m_plot);
    layout->addLayout(m_stack, 1);
    connect(&Theme::instance(), &Theme::changed, this, &HintPlot::applyTheme);
    stylePlot(*m_plot);
    m_tools = new PlotTools(*m_plot, title);
}

void HintPlot::setHasData(bool hasData) {
    m_hasData = hasData;
    m_stack->setCurrentIndex(hasData ? 1 : 0);
    if (hasData) return;
    setSubtitle({});
    m_tools->showAll();
}

void HintPlot::setHint(const QString& text) {
    m_hint->setText(text.isEmpty() ? m_firstHint : text);
}

void HintPlot::setSubtitle(const QString& text) { m_subtitle->setFullText(text); }

void HintPlot::drawNow() { m_plot->replot(QCustomPlot::rpQueuedRefresh); }

void HintPlot::applyTheme() {
    stylePlot(*m_plot);
    restyle();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace echolux
