# Fuzz targets, each with a main that calls it with the files of corpus/; run.sh builds them for libFuzzer.
fuzz_shared = test/fuzz/fuzz.c test/fuzz/fuzz.h test/fuzz/replay.c
fuzz_programs = test/fuzz/replay_mm test/fuzz/replay_bytes test/fuzz/replay_hb test/fuzz/replay_owners \
	test/fuzz/replay_spec
test_fuzz_replay_mm_SOURCES     = test/fuzz/mm.c $(fuzz_shared)
test_fuzz_replay_bytes_SOURCES  = test/fuzz/bytes.c $(fuzz_shared)
test_fuzz_replay_hb_SOURCES     = test/fuzz/hb.c $(fuzz_shared)
test_fuzz_replay_owners_SOURCES = test/fuzz/owners.c $(fuzz_shared)
test_fuzz_replay_spec_SOURCES   = test/fuzz/spec.c $(fuzz_shared)
check_PROGRAMS += $(fuzz_programs)
TESTS          += test/fuzz/replay.sh
EXTRA_DIST     += test/fuzz/run.sh test/fuzz/replay.sh test/fuzz/mm.dict test/fuzz/hb.dict test/fuzz/corpus
