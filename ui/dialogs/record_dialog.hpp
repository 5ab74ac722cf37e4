// SPDX-License-Identifier: GPL-3.0-or-later
// How live sources are recorded: where, from when on, how long.
#pragma once

#include <QDialog>
#include <QString>

class QCheckBox;
class QDoubleSpinBox;
class QLineEdit;
class QSpinBox;

namespace echolux {

struct RecordChoice {
    QString folder;
    double preTriggerS = 0.0; ///< seconds before the start that are recorded too
    double stopAfterS = 0.0;  ///< 0: when told
    int compression = 0;      ///< 0 to 9
    bool images = false;      ///< of all views, in files of their own
};

class RecordDialog : public QDialog {
    Q_OBJECT
public:
    explicit RecordDialog(const RecordChoice& choice, QWidget* parent = nullptr);
    RecordChoice choice() const;

private:
    QLineEdit* m_folder;
    QDoubleSpinBox* m_before;
    QDoubleSpinBox* m_after;
    QSpinBox* m_compression;
    QCheckBox* m_images;
};

} // namespace echolux
