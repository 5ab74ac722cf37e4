// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrum of the picked A-scan: as recorded over the camera's samples, and as resampled to
// equal steps of wavenumber.
#pragma once

#include "ui/plots/hint_plot.hpp"
#include "ui/plots/sticky_range.hpp"

#include <vector>

namespace echolux {

struct FringeData {
    QString title;          ///< "A-scan 12, 431 µm"
    QString unit = "codes"; ///< of the raw values
    std::vector<float> raw; ///< raw[sample]
    /// The same range of wavenumbers at equal steps. Point g lies at raw sample g raw.size() /
    /// remapped.size(). May be empty.
    std::vector<float> remapped;
    bool still = false; ///< from a frozen frame: the axes fit it at once
};

class FringePlot : public HintPlot {
    Q_OBJECT
public:
    explicit FringePlot(QWidget* parent = nullptr);
    void setData(const FringeData& fringe);
    void clear();

protected:
    void restyle() override;

private:
    QCPGraph* m_raw;
    QCPGraph* m_remapped;
    StickyRange m_rawRange;
    StickyRange m_remappedRange;
};

} // namespace echolux
