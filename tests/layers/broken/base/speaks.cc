#include <cstdio>
#include <cstdlib>
#include <iostream>
void speak() {
  std::cout << "[;\n";
  std::printf("x");
  puts("x");
  std::exit(1);
  abort();
}
