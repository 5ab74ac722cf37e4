// SPDX-License-Identifier: GPL-3.0-or-later
// Fields that say how an array is stored and what its axes count.
#pragma once

#include "ui/dialogs/form_parts.hpp"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <array>
#include <vector>

class QLabel;
class QSpinBox;

namespace echolux {

struct ArrayFormAxis {
    QString role = "none"; ///< "frame", ..., "iq", "none"
    int size = 1;          ///< 0: as many as the file holds

    bool operator==(const ArrayFormAxis&) const = default;
};

struct ArrayFormValues {
    QString array;        ///< of a file that holds arrays
    QString type = "i16"; ///< of headerless data: "u8", "i8", "u16", "i16", "i32", "f32", "f64"
    bool bigEndian = false;
    int headerBytes = 0;
    int trailerBytes = 0;
    double codeOffset = 0.0;           ///< a code
    std::vector<ArrayFormAxis> axes{}; ///< from slowest to fastest, or as the array has them

    bool operator==(const ArrayFormValues&) const = default;
};

class ArrayFields : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMostAxes = 5;

    /// `roles`: what axes may count.
    ArrayFields(const std::vector<FormItem>& roles, QWidget* parent);
    /// Names of the file's arrays; none: headerless data, whose sizes can be typed.
    void setArrays(const QStringList& names);
    ArrayFormValues values() const;
    void setValues(const ArrayFormValues& values); ///< emits nothing
    bool isHeaderless() const { return m_headerless; }
    bool hasAxis(const QString& role) const;

signals:
    void changed(); ///< by hand

private:
    struct AxisRow {
        QLabel* label;
        QComboBox* role;
        QSpinBox* size;
    };
    void follow();
    void showWhatApplies();

    QComboBox *m_array, *m_type, *m_order;
    QSpinBox *m_header, *m_trailer;
    QDoubleSpinBox* m_codeOffset;
    std::array<AxisRow, kMostAxes> m_axes{};
    bool m_headerless = true;
    std::size_t m_shownAxes = 0; ///< of an array
    bool m_filling = false;
};

} // namespace echolux
