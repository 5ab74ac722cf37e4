// SPDX-License-Identifier: GPL-3.0-or-later
// Forms, suggestions and preview of a description.
#include "ui/dialogs/describe_dialog.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/dialogs/dialog_parts.hpp"
#include "ui/dialogs/preview_picture.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QIcon>
#include <QLocale>
#include <QPixmap>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <initializer_list>

namespace echolux {

DescribeDialog::DescribeDialog(const FormRows& rows, QWidget* parent)
    : QDialog(parent), m_file(makeLabel("", LabelRole::Normal, this)), m_kind(new ComboBox(this)),
      m_previewKind(new ComboBox(this)), m_stack(new QStackedWidget(this)), m_fit(makeNote(this)),
      m_caption(makeLabel("", LabelRole::Secondary, this)), m_suggestions(new QWidget(this)),
      m_suggestionList(new QVBoxLayout(m_suggestions)), m_picture(new PreviewPicture(this)),
      m_orders(new QWidget(this)), m_orderGrid(new QGridLayout(m_orders)),
      m_keep(new QPushButton("Keep and open", this)), m_cancel(new QPushButton("Cancel", this)) {
    setWindowTitle("Describe this file");
    setModal(false);
    m_kind->addItem("Spectra of light (OCT)", static_cast<int>(Kind::Spectra));
    m_kind->addItem("Channel data (ultrasound)", static_cast<int>(Kind::Channels));
    m_kind->addItem("Images (already beamformed)", static_cast<int>(Kind::Images));
    m_kind->setFixedSize(28 * kGrid, 3 * kGrid);
    m_previewKind->addItem("", false);
    m_previewKind->addItem("", true);
    m_previewKind->setFixedSize(kNumberWidth, 3 * kGrid);
    m_keep->setDefault(true);
    m_caption->setWordWrap(true);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        m_forms[i] = new FactForm(rows[i], this);
        m_stack->addWidget(m_forms[i]);
        connect(m_forms[i], &FactForm::changed, this, &DescribeDialog::formChanged);
    }
    layOut();
    showKind();
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        showKind();
        emit formChanged();
    });
    connect(m_previewKind, &QComboBox::currentIndexChanged, this,
            &DescribeDialog::previewKindChanged);
    connect(m_keep, &QPushButton::clicked, this, &DescribeDialog::keepRequested);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
}

void DescribeDialog::layOut() {
    m_suggestionList->setContentsMargins(0, 0, 0, 0);
    m_suggestionList->setSpacing(kGrid / 2);
    auto* holds = new QHBoxLayout;
    holds->setSpacing(2 * kGrid);
    holds->addWidget(makeLabel("It holds", LabelRole::Secondary, this));
    holds->addWidget(m_kind);
    holds->addStretch(1);
    auto* left = new QVBoxLayout;
    left->setSpacing(kGrid + kGrid / 2);
    left->addWidget(m_file);
    left->addLayout(holds);
    left->addWidget(m_stack);
    left->addWidget(m_fit);
    left->addWidget(m_suggestions);
    left->addStretch(1);

    auto* head = new QHBoxLayout;
    head->addWidget(m_caption, 1);
    head->addWidget(m_previewKind, 0, Qt::AlignTop);
    auto* right = new QVBoxLayout;
    right->setSpacing(kGrid);
    right->addLayout(head);
    right->addWidget(m_picture, 1);
    right->addWidget(m_orders);
    m_orderGrid->setContentsMargins(0, 0, 0, 0);
    m_orderGrid->setSpacing(kGrid / 2);
    m_orders->hide();

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGrid);
    buttons->addWidget(makeLabel("The description is kept beside the file, or in your data folder "
                                 "if the file's folder is read-only.",
                                 LabelRole::Secondary, this));
    buttons->addStretch(1);
    buttons->addWidget(m_keep);
    buttons->addWidget(m_cancel);

    auto* columns = new QHBoxLayout;
    columns->setSpacing(3 * kGrid);
    columns->addLayout(left);
    columns->addLayout(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addLayout(columns, 1);
    layout->addLayout(buttons);
}

void DescribeDialog::showKind() {
    const Kind shown = kind();
    // A shorter form must not keep the height of a longer one.
    for (FactForm* each : m_forms) {
        const auto policy = each == &form() ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        each->setSizePolicy(policy, policy);
    }
    m_stack->setCurrentWidget(&form());
    const bool spectra = shown == Kind::Spectra;
    m_fit->setFixedWidth((spectra ? 38 : 66) * kGrid);
    m_previewKind->setItemText(0, spectra ? "B-scan" : "Image");
    m_previewKind->setItemText(1, spectra                 ? "Spectra"
                                  : shown == Kind::Images ? "Values"
                                                          : "Samples");
    setSuggestions({});
    setOrders({});
}

void DescribeDialog::setFile(const QString& name, qint64 bytes, const QStringList& arrays) {
    m_file->setText(
        QString("%1, %2 bytes")
            .arg(name, QLocale(QLocale::English).toString(bytes).replace(',', QChar(0x202F))));
    setSuggestions({});
    setPreview({}, {});
    setOrders({});
    m_previewKind->setCurrentIndex(0);
    for (FactForm* each : m_forms) each->setArrays(arrays);
}

void DescribeDialog::setBusy(const QString& sentence) {
    m_busy = !sentence.isEmpty();
    for (QWidget* each :
         std::initializer_list<QWidget*>{m_kind, m_stack, m_suggestions, m_previewKind})
        each->setEnabled(!m_busy);
    m_keep->setEnabled(!m_busy && m_fits);
    if (!m_busy) return;
    setRole(m_fit, LabelRole::Secondary);
    m_fit->setText(sentence);
}

DescribeDialog::Kind DescribeDialog::kind() const {
    return static_cast<Kind>(m_kind->currentData().toInt());
}

void DescribeDialog::setKind(Kind kind) {
    m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(kind)));
}

bool DescribeDialog::wantsStored() const { return m_previewKind->currentData().toBool(); }

void DescribeDialog::setFit(const QString& sentence, bool fits) {
    setRole(m_fit, fits ? LabelRole::Normal : LabelRole::Warning);
    m_fit->setText(sentence);
    m_fits = fits;
    m_keep->setEnabled(fits && !m_busy);
}

QString DescribeDialog::fitText() const { return m_fit->text(); }
QString DescribeDialog::captionText() const { return m_caption->text(); }

void DescribeDialog::setSuggestions(const std::vector<Suggestion>& suggestions) {
    while (QLayoutItem* item = m_suggestionList->takeAt(0)) {
        // NOTE: one of these widgets may be the sender of the signal that led here.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    if (suggestions.empty()) return;
    m_suggestionList->addWidget(
        makeLabel("These sizes would fit", LabelRole::Secondary, m_suggestions));
    for (const Suggestion& each : suggestions) {
        auto* button = new QPushButton(each.text, m_suggestions);
        button->setAutoDefault(false);
        m_suggestionList->addWidget(button);
        connect(button, &QPushButton::clicked, this,
                [this, values = each.values] { form().setValues(values); });
    }
}

void DescribeDialog::setPreview(const QImage& image, const QString& caption,
                                double heightOverWidth) {
    m_picture->setImage(image, heightOverWidth);
    m_caption->setText(caption);
}

void DescribeDialog::setOrders(const std::vector<Order>& orders) {
    constexpr int kColumns = 3;
    constexpr int kSide = 8 * kGrid;
    // NOTE: one of these widgets may be the sender of the signal that led here.
    while (QLayoutItem* item = m_orderGrid->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_orderButtons.clear();
    m_orders->setVisible(orders.size() > 1);
    if (orders.size() < 2) return;
    auto* title = makeLabel("What changes from frame to frame, 40 dB, for each order of the axes. "
                            "Choose the one that shows what flows.",
                            LabelRole::Secondary, m_orders);
    title->setWordWrap(true);
    m_orderGrid->addWidget(title, 0, 0, 1, kColumns);
    for (const Order& order : orders) {
        auto* button = new QToolButton(m_orders);
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setIconSize({kSide, kSide});
        button->setIcon(QIcon(QPixmap::fromImage(
            order.picture.scaled(kSide, kSide, Qt::IgnoreAspectRatio, Qt::SmoothTransformation))));
        button->setText(order.text);
        button->setToolTip("Order of the axes: " + order.text);
        button->setCheckable(true);
        button->setChecked(order.values["axes"] == form().values()["axes"]);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        const int at = static_cast<int>(m_orderButtons.size());
        m_orderGrid->addWidget(button, 1 + at / kColumns, at % kColumns);
        m_orderButtons.push_back(button);
        connect(button, &QToolButton::clicked, this,
                [this, values = order.values] { form().setValues(values); });
    }
}

bool DescribeDialog::hasPreview() const { return !m_picture->isEmpty(); }

void DescribeDialog::setError(const QString& sentence) {
    setRole(m_fit, LabelRole::Error);
    m_fit->setText(sentence);
}

} // namespace echolux
