// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of channel data in two columns. Fields without meaning for the chosen values are hidden.
#include "ui/dialogs/channel_form.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

namespace echolux {
namespace {

constexpr int kMostElements = 1 << 20;

const std::vector<FormItem> kRoles{{"none", "\u2013"},        {"frame", "Frames"},
                                   {"transmit", "Transmits"}, {"channel", "Channels"},
                                   {"sample", "Samples"},     {"iq", "I and Q"}};
const std::vector<FormItem> kProbes{
    {"linear", "Linear"}, {"convex", "Curved (convex)"}, {"matrix", "Matrix"}};
const std::vector<FormItem> kWaves{{"plane", "Plane waves"},
                                   {"focused", "Focused beams"},
                                   {"diverging", "Diverging waves"},
                                   {"element", "One element each"}};

} // namespace

ChannelForm::ChannelForm(QWidget* parent)
    : QWidget(parent), m_storage(new ArrayFields(kRoles, this)), m_pairs(makeChoice({}, this)),
      m_sampling(makeFact(1e4, 0.0, "MHz", this)), m_centre(makeFact(1e4, 0.0, "MHz", this)),
      m_demodulation(makeFact(1e4, 0.0, "MHz", this)), m_frameRate(makeFact(1e6, 0.0, "Hz", this)),
      m_soundSpeed(makeFact(15e3, 1540.0, "m/s", this)),
      m_firstSample(makeList("Time of sample 0 in microseconds: one number, or one per transmit, "
                             "as a list or first:last:step",
                             this)),
      m_clock(makeChoice({}, this)), m_probe(makeChoice(kProbes, this)),
      m_pitch(makeFact(100.0, 0.0, "mm", this)), m_radius(makeFact(1000.0, 0.0, "mm", this)),
      m_columns(makeCountBox(0, kMostElements, 0, "", this)),
      m_rows(makeCountBox(0, kMostElements, 0, "", this)), m_wave(makeChoice(kWaves, this)),
      m_angles(makeList("Degrees, positive towards +x: first:last:step such as -10:10:5, or a list "
                        "such as -10, 0, 10",
                        this)),
      m_focus(makeFact(1e4, 0.0, "mm", this)) {
    m_pairs->addItem("I + jQ", false);
    m_pairs->addItem("I \u2212 jQ", true);
    m_pairs->setToolTip(
        "Whether Q is stored as it is or negated. The wrong choice blurs the image");
    m_clock->addItem("Wave at origin", false);
    m_clock->addItem("First element fires", true);
    m_clock->setToolTip("Which event is at time 0");
    for (QSpinBox* box : {m_columns, m_rows}) box->setFixedSize(kFormField, 3 * kGrid);
    m_columns->setToolTip("Number of columns, along x");
    m_focus->setToolTip("From the origin to the focus, or back to the virtual source");
    m_firstSample->setText("0");
    m_angles->setPlaceholderText("-10, 0, 10");
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(3 * kGrid);
    columns->addWidget(m_storage, 0, Qt::AlignTop);
    columns->addWidget(signalColumn(), 0, Qt::AlignTop);
    connectAll();
    setArrays({});
}

QWidget* ChannelForm::signalColumn() {
    auto* column = new QWidget(this);
    QGridLayout* grid = makeFormGrid(column);
    addHeading(grid, "Signal");
    addRow(grid, "Sampling frequency", m_sampling);
    addRow(grid, "Centre frequency", m_centre);
    addRow(grid, "Demodulated at", m_demodulation);
    addRow(grid, "Pairs are", m_pairs);
    addRow(grid, "First sample (\u00b5s)", m_firstSample);
    addRow(grid, "Time 0", m_clock);
    addRow(grid, "Frame rate", m_frameRate);
    addRow(grid, "Speed of sound", m_soundSpeed);
    addHeading(grid, "Array");
    addRow(grid, "Shape", m_probe);
    addRow(grid, "Pitch", m_pitch);
    addRow(grid, "Radius", m_radius);
    addRow(grid, "Columns", m_columns);
    addRow(grid, "Rows", m_rows);
    addHeading(grid, "Transmits");
    addRow(grid, "Waves", m_wave);
    addRow(grid, "Angles (\u00b0)", m_angles);
    addRow(grid, "Focus", m_focus);
    return column;
}

void ChannelForm::connectAll() {
    connect(m_storage, &ArrayFields::changed, this, &ChannelForm::follow);
    for (QComboBox* box : {m_pairs, m_clock, m_probe, m_wave})
        connect(box, &QComboBox::currentIndexChanged, this, &ChannelForm::follow);
    for (QSpinBox* box : {m_columns, m_rows})
        connect(box, &QSpinBox::valueChanged, this, &ChannelForm::follow);
    for (QDoubleSpinBox* box : {m_sampling, m_centre, m_demodulation, m_frameRate, m_soundSpeed,
                                m_pitch, m_radius, m_focus})
        connect(box, &QDoubleSpinBox::valueChanged, this, &ChannelForm::follow);
    for (QLineEdit* edit : {m_firstSample, m_angles})
        connect(edit, &QLineEdit::textChanged, this, &ChannelForm::follow);
}

void ChannelForm::setArrays(const QStringList& names) {
    m_storage->setArrays(names);
    showWhatApplies();
}

ChannelFormValues ChannelForm::form() const {
    ChannelFormValues form{m_storage->values()};
    form.conjugate = m_pairs->currentData().toBool();
    form.samplingMHz = m_sampling->value();
    form.centreMHz = m_centre->value();
    form.demodulationMHz = m_demodulation->value();
    form.firstSampleUs = m_firstSample->text();
    form.firstElementFires = m_clock->currentData().toBool();
    form.frameRateHz = m_frameRate->value();
    form.soundSpeedMps = m_soundSpeed->value();
    form.probe = m_probe->currentData().toString();
    form.pitchMm = m_pitch->value();
    form.radiusMm = m_radius->value();
    form.columns = m_columns->value();
    form.rows = m_rows->value();
    form.wave = m_wave->currentData().toString();
    form.anglesDeg = m_angles->text();
    form.focusMm = m_focus->value();
    return form;
}

void ChannelForm::setForm(const ChannelFormValues& form) {
    const ChannelFormValues before = this->form();
    m_filling = true;
    m_storage->setValues(form);
    choose(m_pairs, form.conjugate);
    m_sampling->setValue(form.samplingMHz);
    m_centre->setValue(form.centreMHz);
    m_demodulation->setValue(form.demodulationMHz);
    m_firstSample->setText(form.firstSampleUs);
    choose(m_clock, form.firstElementFires);
    m_frameRate->setValue(form.frameRateHz);
    m_soundSpeed->setValue(form.soundSpeedMps);
    choose(m_probe, form.probe);
    m_pitch->setValue(form.pitchMm);
    m_radius->setValue(form.radiusMm);
    m_columns->setValue(form.columns);
    m_rows->setValue(form.rows);
    choose(m_wave, form.wave);
    m_angles->setText(form.anglesDeg);
    m_focus->setValue(form.focusMm);
    m_filling = false;
    showWhatApplies();
    if (this->form() != before) follow();
}

void ChannelForm::follow() {
    if (m_filling) return;
    showWhatApplies();
    emit changed();
}

void ChannelForm::showWhatApplies() {
    const bool pairs = m_storage->hasAxis("iq");
    const QString probe = m_probe->currentData().toString();
    const QString wave = m_wave->currentData().toString();
    const bool beams = wave == "focused" || wave == "diverging";
    const bool mayBePairs = pairs || m_demodulation->value() > 0.0;
    setRowVisible(m_demodulation, mayBePairs || !m_storage->isHeaderless());
    setRowVisible(m_pairs, mayBePairs);
    setRowVisible(m_radius, probe == "convex");
    setRowVisible(m_columns, probe == "matrix");
    setRowVisible(m_rows, probe == "matrix");
    setRowVisible(m_angles, wave != "element");
    setRowVisible(m_focus, beams);
}

} // namespace echolux
