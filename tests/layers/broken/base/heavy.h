#pragma once
#include <fmt/format.h>
#include <igraph.h>
#include <igraph_like>
