// SPDX-License-Identifier: GPL-3.0-or-later
// Reads numbers from the sidecar or the file and counts them.
#include "app/dataset/sidecar/sidecar_numbers.hpp"

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/container/container.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace echolux {

Error SidecarNumbers::error(const std::string& what) const {
    return fileError(m_path, fmt::format("{}; correct the sidecar '{}'{}", what, m_origin,
                                         m_doubt.empty() ? "" : " (" + m_doubt + ")"));
}

std::vector<double> SidecarNumbers::all(const std::string& key, const NumberSource& source) const {
    if (source.from.empty()) return source.values;
    if (m_container == nullptr)
        throw error(
            fmt::format("{} names '{}', but headerless binary has no names", key, source.from));
    const auto array = m_container->open(source.from);
    std::vector<double> values = readNumbers(m_path, *array, source.from);
    for (double& value : values) {
        value *= source.scale;
        if (!std::isfinite(value))
            throw error(fmt::format("{} from '{}' holds a value that is no finite number", key,
                                    source.from));
    }
    return values;
}

double SidecarNumbers::one(const std::string& key, const NumberSource& source,
                           double fallback) const {
    if (!source.given()) return fallback;
    const std::vector<double> values = all(key, source);
    if (values.size() != 1)
        throw error(fmt::format("{} must be one number, but has {}", key, values.size()));
    return values.front();
}

double SidecarNumbers::length(const std::string& key, const NumberSource& source) const {
    const double metres = one(key, source, 0.0);
    if (metres < 0.0) throw error(fmt::format("{} is {:g} m, less than 0", key, metres));
    return metres;
}

std::int64_t SidecarNumbers::whole(const std::string& key, const NumberSource& source,
                                   std::int64_t fallback, std::int64_t least,
                                   std::int64_t most) const {
    const double value = one(key, source, static_cast<double>(fallback));
    if (value != std::floor(value) || value < static_cast<double>(least) ||
        value > static_cast<double>(most))
        throw error(fmt::format("{} is {:g}, but must be a whole number from {} to {}", key, value,
                                least, most));
    return static_cast<std::int64_t>(value);
}

std::vector<double> SidecarNumbers::perTransmit(const std::string& key, const NumberSource& source,
                                                double fallback, std::size_t count) const {
    if (!source.given()) return std::vector<double>(count, fallback);
    std::vector<double> values = all(key, source);
    if (values.size() == 1) values.assign(count, values.front());
    if (values.size() != count)
        throw error(fmt::format("{} has {} entries, but the data have {} transmits", key,
                                values.size(), count));
    return values;
}

std::vector<Point> SidecarNumbers::points(const std::string& key, const NumberSource& source,
                                          std::size_t count) const {
    const std::vector<double> values = all(key, source);
    if (values.size() != 3 * count)
        throw error(fmt::format("{} has {} numbers, but {} points need {}", key, values.size(),
                                count, 3 * count));
    bool rows = false;
    if (!source.from.empty()) {
        const auto array = m_container->open(source.from);
        const auto& shape = array->layout().shape;
        rows = shape.size() == 2 && shape[0] == 3 && shape[1] != 3;
    }
    const std::size_t step = rows ? 1 : 3;
    const std::size_t part = rows ? count : 1;
    std::vector<Point> result(count);
    for (std::size_t k = 0; k < count; ++k)
        result[k] = {values[k * step], values[k * step + part], values[k * step + 2 * part]};
    return result;
}

std::vector<double> SidecarNumbers::table(const std::string& key, const NumberSource& source,
                                          std::size_t rows) const {
    const std::vector<double> values = all(key, source);
    if (source.from.empty()) {
        if (source.rows != rows)
            throw error(fmt::format("{} must be {} lists of one length", key, rows));
        return values;
    }
    const std::vector<std::int64_t> shape = m_container->open(source.from)->layout().shape;
    if (shape.size() != 2 || shape.front() != static_cast<std::int64_t>(rows))
        throw error(fmt::format("{} from '{}' has the shape [{}], but a table of {} rows is needed",
                                key, source.from, fmt::join(shape, ", "), rows));
    return values;
}

std::size_t SidecarNumbers::index(const std::string& key, double value, std::size_t count) const {
    if (value < 0.0 || value >= static_cast<double>(count) || value != std::floor(value))
        throw error(fmt::format("{} names element {:g}, but elements are counted from 0 to {}", key,
                                value, count - 1));
    return static_cast<std::size_t>(value);
}

} // namespace echolux
