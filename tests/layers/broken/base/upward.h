#pragma once
#include "quadrille/topology/topology.h"
