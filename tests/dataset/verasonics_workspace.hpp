// SPDX-License-Identifier: GPL-3.0-or-later
// Small Verasonics workspaces whose parts tests replace.
#pragma once

#include "tests/dataset/sample_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace echolux::test {

/// A workspace of four elements, two transmits and two frames, whose parts a test can replace.
class Workspace {
public:
    using Fields = std::map<std::string, std::function<matvar_t*()>>;
    Fields trans{{"units", text("mm")},
                 {"frequency", number(5)},
                 {"ElementPos", [] {
                      return MatBuilder::array<double>(
                          nullptr, {4, 4},
                          {-0.45, -0.15, 0.15, 0.45, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
                  }}};
    std::vector<Fields> tx{{{"Delay", row({0, 0, 0, 0})}}, {{"Delay", row({0, 0, 0, 0})}}};
    std::vector<Fields> receive{receiveOf(1, 1), receiveOf(1, 2), receiveOf(2, 1), receiveOf(2, 2)};
    std::vector<Fields> event{eventOf(1, 1), eventOf(2, 2), eventOf(1, 3), eventOf(2, 4)};
    std::function<matvar_t*(const char*)> data = [](const char* name) {
        return MatBuilder::array(name, {20, 4, 2}, countedUp<std::int16_t>(160));
    };
    /// Further struct arrays by their names.
    std::map<std::string, std::vector<Fields>> others;

    static std::function<matvar_t*()> number(double value) {
        return [value] { return MatBuilder::number(value); };
    }
    static std::function<matvar_t*()> row(std::vector<double> values) {
        return [values] { return MatBuilder::row(values); };
    }
    static std::function<matvar_t*()> text(std::string value) {
        return [value] {
            std::string letters = value;
            std::size_t dims[2] = {1, letters.size()};
            return Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF8, 2, dims, letters.data(), 0);
        };
    }
    static Fields receiveOf(int frame, int acquisition) {
        return {{"startSample", number(10 * acquisition - 9)},
                {"endSample", number(10 * acquisition)},
                {"startDepth", number(5)},
                {"framenum", number(frame)},
                {"decimSampleRate", number(20)},
                {"sampleMode", text("NS200BW")}};
    }
    static Fields eventOf(int tx, int receive) {
        return {{"tx", number(tx)}, {"rcv", number(receive)}};
    }

    std::filesystem::path write(const TemporaryFolder& folder, mat_ft version = MAT_FT_MAT5) const {
        const auto path = folder / "workspace.mat";
        MatBuilder mat(path, version, MAT_COMPRESSION_NONE);
        const auto add = [&](const char* name, const std::vector<Fields>& entries) {
            if (!entries.empty()) mat.add(structs(name, entries));
        };
        add("Trans", {trans});
        add("TX", tx);
        add("Receive", receive);
        add("Event", event);
        for (const auto& [name, entries] : others) add(name.c_str(), entries);
        if (data) mat.add(data("RcvData"));
        return path;
    }

private:
    static matvar_t* structs(const char* name, const std::vector<Fields>& entries) {
        std::vector<const char*> names;
        for (const auto& field : entries.front()) names.push_back(field.first.c_str());
        std::size_t dims[2] = {1, entries.size()};
        matvar_t* result =
            Mat_VarCreateStruct(name, 2, dims, names.data(), static_cast<unsigned>(names.size()));
        for (std::size_t i = 0; i < entries.size(); ++i)
            for (const auto& [field, make] : entries[i])
                Mat_VarSetStructFieldByName(result, field.c_str(), i, make());
        return result;
    }
};

class VerasonicsParts : public testing::Test {
protected:
    std::unique_ptr<Recording> open() { return openRecording(m_workspace.write(m_folder)); }
    std::string refusal() { return refusalOf(m_workspace.write(m_folder)); }
    std::shared_ptr<const Acquisition> acquisition() { return open()->info().frame.acquisition; }

    TemporaryFolder m_folder;
    Workspace m_workspace;
};

} // namespace echolux::test
