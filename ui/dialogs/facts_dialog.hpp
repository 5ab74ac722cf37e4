// SPDX-License-Identifier: GPL-3.0-or-later
// Shows facts, one name and value per line.
#pragma once

#include <QDialog>
#include <QString>

#include <utility>
#include <vector>

class QScrollArea;

namespace echolux {

class FactsDialog : public QDialog {
    Q_OBJECT
public:
    using Facts = std::vector<std::pair<QString, QString>>;

    explicit FactsDialog(QWidget* parent = nullptr);
    void setFacts(const QString& title, const Facts& facts);
    QString text() const; ///< text that the copy button copies: one line per fact

private:
    Facts m_facts;
    QScrollArea* m_area;
};

} // namespace echolux
