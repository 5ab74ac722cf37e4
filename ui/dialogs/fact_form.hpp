// SPDX-License-Identifier: GPL-3.0-or-later
// A form of facts: a row for each, which says what kind of field it has.
#pragma once

#include <QMap>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <utility>
#include <vector>

class QComboBox;

namespace echolux {

class AxisFields;

/// What a row of a form shows.
struct FormRow {
    enum class Kind {
        Number, ///< from 0; 0 is shown as "unknown"
        Place,  ///< a number that may be negative
        Whole,
        Text,
        Choice,
        Axes, ///< `choices`: what an axis may count. Its sizes have the key "shape"
    };
    QString key;
    QString label;
    QString heading; ///< rows of one heading stand together; the first ones in the left column
    Kind kind = Kind::Text;
    QString unit{}; ///< as shown
    QString toolTip{};
    std::vector<std::pair<QString, QString>> choices{}; ///< id, text
};

/// Texts by the keys of the rows; numbers without their unit, empty where they are unknown. The
/// array's name has the key "array"; its axes and sizes are "transmit,channel,sample" and
/// "-1,64,340".
using FormValues = QMap<QString, QString>;

class FactForm : public QWidget {
    Q_OBJECT
public:
    explicit FactForm(const std::vector<FormRow>& rows, QWidget* parent = nullptr);
    /// Names of the file's arrays. Empty: headerless data, where sizes can be typed.
    void setArrays(const QStringList& names);
    FormValues values() const;
    /// Leaves out keys that are missing. Emits changed() where a value differs.
    void setValues(const FormValues& values);
    void showOnly(const QSet<QString>& keys); ///< hides the rows that do not apply

signals:
    void changed();

private:
    struct Field {
        QString key;
        QWidget* widget;
        std::function<QString()> text;
        std::function<void(const QString&)> setText;
    };
    void addField(const FormRow& row, QWidget* column);
    Field fieldOf(const FormRow& row, QWidget* column);
    void follow();

    std::vector<Field> m_fields;
    QComboBox* m_array;
    AxisFields* m_axes = nullptr; ///< null where no row has axes
    bool m_filling = false;
};

} // namespace echolux
