// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Contributions": what each element adds to the selected pixel of the shown frame.
#pragma once

#include "app/desktop/workbench/probe_runner.hpp"

#include <QObject>

#include <memory>

namespace echolux {

class ContributionPlot;
class PixelTerms;
class Workbench;

/// Computes contributions only while its dock is visible, for the frame that is shown.
class ContributionsTool : public QObject {
    Q_OBJECT
public:
    ContributionsTool(ContributionPlot& plot, Workbench& bench);

private:
    void request();
    void compute();

    ContributionPlot& m_plot;
    Workbench& m_bench;
    ProbeRunner m_runner;
    std::shared_ptr<PixelTerms> m_terms; ///< used by the worker while it works
};

} // namespace echolux
