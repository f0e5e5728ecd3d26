// Stray routers: those of a file that no endpoint reaches, or that reach none, such as a switch that is not plugged in.
//
// Messages cannot pass them, so the network is what is left without them. Endpoints that nobody reaches stay, and are refused
// when the network is built.
#pragma once

#include <string>

#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {

/// Takes them away, with a remark that names them. Nothing without marked endpoints.
void leave_out_stray_routers(GraphTables& tables, const std::string& source);

}  // namespace quadrille
