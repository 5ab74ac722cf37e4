// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Singular values" at work: values of the shown ensemble, and the stage's thresholds
// dragged there.
#pragma once

#include "app/tools/singular_values/look.hpp"

#include <QObject>

#include <memory>

namespace echolux {

class SingularPlot;
class Workbench;

/// Asks for the values at the pace of measuring, only while the dock is in sight.
class SingularTool : public QObject {
    Q_OBJECT
public:
    using Looks = LookList<SingularLook>;

    SingularTool(SingularPlot& plot, Workbench& bench);

private:
    void forget(); ///< what was found
    void follow();
    void show(const StageState& stage);
    void editKept(int first, int last);

    SingularPlot& m_plot;
    Workbench& m_bench;
    std::shared_ptr<const SingularValues> m_shown;
};

} // namespace echolux
