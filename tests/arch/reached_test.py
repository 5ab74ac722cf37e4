#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/reached.py finds the programs that a change reaches."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import reached  # noqa: E402

FILES = reached.read_files()
ALL = sorted(reached.programs())


def programs(*changed):
    return reached.reached(set(changed), FILES)


class Reached(unittest.TestCase):
    def test_what_is_no_source_reaches_none(self):
        self.assertEqual(programs("README.md", "testdata/phantom_cine.echolux.h5", "resources/help/flow.md"), [])

    def test_the_window_is_under_no_sanitizer(self):
        self.assertEqual(programs("app/desktop/desktop.cpp", "ui/theme/theme.cpp"), [])

    def test_how_it_is_built_reaches_all(self):
        for name in ("CMakeLists.txt", "app/cmake/echolux_build.cmake", "tests/run.sh", "tests/support/main.cpp"):
            self.assertEqual(programs(name), ALL, name)

    def test_a_source_reaches_the_tests_of_its_folder(self):
        self.assertEqual(programs("app/sound/" + next(path.name for path in (reached.ROOT / "app/sound").glob("*.cpp"))),
                         ["tests_sound"])

    def test_a_source_reaches_tests_that_include_its_header(self):
        found = programs("app/network/array_header.cpp")
        self.assertLessEqual({"tests_network", "tests_fuzz"}, set(found))
        self.assertNotIn("tests_dataset", found)

    def test_a_header_reaches_what_includes_it_over_others(self):
        self.assertGreater(len(programs("gpu/core/error.hpp")), 20)

    def test_a_test_reaches_its_program(self):
        self.assertEqual(programs("tests/pipeline/graph_edits_test.cpp"), ["tests_pipeline"])

    def test_tests_of_a_room_are_reached_by_the_folder_around_it(self):
        self.assertIn("tests_session_simulated", programs("app/session/session.cpp"))

    def test_without_a_history_nothing_is_known(self):
        self.assertIsNone(reached.changed_since("0" * 40))

    def test_every_program_has_tests(self):
        for name, folder in reached.programs().items():
            self.assertTrue(any(each.startswith(f"tests/{folder}/") for each in FILES), name)


if __name__ == "__main__":
    unittest.main()
