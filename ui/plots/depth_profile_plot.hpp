// SPDX-License-Identifier: GPL-3.0-or-later
// The finished A-scan over depth, with its highest peak and the peak's width.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <array>
#include <optional>
#include <vector>

namespace echolux {

struct AscanData {
    struct Width {
        double from = 0.0; ///< on the depth axis
        double to = 0.0;
    };
    struct Peak {
        double at = 0.0;
        double level = 0.0;
        std::optional<Width> fwhm;    ///< at -6.02 dB; empty where a side does not fall that low
        std::optional<Width> width20; ///< at -20 dB
    };
    QString title;
    std::vector<float> level;
    QString levelUnit = "dB";
    QString levelReference; ///< meaning of level 0, "1 code"; may be empty
    double start = 0.0;     ///< start of the depth axis
    double step = 1.0;
    QString depthName = "depth";
    QString depthUnit;        ///< empty: bins
    double shownFrom = -60.0; ///< range in which the levels are shown
    double shownTo = 0.0;
    std::optional<Peak> peak;
};

class DepthProfilePlot : public HintPlot {
    Q_OBJECT
public:
    explicit DepthProfilePlot(QWidget* parent = nullptr);
    void setData(const AscanData& ascan);
    void clear();
    /// "peak -12.3 dB at 431.2 µm" and "FWHM 7.1 µm   -20 dB 13.0 µm", or empty.
    QString peakText() const;
    QString widthText() const;

protected:
    void restyle() override;

private:
    void markPeak(const AscanData& ascan);

    QLabel* m_peakLabel;
    QLabel* m_widthLabel;
    QCPGraph* m_level;
    QCPGraph* m_top;
    std::array<QCPItemLine*, 2> m_widths; ///< at half maximum, at -20 dB
};

} // namespace echolux
