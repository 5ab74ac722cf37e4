// SPDX-License-Identifier: GPL-3.0-or-later
// The part of an address behind '?': NAME=VALUE, with '&' between.
#pragma once

#include "gpu/core/error.hpp"

#include <charconv>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// Each value is taken once; what is left over is refused.
class AddressOptions {
public:
    /// `address`: for errors. `text`: behind the '?'. Throws Error where a name has no value.
    AddressOptions(const std::string& address, std::string_view text);

    void take(const char* name, std::string& to);
    /// Throws Error where the value is no number.
    template <class Number> void take(const char* name, Number& to, double unit = 1.0) {
        std::string text;
        take(name, text);
        if (text.empty()) return;
        Number value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size())
            throw refusal(name, "is no number");
        to = static_cast<Number>(static_cast<double>(value) * unit);
    }
    bool has(const char* name) const { return m_values.contains(name); }
    /// Empty where the address does not have it. Throws Error for other words.
    std::string takeWord(const char* name, const std::vector<std::string>& words);
    void checkAllTaken() const; ///< Throws Error that names what is left.
    Error refusal(std::string_view name, const std::string& what) const;

private:
    std::string m_address;
    std::map<std::string, std::string, std::less<>> m_values;
};

/// HOST:PORT. A part may be missing: "18944", "scanner", "".
struct HostAndPort {
    std::string host = "127.0.0.1";
    int port = 0;

    /// Throws Error, which names `address`, where the port is no number from 1 to 65535. An address
    /// of IPv6 stands in brackets.
    static HostAndPort of(std::string_view text, const std::string& address, int usualPort);
    std::string text() const;
};

} // namespace echolux
