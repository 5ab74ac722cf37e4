// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of images in two columns. Fields without meaning for the chosen values are hidden.
#include "ui/dialogs/image_form.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>

#include <initializer_list>

namespace echolux {
namespace {

constexpr double kFarthestMm = 1e4;

const std::vector<FormItem> kRoles{{"none", "\u2013"},      {"frame", "Frames"},
                                   {"elevation", "Planes"}, {"depth", "Depths"},
                                   {"lateral", "Lines"},    {"iq", "I and Q"}};
const std::vector<FormItem> kForms{{"beamformed", "Signals (RF, I/Q)"},
                                   {"envelope", "Amplitudes"},
                                   {"decibels", "Levels in dB"},
                                   {"picture", "Brightnesses"}};

} // namespace

ImageForm::ImageForm(QWidget* parent)
    : QWidget(parent), m_storage(new ArrayFields(kRoles, this)), m_form(makeChoice(kForms, this)),
      m_codeScale(makePlace(1e9, "", this)),
      m_shownRange(makeList(
          "Lowest and highest level in dB, such as -60, 0; empty: the range of the data", this)),
      m_pairs(makeChoice({}, this)), m_centre(makeFact(1e4, 0.0, "MHz", this)),
      m_demodulation(makeFact(1e4, 0.0, "MHz", this)), m_frameRate(makeFact(1e6, 0.0, "Hz", this)),
      m_depthBy(makeChoice({}, this)), m_depthStep(makeFact(kFarthestMm, 0.0, "mm", this)),
      m_sampling(makeFact(1e4, 0.0, "MHz", this)),
      m_soundSpeed(makeFact(15e3, 1540.0, "m/s", this)),
      m_depthFirst(makePlace(kFarthestMm, "mm", this)), m_lines(makeChoice({}, this)),
      m_lineStep(makeFact(kFarthestMm, 0.0, "mm", this)),
      m_lineFirst(
          makeList("Position of the first line; empty: the middle of the lines is at 0", this)),
      m_angles(makeList("Degrees, positive towards +x: first and last line such as -37.5, 37.5, or "
                        "first:last:step, or the angles of all lines",
                        this)),
      m_radius(makePlace(kFarthestMm, "mm", this)),
      m_planeStep(makeFact(kFarthestMm, 0.0, "mm", this)),
      m_apex(makeList("Where the lines meet, x and z: z is negative behind the array", this)),
      m_planeFirst(
          makeList("Position of the first plane; empty: the middle of the planes is at 0", this)) {
    m_pairs->addItem("I + jQ", false);
    m_pairs->addItem("I \u2212 jQ", true);
    m_depthBy->addItem("Step", false);
    m_depthBy->addItem("Sampling", true);
    m_lines->addItem("Side by side", false);
    m_lines->addItem("In a sector", true);
    m_form->setToolTip("Kind of the values, which decides how they are shown");
    m_codeScale->setValue(1.0);
    m_codeScale->setToolTip("Decibels per stored code, for levels in dB");
    m_sampling->setToolTip("Sampling frequency of the echoes along a line. Depths are computed "
                           "from it and the speed of sound");
    m_depthStep->setToolTip("From one depth to the next");
    m_lineStep->setToolTip("From one line to the next");
    m_radius->setToolTip(
        "Distance from the point where the lines meet to depth 0: the radius of a curved array");
    m_apex->setPlaceholderText("0, 0");
    m_shownRange->setPlaceholderText("-60, 0");
    m_angles->setPlaceholderText("-37.5, 37.5");
    for (QLineEdit* edit : {m_lineFirst, m_planeFirst}) edit->setPlaceholderText("middle at 0");
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(3 * kGrid);
    columns->addWidget(m_storage, 0, Qt::AlignTop);
    columns->addWidget(placesColumn(), 0, Qt::AlignTop);
    choose(m_form, "envelope");
    connectAll();
    setArrays({});
}

QWidget* ImageForm::placesColumn() {
    auto* column = new QWidget(this);
    QGridLayout* grid = makeFormGrid(column);
    addHeading(grid, "Values");
    addRow(grid, "Values are", m_form);
    addRow(grid, "One code means", m_codeScale);
    addRow(grid, "Shown range (dB)", m_shownRange);
    addRow(grid, "Pairs are", m_pairs);
    addRow(grid, "Demodulated at", m_demodulation);
    addRow(grid, "Centre frequency", m_centre);
    addRow(grid, "Frame rate", m_frameRate);
    addHeading(grid, "Depth");
    addRow(grid, "Depths given by", m_depthBy);
    addRow(grid, "Step", m_depthStep);
    addRow(grid, "Sampling frequency", m_sampling);
    addRow(grid, "Speed of sound", m_soundSpeed);
    addRow(grid, "First depth", m_depthFirst);
    addHeading(grid, "Lines");
    addRow(grid, "Lines lie", m_lines);
    addRow(grid, "Line step", m_lineStep);
    addRow(grid, "First line (mm)", m_lineFirst);
    addRow(grid, "Angles (\u00b0)", m_angles);
    addRow(grid, "Radius", m_radius);
    addRow(grid, "Apex x, z (mm)", m_apex);
    addRow(grid, "Plane step", m_planeStep);
    addRow(grid, "First plane (mm)", m_planeFirst);
    return column;
}

void ImageForm::connectAll() {
    connect(m_storage, &ArrayFields::changed, this, &ImageForm::follow);
    for (QComboBox* box : {m_form, m_pairs, m_depthBy, m_lines})
        connect(box, &QComboBox::currentIndexChanged, this, &ImageForm::follow);
    for (QDoubleSpinBox* box :
         {m_codeScale, m_centre, m_demodulation, m_frameRate, m_depthStep, m_sampling, m_soundSpeed,
          m_depthFirst, m_lineStep, m_radius, m_planeStep})
        connect(box, &QDoubleSpinBox::valueChanged, this, &ImageForm::follow);
    for (QLineEdit* edit : {m_shownRange, m_lineFirst, m_angles, m_apex, m_planeFirst})
        connect(edit, &QLineEdit::textChanged, this, &ImageForm::follow);
}

void ImageForm::setArrays(const QStringList& names) {
    m_storage->setArrays(names);
    showWhatApplies();
}

ImageFormValues ImageForm::form() const {
    ImageFormValues form{m_storage->values()};
    form.form = m_form->currentData().toString();
    form.codeScale = m_codeScale->value();
    form.shownRangeDb = m_shownRange->text();
    form.conjugate = m_pairs->currentData().toBool();
    form.centreMHz = m_centre->value();
    form.demodulationMHz = m_demodulation->value();
    form.frameRateHz = m_frameRate->value();
    form.sampled = m_depthBy->currentData().toBool();
    form.depthStepMm = m_depthStep->value();
    form.samplingMHz = m_sampling->value();
    form.soundSpeedMps = m_soundSpeed->value();
    form.depthFirstMm = m_depthFirst->value();
    form.fanOut = m_lines->currentData().toBool();
    form.lineStepMm = m_lineStep->value();
    form.lineFirstMm = m_lineFirst->text();
    form.anglesDeg = m_angles->text();
    form.radiusMm = m_radius->value();
    form.apexMm = m_apex->text();
    form.planeStepMm = m_planeStep->value();
    form.planeFirstMm = m_planeFirst->text();
    return form;
}

void ImageForm::setForm(const ImageFormValues& form) {
    const ImageFormValues before = this->form();
    m_filling = true;
    m_storage->setValues(form);
    choose(m_form, form.form);
    m_codeScale->setValue(form.codeScale);
    m_shownRange->setText(form.shownRangeDb);
    choose(m_pairs, form.conjugate);
    m_centre->setValue(form.centreMHz);
    m_demodulation->setValue(form.demodulationMHz);
    m_frameRate->setValue(form.frameRateHz);
    choose(m_depthBy, form.sampled);
    m_depthStep->setValue(form.depthStepMm);
    m_sampling->setValue(form.samplingMHz);
    m_soundSpeed->setValue(form.soundSpeedMps);
    m_depthFirst->setValue(form.depthFirstMm);
    choose(m_lines, form.fanOut);
    m_lineStep->setValue(form.lineStepMm);
    m_lineFirst->setText(form.lineFirstMm);
    m_angles->setText(form.anglesDeg);
    m_radius->setValue(form.radiusMm);
    m_apex->setText(form.apexMm);
    m_planeStep->setValue(form.planeStepMm);
    m_planeFirst->setText(form.planeFirstMm);
    m_filling = false;
    showWhatApplies();
    if (this->form() != before) follow();
}

void ImageForm::follow() {
    if (m_filling) return;
    showWhatApplies();
    emit changed();
}

void ImageForm::showWhatApplies() {
    const QString form = m_form->currentData().toString();
    const bool pairs = m_storage->hasAxis("iq");
    const bool signal = form == "beamformed";
    const bool sampled = m_depthBy->currentData().toBool();
    const bool fanOut = m_lines->currentData().toBool();
    const bool planes = m_storage->hasAxis("elevation");
    setRowVisible(m_codeScale, form == "decibels" || m_codeScale->value() != 1.0);
    setRowVisible(m_shownRange, form == "decibels");
    setRowVisible(m_pairs, pairs);
    setRowVisible(m_demodulation, pairs || (signal && !m_storage->isHeaderless()));
    setRowVisible(m_centre, form != "picture");
    setRowVisible(m_depthStep, !sampled);
    setRowVisible(m_sampling, sampled);
    setRowVisible(m_soundSpeed, sampled);
    setRowVisible(m_lineStep, !fanOut);
    setRowVisible(m_lineFirst, !fanOut);
    for (QWidget* field : std::initializer_list<QWidget*>{m_angles, m_radius, m_apex})
        setRowVisible(field, fanOut);
    setRowVisible(m_planeStep, planes);
    setRowVisible(m_planeFirst, planes);
}

} // namespace echolux
