// SPDX-License-Identifier: GPL-3.0-or-later
// Fields for how an array is stored and what its axes count.
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
    QString array;        ///< name of the array, where the file holds arrays
    QString type = "i16"; ///< headerless data only: "u8", "i8", "u16", "i16", "i32", "f32", "f64"
    bool bigEndian = false;
    int headerBytes = 0;
    int trailerBytes = 0;
    double codeOffset = 0.0; ///< the code that stands for zero
    /// Slowest to fastest for headerless data, otherwise in the array's order.
    std::vector<ArrayFormAxis> axes{};

    bool operator==(const ArrayFormValues&) const = default;
};

class ArrayFields : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMostAxes = 5;

    /// `roles`: what an axis may count.
    ArrayFields(const std::vector<FormItem>& roles, QWidget* parent);
    /// Names of the file's arrays. Empty: headerless data, where sizes can be typed.
    void setArrays(const QStringList& names);
    ArrayFormValues values() const;
    void setValues(const ArrayFormValues& values); ///< emits no signal
    bool isHeaderless() const { return m_headerless; }
    bool hasAxis(const QString& role) const;

signals:
    void changed(); ///< by the user

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
    std::size_t m_shownAxes = 0; ///< number of axes of the chosen array
    bool m_filling = false;
};

} // namespace echolux
