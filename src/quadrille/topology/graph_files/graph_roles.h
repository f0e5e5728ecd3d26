// Who is an endpoint of a graph from a file, and what of the file means nothing here.
#pragma once

#include <string>
#include <vector>

#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {

/// Makes nodes routers: all whose attribute has a value, "type=switch", or whose names are given, "spine3", or look like
/// it, "spine*" (? stands for one character). Throws InputError where a word says nothing of any node, with what it might
/// have said.
void mark_switches(GraphTables& tables, const std::string& source, const std::vector<std::string>& switches);

/// Which attributes mean nothing here, how many nodes or edges have them, and what could be done about it; empty if there
/// are none. What only says how a graph is drawn is passed over.
[[nodiscard]] std::string remark_on_attributes(const GraphTables& tables, const std::string& source,
                                               const std::vector<std::string>& switches);

}  // namespace quadrille
