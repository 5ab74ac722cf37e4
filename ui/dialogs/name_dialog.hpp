// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a name, and warns where the name is already used.
#pragma once

#include <QDialog>
#include <QStringList>

class QLabel;
class QLineEdit;
class QPushButton;

namespace echolux {

class NameDialog : public QDialog {
    Q_OBJECT
public:
    static constexpr int kLongestName = 60;

    NameDialog(const QString& title, const QString& question, const QStringList& taken,
               QWidget* parent = nullptr);
    QLineEdit* field() const { return m_field; }
    /// Reads "Replace" where the name is already used.
    QPushButton* saveButton() const { return m_save; }

signals:
    void named(const QString& name);

private:
    void showState();

    QStringList m_taken;
    QLineEdit* m_field;
    QLabel* m_note;
    QPushButton* m_save;
};

} // namespace echolux
