// SPDX-License-Identifier: GPL-3.0-or-later
// Milliseconds of each stage as bars on one scale.
#pragma once

#include "ui/performance/readouts.hpp"
#include "ui/plots/sticky_range.hpp"

#include <QWidget>

#include <vector>

namespace echolux {

class StageBars : public QWidget {
    Q_OBJECT
public:
    explicit StageBars(QWidget* parent = nullptr);
    void setStages(const std::vector<StageTime>& stages);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// The name does not fit before the bar: it gets a line of its own.
    bool isLong(const StageTime& stage) const;
    int heightOf(const StageTime& stage) const;

    std::vector<StageTime> m_stages;
    StickyRange m_range{20};
};

} // namespace echolux
