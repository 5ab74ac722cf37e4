// SPDX-License-Identifier: GPL-3.0-or-later
// Controls, legend and plots of the filter lab.
#include "ui/lab/filter_lab_panel.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/lab/curve_key.hpp"
#include "ui/lab/image_comparison.hpp"
#include "ui/lab/read_response_plot.hpp"
#include "ui/lab/snr_plot.hpp"
#include "ui/lab/taps_plot.hpp"
#include "ui/lab/value_slider.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace echolux {
namespace {

constexpr int kKeyColumns = 2;

} // namespace

FilterLabPanel::FilterLabPanel(QWidget* parent)
    : QWidget(parent), m_spread(new ComboBox(this)),
      m_noise(new ValueSlider("Noise",
                              "White noise in each copy: its RMS divided by the RMS of the signal",
                              {}, 0.0, this)),
      m_snr(new SnrPlot(this)), m_keyGrid(new QGridLayout), m_of(new ComboBox(this)),
      m_fraction(new ValueSlider(
          "at", "Position between two samples at which the interpolator reads, in samples", {}, 0.5,
          this)),
      m_response(new ReadResponsePlot(this)), m_taps(new TapsPlot(this)), m_tabs(new QTabBar(this)),
      m_image(new ImageComparison(this)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* pages = new QStackedWidget(this);
    auto* filters = new QWidget(this);
    m_tabs->addTab("Filters");
    m_tabs->addTab("On the image");
    m_tabs->setDrawBase(false);
    m_tabs->setAccessibleName("Page of the filter lab");
    outer->addWidget(m_tabs);
    outer->addWidget(pages, 1);
    pages->addWidget(filters);
    pages->addWidget(m_image);
    connect(m_tabs, &QTabBar::currentChanged, pages, &QStackedWidget::setCurrentIndex);
    auto* layout = new QVBoxLayout(filters);
    layout->setContentsMargins(0, kGrid / 2, 0, kGrid / 2);
    layout->setSpacing(kGrid / 2);
    addTestControls(*layout);
    m_snr->setToolTip(
        "Shaded: the band of the recording. Dotted: the same band at the input of Beamform, if it "
        "is elsewhere there, for example because the signal was mixed down.");
    layout->addWidget(m_snr, 3);
    m_keyGrid->setContentsMargins(kGrid, 0, kGrid, 0);
    m_keyGrid->setHorizontalSpacing(kGrid);
    m_keyGrid->setVerticalSpacing(0);
    for (int column = 0; column < kKeyColumns; ++column) m_keyGrid->setColumnStretch(column, 1);
    layout->addLayout(m_keyGrid);
    m_response->setToolTip("Thick lines: at the fraction chosen below. Thin lines: at the "
                           "fractions 0, 1/8, ... 1. Shaded: the band at the input of Beamform.");
    layout->addWidget(m_response, 2);
    layout->addWidget(m_taps, 1);
    addResponseControls(*layout);
}

void FilterLabPanel::addTestControls(QVBoxLayout& layout) {
    m_spread->addItem(QString("0 %1 1").arg(QChar(0x2013)), 1.0);
    m_spread->addItem(QString("0 %1 %2").arg(QChar(0x2013)).arg(QChar(0xBD)), 0.5);
    m_spread->setToolTip("Span of the delays of the averaged copies, in samples. Over a whole "
                         "sample, phase errors cancel; over half a sample they do not.");
    m_spread->setAccessibleName("Delays");
    auto* row = new QHBoxLayout;
    row->setContentsMargins(kGrid, 0, kGrid, 0);
    row->setSpacing(kGrid);
    row->addWidget(makeLabel("Delays", LabelRole::Normal, this));
    row->addWidget(m_spread);
    row->addWidget(m_noise, 1);
    layout.addLayout(row);
    connect(m_spread, &QComboBox::currentIndexChanged, this, &FilterLabPanel::testChanged);
    connect(m_noise, &ValueSlider::valueChanged, this, &FilterLabPanel::testChanged);
}

void FilterLabPanel::addResponseControls(QVBoxLayout& layout) {
    m_of->setToolTip("Interpolator whose response is drawn");
    m_of->setAccessibleName("Response of");
    auto* row = new QHBoxLayout;
    row->setContentsMargins(kGrid, 0, kGrid, 0);
    row->setSpacing(kGrid);
    row->addWidget(m_of, 1);
    row->addWidget(m_fraction, 1);
    layout.addLayout(row);
    connect(m_of, &QComboBox::activated, this, [this] { m_ofChosen = true; });
    connect(m_of, &QComboBox::currentIndexChanged, this, &FilterLabPanel::responseChanged);
    connect(m_fraction, &ValueSlider::valueChanged, this, &FilterLabPanel::responseChanged);
}

double FilterLabPanel::spread() const { return m_spread->currentData().toDouble(); }
double FilterLabPanel::noise() const { return m_noise->value(); }
double FilterLabPanel::fraction() const { return m_fraction->value(); }
void FilterLabPanel::showImagePage() { m_tabs->setCurrentIndex(1); }
QString FilterLabPanel::responseOf() const { return m_of->currentData().toString(); }

void FilterLabPanel::setCurves(const std::vector<LabCurve>& curves) {
    const bool same = std::ranges::equal(
        curves, m_curves, [](const LabCurve& a, const LabCurve& b) { return a.sameKey(b); });
    if (same) return;
    const QString chosen = responseOf();
    m_curves = curves;
    for (const LabCurve& curve : curves) {
        if (!curve.shownAtFirst && !m_known.contains(curve.id)) m_hidden.insert(curve.id);
        m_known.insert(curve.id);
        if (curve.inUse) m_hidden.remove(curve.id);
    }
    makeKeys();
    {
        const QSignalBlocker quiet(m_of);
        m_of->clear();
        for (const LabCurve& curve : curves) m_of->addItem(curve.name, curve.id);
        const auto inUse = std::ranges::find(curves, true, &LabCurve::inUse);
        const int before = m_ofChosen ? m_of->findData(chosen) : -1;
        m_of->setCurrentIndex(before >= 0             ? before
                              : inUse != curves.end() ? static_cast<int>(inUse - curves.begin())
                                                      : 0);
    }
    m_snr->hideCurves(m_hidden);
    emit responseChanged();
}

void FilterLabPanel::makeKeys() {
    qDeleteAll(m_keys);
    m_keys.clear();
    const int rows = (static_cast<int>(m_curves.size()) + kKeyColumns - 1) / kKeyColumns;
    for (const LabCurve& curve : m_curves) {
        auto* key = new CurveKey(curve, this);
        key->setChecked(!m_hidden.contains(curve.id));
        const int at = static_cast<int>(m_keys.size());
        m_keyGrid->addWidget(key, at % rows, at / rows);
        connect(key, &CurveKey::toggled, this, [this, id = curve.id](bool shown) {
            if (shown) {
                m_hidden.remove(id);
            } else {
                m_hidden.insert(id);
            }
            m_snr->hideCurves(m_hidden);
        });
        m_keys << key;
    }
}

void FilterLabPanel::setLevels(const LabLevels& levels) { m_snr->setLevels(levels); }

void FilterLabPanel::setBands(const LabBands& bands, const QString& text) {
    m_snr->setBands(bands, text);
}

void FilterLabPanel::setResponse(const LabResponse& response) {
    m_response->setResponse(response);
    m_taps->setResponse(response);
}

void FilterLabPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    emit cameIntoSight();
}

} // namespace echolux
