// SPDX-License-Identifier: GPL-3.0-or-later
// Reads numbers from the sidecar or the file and checks how many they are.
#include "app/dataset/sidecar/sidecar_numbers.hpp"

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/container/container.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace echolux {

Error SidecarNumbers::error(const std::string& what) const {
    return fileError(m_path, fmt::format("{}; correct the sidecar '{}'{}", what, m_sidecar.origin,
                                         m_doubt.empty() ? "" : " (" + m_doubt + ")"));
}

std::string withNumber(std::string text, const std::string& mark, std::int64_t number) {
    const std::size_t at = text.find(mark);
    return at == std::string::npos ? text : text.replace(at, mark.size(), std::to_string(number));
}

std::vector<std::string> SidecarNumbers::namesIn(const std::string& key,
                                                 const NumberSource& source) const {
    const std::string mark = "{transmit}";
    if (!source.names.empty()) return source.names;
    if (source.from.find(mark) == std::string::npos) return {source.from};
    constexpr std::int64_t kMostNames = 1 << 20;
    std::vector<std::string> names;
    for (std::int64_t i = m_sidecar.firstIndex; i < kMostNames; ++i) {
        std::string name = withNumber(source.from, mark, i);
        if (!m_container->has(name)) break;
        names.push_back(std::move(name));
    }
    if (names.empty())
        throw error(fmt::format("{} expects '{}', which is not there; the file holds {}", key,
                                withNumber(source.from, mark, m_sidecar.firstIndex),
                                m_container->list()));
    return names;
}

std::vector<double> SidecarNumbers::all(const std::string& key) const { return read(key, false); }

std::vector<double> SidecarNumbers::allOrNaN(const std::string& key) const {
    return read(key, true);
}

std::vector<double> SidecarNumbers::read(const std::string& key, bool mayBeNaN) const {
    const NumberSource& source = m_sidecar.numbers(key);
    if (!source.isNamed()) return source.values;
    if (m_container == nullptr)
        throw error(fmt::format("{} names '{}', but headerless binary has no names", key,
                                source.names.empty() ? source.from : source.names.front()));
    std::vector<double> values;
    for (const std::string& name : namesIn(key, source)) {
        const auto array = m_container->open(name);
        for (const double stored : readNumbers(m_path, *array, name)) {
            values.push_back(stored * source.scale);
            if (!std::isfinite(values.back()) && !(mayBeNaN && std::isnan(values.back())))
                throw error(
                    fmt::format("{} from '{}' holds a value that is no finite number", key, name));
        }
    }
    return values;
}

std::optional<std::vector<std::int64_t>> SidecarNumbers::shapeOf(const std::string& key) const {
    const NumberSource& source = m_sidecar.numbers(key);
    if (source.from.empty() || m_container == nullptr || !m_container->has(source.from))
        return std::nullopt;
    return m_container->open(source.from)->layout().shape;
}

double SidecarNumbers::one(const std::string& key, double fallback) const {
    if (!m_sidecar.has(key)) return fallback;
    const std::vector<double> values = all(key);
    if (values.size() != 1)
        throw error(fmt::format("{} must be one number, but has {}", key, values.size()));
    return values.front();
}

double SidecarNumbers::length(const std::string& key) const {
    const double metres = one(key, 0.0);
    if (metres < 0.0) throw error(fmt::format("{} is {:g} m, less than 0", key, metres));
    return metres;
}

std::int64_t SidecarNumbers::whole(const std::string& key, std::int64_t fallback,
                                   std::int64_t least, std::int64_t most) const {
    const double value = one(key, static_cast<double>(fallback));
    if (value != std::floor(value) || value < static_cast<double>(least) ||
        value > static_cast<double>(most))
        throw error(fmt::format("{} is {:g}, but must be a whole number from {} to {}", key, value,
                                least, most));
    return static_cast<std::int64_t>(value);
}

std::vector<double> SidecarNumbers::perTransmit(const std::string& key, double fallback,
                                                std::size_t count) const {
    if (!m_sidecar.has(key)) return std::vector<double>(count, fallback);
    std::vector<double> values = all(key);
    if (values.size() == 1) values.assign(count, values.front());
    if (values.size() != count)
        throw error(fmt::format("{} has {} entries, but the data have {} transmits", key,
                                values.size(), count));
    return values;
}

std::vector<Point> SidecarNumbers::points(const std::string& key, std::size_t count) const {
    const std::vector<double> values = all(key);
    if (values.size() != 3 * count)
        throw error(fmt::format("{} has {} numbers, but {} points need {}", key, values.size(),
                                count, 3 * count));
    const auto shape = shapeOf(key);
    const bool rows = shape && shape->size() == 2 && shape->front() == 3 && shape->back() != 3;
    const std::size_t step = rows ? 1 : 3;
    const std::size_t part = rows ? count : 1;
    std::vector<Point> result(count);
    for (std::size_t k = 0; k < count; ++k)
        result[k] = {values[k * step], values[k * step + part], values[k * step + 2 * part]};
    return result;
}

std::vector<double> SidecarNumbers::table(const std::string& key, std::size_t rows) const {
    const NumberSource& source = m_sidecar.numbers(key);
    const std::vector<double> values = all(key);
    if (!source.isNamed()) {
        if (source.rows != rows)
            throw error(fmt::format("{} must be {} lists of one length", key, rows));
        return values;
    }
    const std::vector<std::int64_t> shape = shapeOf(key).value_or(std::vector<std::int64_t>{});
    if (shape.size() != 2 || shape.front() != static_cast<std::int64_t>(rows))
        throw error(fmt::format("{} from '{}' has the shape [{}], but a table of {} rows is needed",
                                key, source.from, fmt::join(shape, ", "), rows));
    return values;
}

std::size_t SidecarNumbers::index(const std::string& key, double value, std::size_t count,
                                  double first) const {
    const double from = value - first;
    if (!(from >= 0.0) || from >= static_cast<double>(count) || from != std::floor(from))
        throw error(fmt::format("{} names element {:g}, but elements are counted from {:g} to {:g} "
                                "(transmit.first_element)",
                                key, value, first, first + static_cast<double>(count) - 1.0));
    return static_cast<std::size_t>(from);
}

} // namespace echolux
