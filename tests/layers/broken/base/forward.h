class Topology;
struct Unknown;
