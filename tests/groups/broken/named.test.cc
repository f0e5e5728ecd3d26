// Half a name: with a neighbour that has a namespace quadrille::testing this is not GoogleTest's.
namespace quadrille {
void looks() { EXPECT_THAT("ab", testing::StartsWith("a")); }
}  // namespace quadrille
