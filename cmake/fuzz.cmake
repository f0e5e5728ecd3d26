# Fuzz targets: filled in with the first .fuzz.cc
