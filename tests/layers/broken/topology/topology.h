class Topology {
  int nodes_ = 0;
};
