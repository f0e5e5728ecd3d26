#include "quadrille/schedule/plan.h"
struct PlanLike;
void run(const Plan& plan);
