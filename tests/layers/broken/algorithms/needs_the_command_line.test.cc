#include "quadrille/cli/command.h"
