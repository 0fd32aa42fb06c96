# Tests that are not one C file: headers alone, peers, install, fuzz.
