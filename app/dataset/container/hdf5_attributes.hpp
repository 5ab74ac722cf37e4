// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes and small tables of HDF5 files as C++ values. Writers throw std::runtime_error where
// HDF5 fails. Readers return nothing where the object is missing or has another kind or size.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace echolux::hdf5 {

/// Throws std::runtime_error where `status` is negative. `what` names the step.
hid_t require(hid_t status, const char* what);

Hdf5Handle simpleSpace(std::span<const hsize_t> extent);
/// How to create an object of `kind` (H5P_DATASET_CREATE, H5P_GROUP_CREATE, ...). It keeps no
/// times, with which the same content would have other bytes.
Hdf5Handle creation(hid_t kind);
std::vector<hsize_t> extentOf(hid_t dataset);

void writeText(hid_t at, const std::string& name, const std::string& text);
void writeTexts(hid_t at, const std::string& name, const std::vector<std::string>& texts);
/// Writes texts as a dataset, for any number of texts. writeTexts() is for the few texts of an
/// attribute.
void writeNames(hid_t at, const std::string& name, const std::vector<std::string>& names);
void writeReal(hid_t at, const std::string& name, double value);
void writeReals(hid_t at, const std::string& name, std::span<const double> values);
void writeInteger(hid_t at, const std::string& name, std::int64_t value);
void writeIntegers(hid_t at, const std::string& name, std::span<const std::int64_t> values);

std::optional<std::string> readText(hid_t at, const std::string& name);
std::optional<std::vector<std::string>> readTexts(hid_t at, const std::string& name);
std::optional<double> readReal(hid_t at, const std::string& name);
std::optional<std::vector<double>> readReals(hid_t at, const std::string& name);
std::optional<std::int64_t> readInteger(hid_t at, const std::string& name);
std::optional<std::vector<std::int64_t>> readIntegers(hid_t at, const std::string& name);

/// Empty where the dataset is missing or does not have `count` names.
std::optional<std::vector<std::string>> readNames(hid_t at, const std::string& name,
                                                  std::size_t count);

/// All text attributes of `at` in the order of their creation, at most 4096.
std::vector<std::pair<std::string, std::string>> readAllTexts(hid_t at);

/// Writes a dataset of doubles, row-major.
void writeTable(hid_t at, const std::string& name, std::span<const hsize_t> extent,
                std::span<const double> values);
/// Empty where the dataset is missing or has another extent.
std::optional<std::vector<double>> readTable(hid_t at, const std::string& name,
                                             std::span<const hsize_t> extent);

} // namespace echolux::hdf5
