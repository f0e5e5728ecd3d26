// Reading counts from a file: how many blocks each endpoint has for each.
//
//     dense     0 3 0        a row for each sender, a number for each receiver; blanks, commas or semicolons between;
//               1 0 0        as many rows as the network has endpoints, in their order, or as it has nodes
//               0 2 0
//     sparse    from to count          the header line may be missing
//               0    1  3              nodes by number or label; a pair that is not there has 0
//               (1,0) (0,0) 1          a header may say src,dst,count or from,to,bytes in any order
//     named     ,a,b,c                 dense with a line and a column of names, as pandas writes it: nodes by name or number
//               a,0,3,0                (0, 1, 2, ..: places)
//     Matrix Market                    coordinate and array; integer, real or pattern; general or symmetric;
//                                      rows and columns, from 1, as those of a dense matrix
//
// A matrix of three numbers a line for a network of three endpoints, or nodes, is dense where it has three lines; a
// header makes it sparse. Where such lines may be either, a remark says how they were read. Text after '#' is a remark. Counts are whole numbers, however they are written (4, 4.0, 4e0).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/collective/counts.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Throws InputError with line and column for whatever is no such file, or does not fit the network. Memory is that
/// of the counts that are not 0. What the user should know of how it was read goes behind `remarks`, a sentence each.
[[nodiscard]] Counts read_counts(const Topology& topology, std::string_view text, std::string_view source,
                                 std::vector<std::string>* remarks = nullptr);

}  // namespace quadrille
