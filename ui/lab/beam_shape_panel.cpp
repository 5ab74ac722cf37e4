// SPDX-License-Identifier: GPL-3.0-or-later
// Controls of the dock, and which of them each picture needs.
#include "ui/lab/beam_shape_panel.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/lab/beam_shape_plot.hpp"
#include "ui/lab/lab_picture_plot.hpp"
#include "ui/lab/value_slider.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr int kDocumentElements = 8; ///< of Gronvold's figure 1.3

QString noteOf(BeamMode mode) {
    switch (mode) {
    case BeamMode::Across:
        return "Computed at the centre frequency from the array's geometry, the apodization and "
               "the transmits that are on; across the pixel, at its depth. Dashed: measured by the "
               "beamformer itself with the echoes of points.";
    case BeamMode::TransmitMap:
        return "The field that one focus sends along the beam of the pixel. Blue: where it is 6 dB "
               "below the maximum of its depth. Ring: the focus.";
    case BeamMode::ReceiveMap:
        return "Reception is focused anew at each depth. Blue: where it is 6 dB below the maximum "
               "of its depth. Measured: by the beamformer itself with the echoes of points at 24 "
               "depths.";
    case BeamMode::TwoWayMap:
        return "Transmit times receive. Blue: where it is 6 dB below the maximum of its depth. "
               "Measured: by the beamformer itself with the echoes of points at 24 depths.";
    case BeamMode::FourFoci:
        return "One transmit focus each, along the beam of the pixel. Blue: where the field is 6 "
               "dB "
               "below the maximum of its depth.";
    case BeamMode::Waves: break;
    }
    return "The waves of single elements in front of the array. Bars: the elements that send. "
           "Ring: "
           "the focus in which delayed waves meet.";
}

} // namespace

BeamShapePanel::BeamShapePanel(QWidget* parent)
    : QWidget(parent), m_mode(new ComboBox(this)), m_sent(new ComboBox(this)),
      m_waves(new ComboBox(this)),
      m_measure(makeToggle("Measure",
                           "The stage Beamform computes the pixel, with its parameters in force, "
                           "from the echoes of points beside it",
                           false)),
      m_eachDepth(makeToggle("Each depth",
                             "On: 0 dB is the maximum of each depth. Off: of the whole map", true)),
      m_delayed(makeToggle("Delays",
                           "On: the elements fire so that their waves meet in the focus. "
                           "Off: they fire at once",
                           true)),
      m_bandwidth(new ValueSlider("Bandwidth",
                                  "Bandwidth of the measuring pulse at -6 dB, in percent of its "
                                  "frequency. A long pulse has one frequency, as the closed form",
                                  {5.0, 100.0, 1.0, 0, "%"}, 60.0, this)),
      m_focus(new ValueSlider("Focus", "Depth of the transmit focus along the beam",
                              {1.0, 50.0, 0.5, 1, "mm"}, 20.0, this)),
      m_aperture(new ValueSlider("Aperture", "Length of the part of the array that sends",
                                 {1.0, 40.0, 0.5, 1, "mm"}, 10.0, this)),
      m_elements(new ValueSlider("Elements", "Number of elements that send, around the beam",
                                 {1.0, 64.0, 1.0, 0, {}}, kDocumentElements, this)),
      m_phase(new ValueSlider("Phase", "The moment of the period", {0.0, 360.0, 5.0, 0, "\u00b0"},
                              0.0, this)),
      m_plot(new BeamShapePlot), m_table(new BeamTable(this)), m_foci(new FociTable(this)),
      m_problem(makeLabel({}, LabelRole::Warning, this)),
      m_note(makeLabel({}, LabelRole::Secondary, this)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kGrid / 2, 0, kGrid);
    layout->setSpacing(kGrid / 2);
    makeControls(*layout);
    layout->addWidget(m_plot, 1);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    for (std::size_t i = 0; i < m_pictures.size(); ++i) {
        m_pictures[i] = new LabPicturePlot("Beam", BeamShapePlot::kHint, i == 0, this);
        if (i == 0) {
            layout->addWidget(m_pictures[i], 1);
        } else {
            grid->addWidget(m_pictures[i], static_cast<int>(i - 1) / 2,
                            static_cast<int>(i - 1) % 2);
        }
    }
    layout->addLayout(grid, 1);
    for (QWidget* table : std::initializer_list<QWidget*>{m_table, m_foci})
        layout->addWidget(table);
    for (QLabel* label : {m_problem, m_note}) {
        label->setWordWrap(true);
        label->setContentsMargins(kGrid, 0, kGrid, 0);
        layout->addWidget(label);
    }
    m_problem->hide();
    connect(m_foci, &FociTable::fociChanged, this, &BeamShapePanel::settingsChanged);
    showMode();
}

QToolButton* BeamShapePanel::makeToggle(const QString& text, const QString& help, bool on) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(help);
    button->setCheckable(true);
    button->setChecked(on);
    connect(button, &QToolButton::toggled, this, [this] {
        showMode();
        emit settingsChanged();
    });
    return button;
}

void BeamShapePanel::makeControls(QBoxLayout& layout) {
    m_mode->addItems({"Across the pixel", "Transmit map", "Receive map", "Two-way map",
                      "Four transmit foci", "Waves of elements"});
    m_mode->setToolTip("What is shown of the beam");
    m_mode->setAccessibleName("Beam picture");
    m_sent->addItems({"Recorded transmits", "One focus"});
    m_sent->setToolTip("The transmission in the map: that of the transmits that are on, or one "
                       "focus");
    m_sent->setAccessibleName("Transmission");
    m_waves->addItems({"Wave fronts", "Amplitude"});
    m_waves->setToolTip("Pressure at one moment, or its amplitude over the period");
    m_waves->setAccessibleName("Waves");
    auto* first = new QHBoxLayout;
    auto* second = new QHBoxLayout;
    for (QHBoxLayout* row : {first, second}) {
        row->setContentsMargins(kGrid, 0, kGrid, 0);
        row->setSpacing(kGrid);
        layout.addLayout(row);
    }
    first->addWidget(m_mode, 1);
    for (QToolButton* button : {m_measure, m_eachDepth}) first->addWidget(button);
    for (QComboBox* box : {m_sent, m_waves}) second->addWidget(box, 1);
    second->addWidget(m_delayed);
    for (QComboBox* box : {m_mode, m_sent, m_waves}) {
        connect(box, &QComboBox::currentIndexChanged, this, [this] {
            showMode();
            emit settingsChanged();
        });
    }
    for (ValueSlider* slider : {m_bandwidth, m_focus, m_aperture, m_elements, m_phase}) {
        slider->layout()->setContentsMargins(kGrid, 0, kGrid, 0);
        layout.addWidget(slider);
        connect(slider, &ValueSlider::valueChanged, this, &BeamShapePanel::settingsChanged);
    }
}

BeamMode BeamShapePanel::mode() const {
    return static_cast<BeamMode>(std::max(m_mode->currentIndex(), 0));
}

void BeamShapePanel::setMode(BeamMode mode) { m_mode->setCurrentIndex(static_cast<int>(mode)); }

BeamShapePanel::Settings BeamShapePanel::settings() const {
    Settings settings{.mode = mode(),
                      .measure = m_measure->isChecked(),
                      .bandwidth = 0.01 * m_bandwidth->value(),
                      .recorded = m_sent->currentIndex() == 0,
                      .apertureMm = m_aperture->value(),
                      .fociMm = m_foci->fociMm(),
                      .eachDepth = m_eachDepth->isChecked(),
                      .elements = static_cast<std::size_t>(std::lround(m_elements->value())),
                      .delayed = m_delayed->isChecked(),
                      .amplitude = m_waves->currentIndex() == 1,
                      .phaseRad = m_phase->value() * std::numbers::pi / 180.0};
    if (settings.mode != BeamMode::FourFoci) settings.fociMm[0] = m_focus->value();
    return settings;
}

void BeamShapePanel::setLimits(const Limits& limits) {
    if (m_limits == limits) return;
    m_limits = limits;
    m_bandwidth->setDefault(100.0 * limits.bandwidth);
    m_focus->setDefault(limits.fociMm[1], 1.0, limits.deepestMm);
    m_aperture->setDefault(limits.apertureMm, 1.0, limits.mostApertureMm);
    m_elements->setDefault(std::min(kDocumentElements, limits.elements), 1.0, limits.elements);
    m_foci->setFoci(limits.fociMm, 1.0, limits.deepestMm);
}

void BeamShapePanel::showMode() {
    const Settings now = settings();
    const bool across = now.mode == BeamMode::Across;
    const bool four = now.mode == BeamMode::FourFoci;
    const bool waves = now.mode == BeamMode::Waves;
    const bool twoWay = now.mode == BeamMode::TwoWayMap;
    const bool focused = now.mode == BeamMode::TransmitMap || (twoWay && !now.recorded);
    m_sent->setVisible(twoWay);
    m_waves->setVisible(waves);
    const bool measurable = across || now.mode == BeamMode::ReceiveMap || (twoWay && now.recorded);
    const bool pair = now.measuresMap();
    m_measure->setVisible(measurable);
    m_delayed->setVisible(waves);
    m_eachDepth->setVisible(!across && !waves);
    m_bandwidth->setVisible(measurable && now.measure);
    m_focus->setVisible(focused || waves);
    m_aperture->setVisible(focused || four);
    m_elements->setVisible(waves);
    m_phase->setVisible(waves && !now.amplitude);
    m_plot->setVisible(across);
    m_table->setVisible(across);
    m_table->setMeasuredShown(now.measure);
    m_foci->setVisible(four);
    for (std::size_t i = 0; i < m_pictures.size(); ++i)
        m_pictures[i]->setVisible(!across && (four ? i > 0 : pair ? i == 1 || i == 2 : i == 0));
    m_note->setText(noteOf(now.mode));
}

void BeamShapePanel::setCurves(const BeamShapeCurves& curves) {
    m_plot->setCurves(curves);
    m_table->setCurves(curves);
}

void BeamShapePanel::setMeasured(const MeasuredCurves& curves) {
    m_plot->setMeasured(curves);
    m_table->setMeasured(curves);
}

void BeamShapePanel::setPictures(const std::vector<LabPicture>& pictures) {
    const Settings now = settings();
    const std::size_t first = now.mode == BeamMode::FourFoci || now.measuresMap() ? 1 : 0;
    const std::size_t last = first == 0 ? 0 : FociTable::kFoci;
    for (std::size_t i = first; i <= last; ++i)
        m_pictures[i]->setPicture(i - first < pictures.size() ? pictures[i - first] : LabPicture{});
}

void BeamShapePanel::setFigures(const std::array<FocusFigures, FociTable::kFoci>& figures) {
    m_foci->setFigures(figures);
}

void BeamShapePanel::setProblem(const QString& sentence) {
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

QString BeamShapePanel::problem() const { return m_problem->text(); }

void BeamShapePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    emit cameIntoSight();
}

} // namespace echolux
