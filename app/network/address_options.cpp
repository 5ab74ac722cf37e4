// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/network/address_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace echolux {

AddressOptions::AddressOptions(const std::string& address, std::string_view text)
    : m_address(address) {
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(one.size() + 1, text.size()));
        const auto equals = one.find('=');
        if (equals == std::string_view::npos) throw refusal(one, "has no value");
        m_values.emplace(one.substr(0, equals), one.substr(equals + 1));
    }
}

void AddressOptions::take(const char* name, std::string& to) {
    const auto found = m_values.find(name);
    if (found == m_values.end()) return;
    to = found->second;
    m_values.erase(found);
}

std::string AddressOptions::takeWord(const char* name, const std::vector<std::string>& words) {
    std::string word;
    take(name, word);
    if (!word.empty() && std::ranges::find(words, word) == words.end())
        throw refusal(name, fmt::format("is none of {}", fmt::join(words, ", ")));
    return word;
}

void AddressOptions::checkAllTaken() const {
    if (!m_values.empty()) throw refusal(m_values.begin()->first, "is not known");
}

Error AddressOptions::refusal(std::string_view name, const std::string& what) const {
    return Error(fmt::format("'{}': {} {}; see echolux help live.", m_address, name, what));
}

HostAndPort HostAndPort::of(std::string_view text, const std::string& address, int usualPort) {
    HostAndPort found;
    found.port = usualPort;
    const bool bracketed = text.starts_with('[');
    const auto end = bracketed ? text.find(']') : text.rfind(':');
    const auto isNumber = [](std::string_view part) {
        return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    };
    std::string_view host = text;
    std::string_view port;
    if (bracketed && end != std::string_view::npos) {
        host = text.substr(1, end - 1);
        port = text.substr(end + 1);
        if (port.starts_with(':')) port.remove_prefix(1);
    } else if (!bracketed && end != std::string_view::npos) {
        host = text.substr(0, end);
        port = text.substr(end + 1);
    } else if (isNumber(text)) {
        host = {};
        port = text;
    }
    if (!host.empty()) found.host = host;
    if (port.empty()) return found;
    constexpr int kMostPort = 65535;
    const auto [last, error] = std::from_chars(port.data(), port.data() + port.size(), found.port);
    if (error != std::errc{} || last != port.data() + port.size() || found.port < 1 ||
        found.port > kMostPort)
        throw Error(fmt::format("'{}': '{}' is no port; give a number from 1 to {}.", address, port,
                                kMostPort));
    return found;
}

std::string HostAndPort::text() const {
    return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                               : fmt::format("[{}]:{}", host, port);
}

} // namespace echolux
