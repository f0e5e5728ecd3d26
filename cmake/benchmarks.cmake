# Benchmarks: filled in with the first .perf.cc
