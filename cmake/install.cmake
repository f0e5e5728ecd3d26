# Filled in by the packaging commit.
