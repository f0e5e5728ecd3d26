#include <cstdio>

#include "quadrille/verify/verify.h"
void speak() { std::printf("a test may"); }
