// SPDX-License-Identifier: GPL-3.0-or-later
// One number per element: a curve for a line of elements, a map with a colour scale for a matrix.
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
        Signed,  ///< 0 in the middle; both ends at the largest magnitude
        Portion, ///< 0 to 1
    };
    /// The values that the map of a matrix array shows. A linear array always shows both curves.
    enum class Shown { Found, Truth, Difference };

    /// `unit` may be empty.
    ElementPlot(const QString& title, const QString& unit, Scale scale, QWidget* parent = nullptr);
    /// `truth`: the true values where they are known, with the same number of places.
    void setValues(const ElementValues& values,
                   const std::optional<ElementValues>& truth = std::nullopt,
                   const QString& text = {});
    void clear();
    void forgetRange() { m_range.reset(); } ///< call before values of another kind
    const ElementValues& values() const { return m_values; }
    bool isMap() const { return hasData() && !m_values.isLine(); }
    bool hasTruth() const { return m_truth.has_value(); }
    /// True where two curves are drawn.
    bool hasLegend() const { return hasTruth() && !isMap(); }
    QComboBox& chooser() { return *m_shown; }
    double limit() const { return m_limit; } ///< limit of the axis or the colour scale

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
    StickyRange m_range{8}; ///< estimates arrive a few times a second
    double m_limit = 1.0;
};

} // namespace echolux
