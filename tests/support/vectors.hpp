// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the reference vectors that tests/*/vectors/make_*.py wrote.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace echolux::test {

class Vectors {
public:
    /// `path` below tests/, for example "gpu/vectors/image_stages.txt".
    explicit Vectors(const std::string& path) : m_path(path) {
        std::ifstream file(std::string(ECHOLUX_SOURCE_DIR) + "/tests/" + path);
        if (!file) throw std::runtime_error("tests/" + path + " is missing");
        for (std::string line; std::getline(file, line);) {
            if (line.starts_with('#')) continue;
            std::istringstream words(line);
            std::string name;
            words >> name;
            // NOTE: streams do not read "nan" and "inf", stof does.
            std::vector<float>& values = m_vectors[name];
            for (std::string word; words >> word;) values.push_back(std::stof(word));
        }
    }

    const std::vector<float>& operator[](const std::string& name) const {
        const auto found = m_vectors.find(name);
        if (found == m_vectors.end())
            throw std::runtime_error("tests/" + m_path + " has no '" + name + "'");
        return found->second;
    }

private:
    std::string m_path;
    std::map<std::string, std::vector<float>> m_vectors;
};

} // namespace echolux::test
