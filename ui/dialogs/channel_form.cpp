// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of channel data, in two columns; those that mean nothing for what is chosen are hidden.
#include "ui/dialogs/channel_form.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/dialogs/dialog_parts.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <utility>

namespace echolux {
namespace {

constexpr int kMost = std::numeric_limits<int>::max();
constexpr int kWide = kNumberWidth + 5 * kGrid;

using Item = std::pair<const char*, const char*>; ///< id, text

constexpr Item kTypes[] = {{"i16", "16 bit signed"}, {"u16", "16 bit unsigned"},
                           {"i8", "8 bit signed"},   {"u8", "8 bit unsigned"},
                           {"f32", "32 bit float"},  {"f64", "64 bit float"},
                           {"i32", "32 bit signed"}};
constexpr Item kRoles[] = {{"none", "\u2013"},        {"frame", "Frames"},
                           {"transmit", "Transmits"}, {"channel", "Channels"},
                           {"sample", "Samples"},     {"iq", "I and Q"}};
constexpr Item kProbes[] = {
    {"linear", "Linear"}, {"convex", "Curved (convex)"}, {"matrix", "Matrix"}};
constexpr Item kWaves[] = {{"plane", "Plane waves"},
                           {"focused", "Focused beams"},
                           {"diverging", "Diverging waves"},
                           {"element", "One element each"}};

template <std::size_t N> ComboBox* makeChoice(const Item (&items)[N], QWidget* parent) {
    auto* box = new ComboBox(parent);
    for (const auto& [id, text] : items) box->addItem(QString::fromUtf8(text), id);
    box->setFixedSize(kWide, 3 * kGrid);
    return box;
}

QDoubleSpinBox* makeFact(double most, double value, const QString& unit, QWidget* parent) {
    QDoubleSpinBox* box = makeExactBox(0.0, most, value, unit, parent);
    box->setFixedSize(kWide, 3 * kGrid);
    box->setSpecialValueText("unknown");
    return box;
}

QLineEdit* makeList(const QString& toolTip, QWidget* parent) {
    auto* edit = new QLineEdit(parent);
    edit->setFixedSize(kWide, 3 * kGrid);
    edit->setAlignment(Qt::AlignRight);
    edit->setToolTip(toolTip);
    return edit;
}

QGridLayout* makeGrid(QWidget* column) {
    auto* grid = new QGridLayout(column);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kGrid);
    grid->setVerticalSpacing(kGrid / 2);
    return grid;
}

} // namespace

ChannelForm::ChannelForm(QWidget* parent)
    : QWidget(parent), m_array(new ComboBox(this)), m_type(makeChoice(kTypes, this)),
      m_order(new ComboBox(this)), m_header(makeCountBox(0, kMost, 0, "bytes", this)),
      m_trailer(makeCountBox(0, kMost, 0, "bytes", this)),
      m_codeOffset(makeExactBox(-1e9, 1e9, 0.0, "", this)), m_pairs(new ComboBox(this)),
      m_sampling(makeFact(1e4, 0.0, "MHz", this)), m_centre(makeFact(1e4, 0.0, "MHz", this)),
      m_demodulation(makeFact(1e4, 0.0, "MHz", this)), m_frameRate(makeFact(1e6, 0.0, "Hz", this)),
      m_soundSpeed(makeFact(15e3, 1540.0, "m/s", this)),
      m_firstSample(makeList("Time of sample 0 in microseconds: one number, or one per transmit, "
                             "as a list or first:last:step",
                             this)),
      m_clock(new ComboBox(this)), m_probe(makeChoice(kProbes, this)),
      m_pitch(makeFact(100.0, 0.0, "mm", this)), m_radius(makeFact(1000.0, 0.0, "mm", this)),
      m_columns(makeCountBox(0, 1 << 20, 0, "", this)),
      m_rows(makeCountBox(0, 1 << 20, 0, "", this)), m_wave(makeChoice(kWaves, this)),
      m_angles(makeList("Degrees, positive towards +x: first:last:step such as -10:10:5, or a list "
                        "such as -10, 0, 10",
                        this)),
      m_focus(makeFact(1e4, 0.0, "mm", this)) {
    m_order->addItem("Little-endian", false);
    m_order->addItem("Big-endian", true);
    m_pairs->addItem("I + jQ", false);
    m_pairs->addItem("I \u2212 jQ", true);
    m_pairs->setToolTip("Whether Q is stored as it is or negated: the wrong one blurs the image");
    m_clock->addItem("Wave at origin", false);
    m_clock->addItem("First element fires", true);
    m_clock->setToolTip("What happens at time 0");
    for (QComboBox* box : {m_array, m_order, m_pairs, m_clock}) box->setFixedSize(kWide, 3 * kGrid);
    for (QSpinBox* box : {m_header, m_trailer, m_columns, m_rows})
        box->setFixedSize(kWide, 3 * kGrid);
    m_codeOffset->setFixedSize(kWide, 3 * kGrid);
    m_codeOffset->setToolTip("The code of silence, of unsigned samples about their middle");
    m_columns->setToolTip("Along x");
    m_focus->setToolTip("From the origin to the focus, or back to the virtual source");
    m_firstSample->setText("0");
    m_angles->setPlaceholderText("-10:10:5");
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(3 * kGrid);
    columns->addWidget(storageColumn(), 0, Qt::AlignTop);
    columns->addWidget(signalColumn(), 0, Qt::AlignTop);
    connectAll();
    setArrays({});
}

void ChannelForm::addHeading(QGridLayout* grid, const QString& text) {
    QLabel* label = makeLabel(text, LabelRole::Normal, grid->parentWidget());
    const int row = grid->rowCount();
    if (row > 1) grid->setRowMinimumHeight(row, 4 * kGrid);
    grid->addWidget(label, row, 0, 1, 3, Qt::AlignBottom);
}

QWidget* ChannelForm::storageColumn() {
    auto* column = new QWidget(this);
    QGridLayout* grid = makeGrid(column);
    addHeading(grid, "Storage");
    const auto add = [&](const QString& label, QWidget* field) {
        const int row = grid->rowCount();
        grid->addWidget(makeLabel(label, LabelRole::Secondary, column), row, 0);
        grid->addWidget(field, row, 1, 1, 2, Qt::AlignRight);
    };
    add("Array", m_array);
    add("Type", m_type);
    add("Byte order", m_order);
    add("Header", m_header);
    add("Trailer", m_trailer);
    add("Code of silence", m_codeOffset);
    addHeading(grid, "Axes, slowest first");
    for (int i = 0; i < kMostAxes; ++i) {
        AxisRow& axis = m_axes[static_cast<std::size_t>(i)];
        axis.label = makeLabel(QString("Axis %1").arg(i + 1), LabelRole::Secondary, column);
        axis.role = makeChoice(kRoles, column);
        axis.role->setFixedSize(kNumberWidth, 3 * kGrid);
        axis.size = makeCountBox(0, kMost, 1, "", column);
        axis.size->setSpecialValueText("all");
        axis.size->setFixedSize(8 * kGrid, 3 * kGrid);
        axis.size->setToolTip("0: as many as the file holds");
        const int row = grid->rowCount();
        grid->addWidget(axis.label, row, 0);
        grid->addWidget(axis.role, row, 1, Qt::AlignRight);
        grid->addWidget(axis.size, row, 2, Qt::AlignRight);
    }
    grid->setColumnStretch(1, 1);
    return column;
}

QWidget* ChannelForm::signalColumn() {
    auto* column = new QWidget(this);
    QGridLayout* grid = makeGrid(column);
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
    for (QComboBox* box : {m_array, m_type, m_order, m_pairs, m_clock, m_probe, m_wave})
        connect(box, &QComboBox::currentIndexChanged, this, &ChannelForm::follow);
    for (QSpinBox* box : {m_header, m_trailer, m_columns, m_rows})
        connect(box, &QSpinBox::valueChanged, this, &ChannelForm::follow);
    for (QDoubleSpinBox* box : {m_codeOffset, m_sampling, m_centre, m_demodulation, m_frameRate,
                                m_soundSpeed, m_pitch, m_radius, m_focus})
        connect(box, &QDoubleSpinBox::valueChanged, this, &ChannelForm::follow);
    for (QLineEdit* edit : {m_firstSample, m_angles})
        connect(edit, &QLineEdit::textChanged, this, &ChannelForm::follow);
    for (const AxisRow& axis : m_axes) {
        connect(axis.role, &QComboBox::currentIndexChanged, this, &ChannelForm::follow);
        connect(axis.size, &QSpinBox::valueChanged, this, &ChannelForm::follow);
    }
}

void ChannelForm::setArrays(const QStringList& names) {
    m_filling = true;
    m_headerless = names.isEmpty();
    m_array->clear();
    for (const QString& name : names)
        m_array->addItem(name.isEmpty() ? "the only one" : name, name);
    m_filling = false;
    showWhatApplies();
}

ChannelFormValues ChannelForm::form() const {
    ChannelFormValues form{.array = m_array->currentData().toString(),
                           .type = m_type->currentData().toString(),
                           .bigEndian = m_order->currentData().toBool(),
                           .headerBytes = m_header->value(),
                           .trailerBytes = m_trailer->value(),
                           .codeOffset = m_codeOffset->value(),
                           .conjugate = m_pairs->currentData().toBool(),
                           .samplingMHz = m_sampling->value(),
                           .centreMHz = m_centre->value(),
                           .demodulationMHz = m_demodulation->value(),
                           .firstSampleUs = m_firstSample->text(),
                           .firstElementFires = m_clock->currentData().toBool(),
                           .frameRateHz = m_frameRate->value(),
                           .soundSpeedMps = m_soundSpeed->value(),
                           .probe = m_probe->currentData().toString(),
                           .pitchMm = m_pitch->value(),
                           .radiusMm = m_radius->value(),
                           .columns = m_columns->value(),
                           .rows = m_rows->value(),
                           .wave = m_wave->currentData().toString(),
                           .anglesDeg = m_angles->text(),
                           .focusMm = m_focus->value()};
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const ChannelFormAxis axis{m_axes[i].role->currentData().toString(),
                                   m_axes[i].size->value()};
        if (m_headerless ? axis.role != "none" : i < m_shownAxes) form.axes.push_back(axis);
    }
    return form;
}

void ChannelForm::setForm(const ChannelFormValues& form) {
    const ChannelFormValues before = this->form();
    m_filling = true;
    const auto choose = [](QComboBox* box, const QVariant& id) {
        if (const int at = box->findData(id); at >= 0) box->setCurrentIndex(at);
    };
    choose(m_array, form.array);
    choose(m_type, form.type);
    choose(m_order, form.bigEndian);
    m_header->setValue(form.headerBytes);
    m_trailer->setValue(form.trailerBytes);
    m_codeOffset->setValue(form.codeOffset);
    m_shownAxes = std::min<std::size_t>(form.axes.size(), kMostAxes);
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const ChannelFormAxis axis = i < form.axes.size() ? form.axes[i] : ChannelFormAxis{};
        choose(m_axes[i].role, axis.role);
        m_axes[i].size->setValue(axis.size);
    }
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
    for (QWidget* field : std::initializer_list<QWidget*>{m_type, m_order, m_header, m_trailer})
        setRowVisible(field, m_headerless);
    setRowVisible(m_array, !m_headerless && m_array->count() > 1);
    m_order->setEnabled(!m_type->currentData().toString().endsWith("8"));
    bool pairs = false;
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const QString role = m_axes[i].role->currentData().toString();
        pairs = pairs || role == "iq";
        setRowVisible(m_axes[i].role, m_headerless || i < m_shownAxes);
        m_axes[i].size->setEnabled(m_headerless && role != "none");
    }
    const QString probe = m_probe->currentData().toString();
    const QString wave = m_wave->currentData().toString();
    const bool beams = wave == "focused" || wave == "diverging";
    const bool mayBePairs = pairs || m_demodulation->value() > 0.0;
    setRowVisible(m_demodulation, mayBePairs || !m_headerless);
    setRowVisible(m_pairs, mayBePairs);
    setRowVisible(m_radius, probe == "convex");
    setRowVisible(m_columns, probe == "matrix");
    setRowVisible(m_rows, probe == "matrix");
    setRowVisible(m_angles, wave != "element");
    setRowVisible(m_focus, beams);
}

} // namespace echolux
