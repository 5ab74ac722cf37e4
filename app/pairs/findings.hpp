// SPDX-License-Identifier: GPL-3.0-or-later
// What the checks of a pair are given, and where they say what they find. A check throws Error, as
// the product does, where the product refuses the pair.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/measure/measurement.hpp"
#include "app/pairs/scene_recordings.hpp"
#include "gpu/exec/exec.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace echolux::pairs {

/// Found by a check.
struct Findings {
    std::vector<measure::Figure> figures = {};
    std::vector<std::string> wrong = {}; ///< clauses

    void add(std::string id, double value, std::string unit) {
        figures.push_back({id, id, value, std::move(unit)});
    }
    void expect(bool holds, std::string otherwise) {
        if (!holds) wrong.push_back(std::move(otherwise));
    }
};

struct Task {
    Acquired acquired;
    SceneRecordings& recordings;
    Backend backend;

    std::filesystem::path file(Scene scene) const { return recordings.fileOf(acquired, scene); }
    std::unique_ptr<Recording> open(Scene scene) const; ///< with its levels, as commands open it
    SceneTruth truth(Scene scene) const { return truthOf(*acquired.array, scene); }
};

inline constexpr double kWavelengthM = 1540.0 / 5e6; ///< of all rows

// The checks. `name`: of the pipeline, measurement or ending.
void checkPoints(const Task& task, const std::string& name, Findings& found);
void checkSpeckle(const Task& task, const std::string& name, Findings& found);
void checkFlow(const Task& task, const std::string& name, Findings& found);
void checkPipeline(const Task& task, const std::string& name, Findings& found);
void checkMeasurement(const Task& task, const std::string& name, Findings& found);
void checkImageExport(const Task& task, const std::string& name, Findings& found);
void checkChannelExport(const Task& task, const std::string& name, Findings& found);

} // namespace echolux::pairs
