// SPDX-License-Identifier: GPL-3.0-or-later
// The page "On the image": the interpolators on the shown frame, where the pipeline runs.
#pragma once

#include "app/desktop/workbench/probe_runner.hpp"
#include "app/lab/interpolator.hpp"

#include <QObject>

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace echolux {

class ImageComparison;
class Workbench;
struct AmplitudeChain;
struct ComparedFrame;

/// Compares when the user asks for it, and says when pipeline or frame have changed since then.
class ImageComparer : public QObject {
    Q_OBJECT
public:
    ImageComparer(ImageComparison& page, Workbench& bench);
    ~ImageComparer() override;

private:
    void compare();
    void show(const ComparedFrame& compared, const ProbeOutcome& outcome);
    void forgetRecording();
    void showAge();

    ImageComparison& m_page;
    Workbench& m_bench;
    ProbeRunner m_runner;
    std::stop_source m_stop; ///< stops the comparison
    std::string m_madeKey;   ///< AmplitudeChain::key of the shown table without the interpolation
    std::int64_t m_madeFrame = -1;
    bool m_asked = false; ///< the user wants a comparison that has not begun
};

/// The interpolators of the table: those of the filter test that need no upsampling, the texture,
/// the longest sinc, and the one in use.
std::vector<lab::Interpolator> imagedInterpolators(const lab::Interpolator& used);

} // namespace echolux
