// SPDX-License-Identifier: GPL-3.0-or-later
// The section "Display": how pixel values become colours. A change here computes nothing again.
#pragma once

#include "ui/controls/collapsible_group.hpp"
#include "ui/parameters/param_row_widget.hpp"

#include <QString>

#include <vector>

namespace echolux {

struct DisplayChoice {
    QString colourMap = "gray"; ///< name in render/view/colour_map.hpp
    bool inverted = false;
    double min = -60.0; ///< value of the darkest colour, in the unit of setRangeLimits
    double max = 0.0;   ///< value of the brightest colour
    double gamma = 1.0; ///< exponent of the position between min and max
    bool smooth = true; ///< interpolate between pixels when zoomed in
    // Of views that are drawn over another one, see BlendSettings.
    double opacity = 1.0;
    double priority = 1.0;
    // Of views of flow, see ParticleSettings.
    bool particles = true; ///< drawn at all
    int particleCount = 150;
    double particlePace = 0.1;

    bool operator==(const DisplayChoice&) const = default;
};

class DisplayGroup : public CollapsibleGroup {
    Q_OBJECT
public:
    DisplayGroup(const RowColumns& columns, QWidget* parent = nullptr);
    /// Limits of min and max; their unit is "dB" or empty.
    void setRangeLimits(double lowest, double highest, const QString& unit);
    /// Shows the rows of views that are drawn over another one.
    void setBlends(bool blends);
    /// Shows the rows of particles.
    void setMoves(bool moves);
    void setSettings(const DisplayChoice& settings); ///< emits no signal
    void setDefaults(const DisplayChoice& settings); ///< values that the dots reset to
    void setRange(double min, double max);           ///< emits no signal
    const DisplayChoice& settings() const { return m_settings; }
    /// Selects the next colour map of the list; emits edited().
    void nextColourMap();
    ParamRowWidget* row(const QString& key) const;
    bool filter(const QString& needle) override;

signals:
    void edited(const echolux::DisplayChoice& settings);

private:
    void rebuild();
    void take(const QString& key, const ParamValue& value);
    void showPreviews();
    void refreshDot();
    bool showRows();

    RowColumns m_columns;
    double m_lowest = -120.0;
    double m_highest = 40.0;
    QString m_unit = "dB";
    DisplayChoice m_settings;
    DisplayChoice m_defaults;
    std::vector<ParamRowWidget*> m_rows;
    bool m_blends = false;
    bool m_moves = false;
    QString m_needle; ///< search text; empty where it matches the title
};

} // namespace echolux
