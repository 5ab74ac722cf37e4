// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the dialog.
#include "ui/dialogs/record_dialog.hpp"

#include "ui/controls/quantity_box.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace echolux {

RecordDialog::RecordDialog(const RecordChoice& choice, QWidget* parent)
    : QDialog(parent), m_folder(new QLineEdit(choice.folder, this)),
      m_before(new QuantityBox("s", this)), m_after(new QuantityBox("s", this)),
      m_compression(new QSpinBox(this)), m_images(new QCheckBox("Images of the views, too", this)) {
    setWindowTitle("Recording of live sources");
    for (QDoubleSpinBox* seconds : {m_before, m_after}) {
        seconds->setRange(0.0, 86400.0);
        seconds->setDecimals(1);
    }
    m_before->setValue(choice.preTriggerS);
    m_before->setToolTip("Frames that came so long before the start are recorded too, as far as "
                         "they are kept in memory");
    m_after->setValue(choice.stopAfterS);
    m_after->setSpecialValueText("when told");
    m_after->setToolTip("The recording ends by itself after this time");
    m_compression->setRange(0, 9);
    m_compression->setValue(choice.compression);
    m_compression->setSpecialValueText("none");
    m_compression->setToolTip("Deflate level. Without compression the disk alone limits the rate; "
                              "level 1 writes up to about 100 MB/s");
    m_images->setChecked(choice.images);
    m_images->setToolTip("Each view has a file of its own beside the raw frames. It holds the "
                         "number of the raw frame of each image. Where the pipeline or the disk is "
                         "too slow, images are left out, and raw frames are not.");
    auto* browse = new QPushButton("Browse\u2026", this);
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString folder =
            QFileDialog::getExistingDirectory(this, "Folder of recordings", m_folder->text());
        if (!folder.isEmpty()) m_folder->setText(folder);
    });
    m_folder->setMinimumWidth(320);
    auto* place = new QHBoxLayout;
    place->addWidget(m_folder, 1);
    place->addWidget(browse);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* form = new QFormLayout(this);
    form->addRow("Folder", place);
    form->addRow("Record from before", m_before);
    form->addRow("Stop after", m_after);
    form->addRow("Compression", m_compression);
    form->addRow({}, m_images);
    form->addRow(buttons);
}

RecordChoice RecordDialog::choice() const {
    return {m_folder->text(), m_before->value(), m_after->value(), m_compression->value(),
            m_images->isChecked()};
}

} // namespace echolux
