// SPDX-License-Identifier: GPL-3.0-or-later
// The delay-and-sum problems of `echolux bench das`, and their measurement.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/exec/exec.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

/// Random samples of a known geometry. A point is one sample read for one pixel. There are pixels x
/// channels x transmits x frames of them; of transmits that image lines of their own, one counts.
/// Points count whether or not the f-number excludes the element.
struct DasProblem {
    std::string id;
    std::string what;
    FrameSpec input; ///< one frame
    BeamformParams params;
    int frames = 1;

    das::Model model() const { return das::makeModel(input, params); }
    double points() const;
};

/// All problems. `reduced` (for the CPU): at most 5 transmits, 1 frame.
std::vector<DasProblem> dasProblems(bool reduced);

struct DasResult {
    std::string problem;
    std::string variant; ///< variant of the kernel; empty on the CPU
    double sumMs = 0.0;  ///< median of one image, or of all images of an ensemble
    double packMs = 0.0; ///< median time to arrange the samples, in addition to sumMs; 0 on the CPU
    double pointsPerSecond = 0.0; ///< from sumMs
    /// Greatest difference from the reference divided by its greatest magnitude.
    double deviation = 0.0;
};

class DasBench {
public:
    /// `repeat`: number of timed runs, after three untimed ones.
    DasBench(const Exec& exec, int repeat) : m_exec(exec), m_repeat(repeat) {}
    /// The sum that the stage would choose; in a sweep on CUDA also all that could stand in its
    /// place: other divisions of its work, frame by frame, without windows, pixel by pixel.
    std::vector<DasResult> run(const DasProblem& problem, bool sweep) const;

private:
    template <class Sample>
    std::vector<DasResult> runAs(const DasProblem& problem, bool sweep) const;
    Exec m_exec;
    int m_repeat;
};

} // namespace echolux
