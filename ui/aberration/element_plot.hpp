// SPDX-License-Identifier: GPL-3.0-or-later
// One number per element: a curve over a line of elements, a map with its scale over a matrix.
#pragma once

#include "ui/aberration/aberration_values.hpp"
#include "ui/plots/hint_plot.hpp"
#include "ui/plots/sticky_range.hpp"

#include <optional>

class QComboBox;

namespace echolux {

class ElementPlot : public HintPlot {
    Q_OBJECT
public:
    enum class Scale {
        Signed,  ///< 0 in the middle, as far as the values reach
        Portion, ///< 0 to 1
    };
    /// What a matrix's map shows; a line has both curves.
    enum class Shown { Found, Truth, Difference };

    /// `unit` may be empty.
    ElementPlot(const QString& title, const QString& unit, Scale scale, QWidget* parent = nullptr);
    /// `truth` where it is known; of as many places.
    void setValues(const ElementValues& values,
                   const std::optional<ElementValues>& truth = std::nullopt,
                   const QString& text = {});
    void clear();
    void forgetRange() { m_range.reset(); } ///< the next values are of another kind
    const ElementValues& values() const { return m_values; }
    bool isMap() const { return hasData() && !m_values.isLine(); }
    bool hasTruth() const { return m_truth.has_value(); }
    /// Of curves of which there are two.
    bool hasLegend() const { return hasTruth() && !isMap(); }
    QComboBox& chooser() { return *m_shown; }
    double limit() const { return m_limit; } ///< of the axis or the colour scale

protected:
    void restyle() override;

private:
    void show();
    void showCurves();
    void showMap();
    double largest() const;

    QString m_unit;
    Scale m_scaleKind;
    QComboBox* m_shown;
    QCPGraph* m_curve;
    QCPGraph* m_truthCurve;
    QCPColorMap* m_map;
    QCPColorScale* m_colours;
    ElementValues m_values;
    std::optional<ElementValues> m_truth;
    StickyRange m_range{8}; ///< estimates come a few times a second
    double m_limit = 1.0;
};

} // namespace echolux
