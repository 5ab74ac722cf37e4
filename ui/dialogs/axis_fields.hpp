// SPDX-License-Identifier: GPL-3.0-or-later
// Fields for what the axes of an array count, and for their sizes.
#pragma once

#include <QString>
#include <QWidget>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

class QComboBox;
class QSpinBox;

namespace echolux {

class AxisFields : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMostAxes = 5;

    /// `roles`: id and text of what an axis may count, "none" among them.
    AxisFields(const std::vector<std::pair<QString, QString>>& roles, QWidget* parent);
    /// False: the file tells the sizes.
    void setHeaderless(bool headerless);
    /// "transmit,channel,sample", slowest first, and their sizes, "-1,64,340"; -1: as many as the
    /// file holds.
    QString axes() const { return listed(true); }
    QString shape() const { return listed(false); }
    void setAxes(const QString& axes, const QString& shape); ///< emits no signal

signals:
    void changed(); ///< by the user

private:
    struct AxisRow {
        QComboBox* role;
        QSpinBox* size;
    };
    QString listed(bool roles) const;
    void follow();
    void showWhatApplies();

    std::array<AxisRow, kMostAxes> m_axes{};
    bool m_headerless = true;
    std::size_t m_shownAxes = 0; ///< number of axes of the chosen array
    bool m_filling = false;
};

} // namespace echolux
