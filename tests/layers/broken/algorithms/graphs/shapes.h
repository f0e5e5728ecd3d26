struct Shape {
  int sides = 0;
};
