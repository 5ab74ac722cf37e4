// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the dock "Aberration".
#include "ui/aberration/aberration_panel.hpp"

#include "ui/aberration/bins_plot.hpp"
#include "ui/aberration/element_plot.hpp"
#include "ui/aberration/iteration_view.hpp"
#include "ui/aberration/running_plot.hpp"
#include "ui/aberration/signals_plot.hpp"
#include "ui/controls/action_text.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QPushButton>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace echolux {
namespace {

QVBoxLayout* addPage(QStackedWidget& pages, QTabBar& tabs, const QString& name,
                     const QString& help) {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid / 2);
    pages.addWidget(page);
    tabs.setTabToolTip(tabs.addTab(name), help);
    return layout;
}

QCheckBox* makeBox(const QString& text, const QString& help, QVBoxLayout& layout,
                   QWidget* beside = nullptr) {
    auto* box = new QCheckBox(text);
    box->setChecked(true);
    box->setToolTip(help);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(kGrid, kGrid / 2, kGrid, 0);
    line->addWidget(box, 1);
    if (beside != nullptr) line->addWidget(beside);
    layout.addLayout(line);
    return box;
}

} // namespace

AberrationPanel::AberrationPanel(QWidget* parent)
    : SeenWidget(parent), m_flip(nullptr), m_blink(nullptr), m_stack(new QStackedLayout),
      m_reason(
          makeLabel("Open a recording of ultrasound channel data", LabelRole::Secondary, this)),
      m_state(makeLabel({}, LabelRole::Secondary, this)),
      m_problem(makeLabel({}, LabelRole::Warning, this)),
      m_open(new QPushButton("Open the aberration pipeline", this)),
      m_region(new QToolButton(this)), m_filter(new QToolButton(this)),
      m_patch(new QComboBox(this)), m_choices(new QButtonGroup(this)), m_tabs(new QTabBar),
      m_pages(new QStackedWidget), m_level(nullptr), m_even(nullptr),
      m_delays(new ElementPlot("Delay", "ns", ElementPlot::Scale::Signed)),
      m_amplitudes(new ElementPlot("Amplitude", "dB", ElementPlot::Scale::Signed)),
      m_coherences(new ElementPlot("Coherence", {}, ElementPlot::Scale::Portion)),
      m_focus(new RunningPlot("Focusing criterion",
                              "|sum of the channels|\u00b2 over elements \u00d7 sum of "
                              "|channel|\u00b2: 1 where all channels agree")),
      m_sharpness(new RunningPlot("Sharpness", "Sum of intensity\u00b2 over (sum of "
                                               "intensity)\u00b2 of the region's points")),
      m_before(new SignalsPlot("Before")), m_after(new SignalsPlot("After")),
      m_spectrum(new BinsPlot), m_iterations(new IterationView) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    makeActions();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kGrid / 2, 0, kGrid / 2);
    layout->setSpacing(kGrid / 2);
    m_stack->addWidget(makeEmpty());
    m_stack->addWidget(makeFull());
    layout->addLayout(m_stack, 1);
    m_problem->setWordWrap(true);
    m_problem->setAlignment(Qt::AlignCenter);
    m_problem->setContentsMargins(2 * kGrid, 0, 2 * kGrid, 0);
    m_problem->hide();
    layout->addWidget(m_problem);
    connect(m_open, &QPushButton::clicked, this, &AberrationPanel::pipelineRequested);
    connect(m_iterations, &IterationView::saved, this, &AberrationPanel::saved);
    connect(m_iterations, &IterationView::failed, this, &AberrationPanel::failed);
    setReason(m_reason->text());
    setCorrectable(false, false);
    setCorrection(Correction::On);
}

void AberrationPanel::makeActions() {
    m_flip = makeAction(this, "Aberration: correct", "", {QKeySequence("K")},
                        "Show the image with the aberration corrected, or without");
    m_blink = makeAction(this, "Aberration: blink", "", {QKeySequence("Shift+K")},
                         "Show the image with and without the correction in turn");
    m_blink->setCheckable(true);
    addActions({m_flip, m_blink});
    m_save = new QAction("Save\u2026", this);
    m_saveParts = new QAction("Save real and imaginary part\u2026", this);
    m_load = new QAction("Load\u2026", this);
    m_estimate = new QAction("Use the estimate", this);
    m_save->setToolTip("Save the delays, amplitudes and coherence of the elements that are shown");
    m_saveParts->setToolTip(
        "Save the filter as Herikstad names it: amplitude and phase hold the real "
        "and the imaginary part");
    m_load->setToolTip("Correct the image by a filter from a file, in place of the estimate");
    m_estimate->setToolTip("Correct the image by the estimate again");
    m_estimate->setVisible(false);
    connect(m_save, &QAction::triggered, this, &AberrationPanel::filterWanted);
    connect(m_saveParts, &QAction::triggered, this, &AberrationPanel::partsWanted);
    connect(m_load, &QAction::triggered, this, &AberrationPanel::loadWanted);
    connect(m_estimate, &QAction::triggered, this, &AberrationPanel::estimateWanted);
    connect(m_flip, &QAction::triggered, this,
            [this] { choose(m_correction == Correction::On ? Correction::Off : Correction::On); });
    connect(m_blink, &QAction::triggered, this,
            [this](bool on) { choose(on ? Correction::Blink : Correction::On); });
}

QWidget* AberrationPanel::makeEmpty() {
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(2 * kGrid, 0, 2 * kGrid, 0);
    layout->setSpacing(2 * kGrid);
    m_reason->setAlignment(Qt::AlignCenter);
    m_reason->setWordWrap(true);
    m_open->setToolTip(
        "Open a pipeline that estimates and corrects aberration, in place of this one");
    layout->addStretch(1);
    layout->addWidget(m_reason);
    layout->addWidget(m_open, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    return page;
}

QWidget* AberrationPanel::makeFull() {
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid / 2);
    addControls(*layout);
    addFigures(*layout);
    addPages(*layout);
    return page;
}

void AberrationPanel::addControls(QVBoxLayout& layout) {
    auto* line = new QHBoxLayout;
    line->setContentsMargins(kGrid, 0, kGrid, 0);
    line->setSpacing(kGrid / 4);
    m_region->setText("Region");
    m_region->setCheckable(true);
    m_region->setToolTip("Show the region that the estimate is made from as a box on the image, "
                         "to be dragged and resized there");
    connect(m_region, &QToolButton::toggled, this, &AberrationPanel::regionToggled);
    line->addWidget(m_region);
    line->addStretch(1);
    line->addWidget(makeLabel("Correction", LabelRole::Secondary, this));
    const auto add = [&](Correction correction, const QString& text, const QString& help) {
        auto* button = new QToolButton(this);
        button->setText(text);
        button->setCheckable(true);
        button->setToolTip(help);
        button->setAccessibleName("Correction " + text.toLower());
        m_choices->addButton(button, static_cast<int>(correction));
        connect(button, &QToolButton::clicked, this, [this, correction] { choose(correction); });
        line->addWidget(button);
    };
    add(Correction::Off, "Off", toolTipWithKeys("The image as it was recorded", *m_flip));
    add(Correction::On, "On", toolTipWithKeys("The image corrected", *m_flip));
    add(Correction::Split, "Split", "Corrected and uncorrected side by side, of the same frame");
    add(Correction::Blink, "Blink",
        toolTipWithKeys("Show the image with and without the correction in turn", *m_blink));
    m_choices->setExclusive(true);
    layout.addLayout(line);
}

void AberrationPanel::addFigures(QVBoxLayout& layout) {
    auto* line = new QHBoxLayout;
    line->setContentsMargins(kGrid, 0, kGrid, 0);
    m_state->setWordWrap(true);
    m_patch->setToolTip("The patch whose filter is shown here. The image is corrected by the "
                        "filters of all patches");
    m_patch->hide();
    line->addWidget(m_state, 1);
    line->addWidget(m_patch);
    layout.addLayout(line);
    connect(m_patch, &QComboBox::activated, this, &AberrationPanel::patchChosen);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(kGrid, 0, kGrid, 0);
    grid->setHorizontalSpacing(kGrid);
    grid->setVerticalSpacing(kGrid / 4);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    addFigure(*grid, Figure::Coherence, "Coherence",
              "Mean coherence of neighbouring channels: 1 where they differ by a delay alone", 0,
              0);
    addFigure(*grid, Figure::Age, "Age",
              "Frames shown since the one that this estimate was made from", 0, 2);
    addFigure(*grid, Figure::Delay, "Delay, rms",
              "RMS of the elements' delays, without their mean and their tilt over the array", 1,
              0);
    addFigure(*grid, Figure::Residual, "Residual",
              "RMS difference from the true screen, without mean and tilt. Only for recordings "
              "that hold the true screen",
              1, 2);
    addFigure(*grid, Figure::Focus, "Focusing \u2191",
              "The focusing criterion without and with the correction: more is better, 1 where all "
              "channels agree",
              2, 0);
    addFigure(*grid, Figure::Sharpness, "Sharpness \u2191",
              "Sharpness of the region's points, without and with the correction: more is better. "
              "Only where a point stands out",
              2, 2);
    addFigure(*grid, Figure::Width, "Point width \u2193",
              "Width of the region's brightest point 6 dB below its peak, without and with the "
              "correction: less is better. Only where it stands out",
              3, 0, 3);
    addFigure(*grid, Figure::Time, "Time",
              "Mean times per frame of the stages that estimate and that correct, and whether "
              "they stay within the time of a beam: for live images of 250 beams at 24 images/s "
              "0.167 ms (Herikstad 2009, 5.3.4)",
              4, 0, 3);
    addFigure(
        *grid, Figure::Parts, "Parts",
        "Time of each part of one estimate of this frame, begun anew: channels focused on the "
        "points; beam sums and correlation of neighbours; iterations or least squares; "
        "unwrapped phase and figures (Herikstad 2009, table 5.2). Measured after each edit, "
        "while frames may run beside it",
        5, 0, 3);
    for (const Figure figure : {Figure::Time, Figure::Parts}) showFigure(figure, false);
    layout.addLayout(grid);
}

void AberrationPanel::addFigure(QGridLayout& grid, Figure figure, const QString& name,
                                const QString& help, int row, int column, int span) {
    QLabel* title = makeLabel(name, LabelRole::Secondary, this);
    auto* value = new QLabel(this);
    for (QLabel* label : {title, value}) label->setToolTip(help);
    grid.addWidget(title, row, column);
    grid.addWidget(value, row, column + 1, 1, span);
    m_figures[static_cast<std::size_t>(figure)] = value;
    m_titles[static_cast<std::size_t>(figure)] = title;
}

void AberrationPanel::addPages(QVBoxLayout& layout) {
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    layout.addWidget(m_tabs);
    layout.addWidget(m_pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);

    QVBoxLayout* screen =
        addPage(*m_pages, *m_tabs, "Screen", "Delay and amplitude of each element");
    m_level = makeBox(
        "Without piston and tilt",
        "Subtract the mean and the plane over the array, which shift an image but do not blur it",
        *screen, m_filter);
    m_filter->setText("Filter \u25be");
    m_filter->setPopupMode(QToolButton::InstantPopup);
    m_filter->setToolTip("Filters as files of NumPy (.npz) or MATLAB (.mat)");
    m_filter->addActions({m_save, m_saveParts, m_load, m_estimate});
    screen->addWidget(m_delays, 1);
    screen->addWidget(m_amplitudes, 1);
    connect(m_level, &QCheckBox::toggled, this, [this](bool level) {
        m_iterations->setLevel(level);
        m_delays->forgetRange();
        if (!m_values.found.delayNs.empty()) showScreen();
    });

    QVBoxLayout* focusing =
        addPage(*m_pages, *m_tabs, "Focusing",
                "How well the region is focused over time, with and without the correction");
    focusing->addWidget(m_focus, 1);
    focusing->addWidget(m_sharpness, 1);

    QVBoxLayout* channels = addPage(*m_pages, *m_tabs, "Signals",
                                    "The channels, focused on the brightest point of the region. "
                                    "With a good correction the wavefront is flat");
    m_even =
        makeBox("Each channel by its own peak",
                "Show each channel relative to its own peak; off: relative to the loudest channel",
                *channels);
    auto* pair = new QHBoxLayout;
    pair->setSpacing(0);
    pair->addWidget(m_before, 1);
    pair->addWidget(m_after, 1);
    channels->addLayout(pair, 1);
    connect(m_even, &QCheckBox::toggled, this, &AberrationPanel::showSignals);

    QVBoxLayout* spectrum = addPage(*m_pages, *m_tabs, "Spectrum",
                                    "Power of the channels and their coherence, over frequency");
    spectrum->addWidget(m_spectrum, 1);
    connect(m_spectrum, &BinsPlot::bandDragged, this, &AberrationPanel::bandDragged);
    spectrum->addWidget(m_coherences, 1);

    QVBoxLayout* iterations =
        addPage(*m_pages, *m_tabs, "Iterations", "The filter after each iteration");
    iterations->addWidget(m_iterations);
}

} // namespace echolux
