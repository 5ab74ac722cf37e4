// SPDX-License-Identifier: GPL-3.0-or-later
// The text header of NRRD files.
#pragma once

#include "app/dataset/formats/pictures/picture_file.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

class NrrdHeader {
public:
    /// Throws where the header has no end or no axes.
    explicit NrrdHeader(const InputFile& file);

    std::uint64_t end() const { return m_end; } ///< byte where attached samples begin
    Error wrong(const std::string& what) const;
    std::string field(const std::string& name) const; ///< empty where it is missing
    std::string key(const std::string& name) const;   ///< value of "name:=value"
    std::vector<std::int64_t> sizes() const;
    /// Direction of each axis; no value for an axis without one. Empty where the header gives no
    /// directions.
    std::vector<std::optional<std::array<double, 3>>> directions(std::size_t axes) const;
    std::array<double, 3> origin() const;
    /// One word per axis, without its quotes. The words are empty where the field is missing.
    std::vector<std::string> words(const std::string& name, std::size_t axes) const;
    /// One number per axis; 0 where the field is missing or NaN.
    std::vector<double> perAxis(const std::string& name, std::size_t axes) const;
    /// "mm" where the header gives no unit. "none" where it gives an empty unit.
    std::string unitOf(std::size_t spatialAxis, std::size_t axis) const;
    /// The lateral axis in degrees, where its unit is "deg".
    std::optional<PictureAxis> lateralInDegrees() const;
    /// The file that holds the samples, relative to the header; empty where they follow the header.
    std::string dataFile() const;
    /// Byte where the samples begin in `data` after "line skip" and "byte skip".
    std::uint64_t skipped(const InputFile& data, std::uint64_t begin, std::uint64_t bytes) const;

private:
    std::filesystem::path m_path;
    std::map<std::string, std::string> m_fields;
    std::map<std::string, std::string> m_keys;
    std::uint64_t m_end = 0;
};

} // namespace echolux
