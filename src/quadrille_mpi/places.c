/* Where ranks sit, by the topology that their communicator has: a Cartesian one at its coordinates, one with a graph where the network of the
 * set has the same links. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

#ifndef QUADRILLE_SIMULATED

/* --- Cartesian ones --------------------------------------------------------------------------------------- */

enum { QD_MOST_SIDES = 16 };

/* The sides of a grid by its spec; 0 for another network. Nodes are numbered row by row, as MPI numbers a Cartesian
 * communicator. `wraps`: whether it has links round its ends. */
static int grid_of(const char* spec, int sides[QD_MOST_SIDES], int* wraps) {
  static const char* const names[] = {"torus(", "ring(", "mesh(", "line(", "hypercube("};
  int count = 0;
  for (int n = 0; n < 5; ++n) {
    const size_t length = strlen(names[n]);
    if (strncmp(spec, names[n], length) != 0) continue;
    *wraps = n < 2;
    for (const char* at = spec + length; count < QD_MOST_SIDES;) {
      char* end;
      const long side = strtol(at, &end, 10);
      if (end == at || side < 1 || side > INT32_MAX || (*end != ',' && strcmp(end, ")") != 0)) return 0;
      sides[count++] = (int)side;
      if (*end == ')') break;
      at = end + 1;
    }
    if (n != 4) return count;
    const int dimensions = sides[0];
    if (count != 1 || dimensions > QD_MOST_SIDES) return 0;
    for (int d = 0; d < dimensions; ++d) sides[d] = 2;
    return dimensions;
  }
  return 0;
}

/* A Cartesian communicator on a grid of the same sides, in whatever order: each rank sits at its coordinates. 0 where that is no
 * answer; the same on all ranks, which have the same communicator. */
static int places_on_grid(MPI_Comm comm, const char* spec, int size, int* node_of_rank) {
  int dimensions = 0, wraps, sides[QD_MOST_SIDES];
  const int count = grid_of(spec, sides, &wraps);
  PMPI_Cartdim_get(comm, &dimensions);
  int lengths[QD_MOST_SIDES], periods[QD_MOST_SIDES], here[QD_MOST_SIDES], of_side[QD_MOST_SIDES];
  if (count == 0 || dimensions < 1 || dimensions > QD_MOST_SIDES) return 0;
  PMPI_Cart_get(comm, dimensions, lengths, periods, here);
  int taken[QD_MOST_SIDES] = {0};
  int64_t nodes = 1;
  for (int s = 0; s < count; ++s) {
    nodes *= sides[s];
    int d = 0;
    while (d < dimensions && (taken[d] || lengths[d] != sides[s] || (wraps && sides[s] > 2 && !periods[d])))
      ++d;
    if (d == dimensions || nodes > size) return 0;
    taken[d] = 1;
    of_side[s] = d;
  }
  if (nodes != size) return 0;
  for (int r = 0; r < size; ++r) {
    PMPI_Cart_coords(comm, r, dimensions, here);
    node_of_rank[r] = 0;
    for (int s = 0; s < count; ++s) node_of_rank[r] = node_of_rank[r] * sides[s] + here[of_side[s]];
  }
  return 1;
}

/* --- graphs ----------------------------------------------------------------------------------------------- */

/* A network is looked for up to so many nodes, and by so many tries to put a rank on one: what is alike everywhere is found at
 * once, and what is not, is told apart by its neighbourhoods. */
enum { most_nodes = 4096 };
static const long most_tries = 4000000;

/* Arcs by their tails, each once and none to itself; `has` bit by bit. */
typedef struct {
  int nodes, arcs;
  int *first, *heads; /* of node v: first[v] to first[v + 1] */
  uint64_t* has;
  size_t row; /* words of a row of `has` */
} graph;

static int has_arc(const graph* of, int from, int to) {
  return (int)(of->has[(size_t)from * of->row + (size_t)to / 64] >> (to % 64) & 1);
}
static void set_arc(graph* of, int from, int to) {
  if (from != to) of->has[(size_t)from * of->row + (size_t)to / 64] |= UINT64_C(1) << (to % 64);
}

static void free_graph(graph* of) {
  free(of->first);
  free(of->heads);
  free(of->has);
  memset(of, 0, sizeof *of);
}

static int new_graph(graph* of, int nodes) {
  *of = (graph){.nodes = nodes, .row = ((size_t)nodes + 63) / 64};
  of->has = calloc((size_t)nodes * of->row + 1, sizeof *of->has);
  of->first = calloc((size_t)nodes + 1, sizeof *of->first);
  return of->has != NULL && of->first != NULL;
}

/* The lists, once all arcs are set. */
static int list_arcs(graph* of) {
  of->arcs = 0;
  for (int v = 0; v < of->nodes; ++v) {
    of->first[v] = of->arcs;
    for (int w = 0; w < of->nodes; ++w) of->arcs += has_arc(of, v, w);
  }
  of->first[of->nodes] = of->arcs;
  of->heads = malloc(((size_t)of->arcs + 1) * sizeof *of->heads);
  if (of->heads == NULL) return 0;
  for (int v = 0, at = 0; v < of->nodes; ++v)
    for (int w = 0; w < of->nodes; ++w)
      if (has_arc(of, v, w)) of->heads[at++] = w;
  return 1;
}

static int goes_both_ways(const graph* of) {
  for (int v = 0; v < of->nodes; ++v)
    for (int i = of->first[v]; i < of->first[v + 1]; ++i)
      if (!has_arc(of, of->heads[i], v)) return 0;
  return 1;
}

/* The network of a set: a line for each node, which has the nodes that it has links to. */
static int read_network(const char* folder, int nodes, graph* of) {
  char path[4096];
  if ((size_t)snprintf(path, sizeof path, "%s/network.txt", folder) >= sizeof path) return 0;
  FILE* file = fopen(path, "r");
  if (file == NULL) return 0;
  int found = 0, good = fscanf(file, "quadrille-network 1 nodes %d", &found) == 1 && found == nodes;
  char* line = NULL;
  size_t room = 0;
  good = good && getline(&line, &room, file) >= 0 && new_graph(of, nodes);
  for (int v = 0; v < nodes && good; ++v) {
    good = getline(&line, &room, file) >= 0;
    for (char* at = line; good;) {
      char* end;
      const long w = strtol(at, &end, 10);
      if (end == at) break;
      good = w >= 0 && w < nodes;
      if (good) set_arc(of, v, (int)w);
      at = end;
    }
  }
  free(line);
  fclose(file);
  return good && list_arcs(of);
}

static uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* What a node's neighbourhood looks like, ever further: the same numbers for what is alike. */
static void look_round(const graph* of, uint64_t* looks, uint64_t* next) {
  for (int v = 0; v < of->nodes; ++v) looks[v] = 1;
  for (int round = 0; round < 16; ++round) {
    for (int v = 0; v < of->nodes; ++v) next[v] = mixed(looks[v]);
    for (int v = 0; v < of->nodes; ++v) {
      for (int i = of->first[v]; i < of->first[v + 1]; ++i) {
        next[v] += mixed(looks[of->heads[i]] * 2 + 3);
        next[of->heads[i]] += mixed(looks[v] * 2 + 7) >> 1;
      }
    }
    memcpy(looks, next, (size_t)of->nodes * sizeof *looks);
  }
}

/* Nodes in an order in which each, if it can be, is a neighbour of one before it: its number in the order, and whom it follows
 * (-1: nobody). */
static void walk_over(const graph* of, int* order, int* follows, char* seen) {
  int known = 0;
  memset(seen, 0, (size_t)of->nodes);
  for (int begin = 0; known < of->nodes; ++begin) {
    if (seen[begin]) continue;
    seen[begin] = 1;
    order[known] = begin;
    follows[known++] = -1;
    for (int at = known - 1; at < known; ++at) {
      for (int i = of->first[order[at]]; i < of->first[order[at] + 1]; ++i) {
        const int w = of->heads[i];
        if (seen[w]) continue;
        seen[w] = 1;
        order[known] = w;
        follows[known++] = at;
      }
    }
  }
}

/* Whether rank v may sit on node x, beside the first `count` of the order, who have their places. */
static int fits(const graph* ranks, const graph* nodes, const int* order, const int* place, int count, int v,
                int x) {
  for (int i = 0; i < count; ++i) {
    const int other = order[i];
    if (has_arc(ranks, v, other) != has_arc(nodes, x, place[other]) ||
        has_arc(ranks, other, v) != has_arc(nodes, place[other], x))
      return 0;
  }
  return 1;
}

typedef struct {
  uint64_t *of_rank, *of_node, *next;
  int *order, *follows, *tried;
  char* taken;
} search_memory;

static int search(const graph* ranks, const graph* nodes, search_memory* in, int* place) {
  const int size = ranks->nodes;
  look_round(ranks, in->of_rank, in->next);
  look_round(nodes, in->of_node, in->next);
  walk_over(ranks, in->order, in->follows, in->taken);
  memset(in->taken, 0, (size_t)size);
  long tries = 0;
  int at = 0;
  in->tried[0] = -1;
  while (at >= 0 && at < size) {
    const int v = in->order[at];
    /* The nodes beside the place of whom it follows; the first of a part may sit anywhere. */
    const int beside = in->follows[at] < 0 ? -1 : place[in->order[in->follows[at]]];
    const int begin = beside < 0 ? 0 : nodes->first[beside];
    const int end = beside < 0 ? size : nodes->first[beside + 1];
    if (in->tried[at] >= 0) in->taken[place[v]] = 0;
    int next = in->tried[at] < 0 ? begin : in->tried[at] + 1;
    for (; next < end; ++next) {
      const int x = beside < 0 ? next : nodes->heads[next];
      if (in->taken[x] || in->of_rank[v] != in->of_node[x]) continue;
      if (++tries > most_tries) return 0;
      if (fits(ranks, nodes, in->order, place, at, v, x)) break;
    }
    if (next == end) {
      --at;
      continue;
    }
    place[v] = beside < 0 ? next : nodes->heads[next];
    in->taken[place[v]] = 1;
    in->tried[at] = next;
    if (++at < size) in->tried[at] = -1;
  }
  return at == size;
}

/* Puts each rank on a node so that arcs are arcs; 0 where there is no way, or none was found. */
static int match(const graph* ranks, const graph* nodes, int* place) {
  if (ranks->arcs != nodes->arcs) return 0;
  /* Who is numbered as the network is stays where he is. */
  if (memcmp(ranks->has, nodes->has, (size_t)ranks->nodes * ranks->row * sizeof *ranks->has) == 0) {
    for (int v = 0; v < ranks->nodes; ++v) place[v] = v;
    return 1;
  }
  const size_t size = (size_t)ranks->nodes + 1;
  search_memory in = {malloc(size * sizeof(uint64_t)),
                      malloc(size * sizeof(uint64_t)),
                      malloc(size * sizeof(uint64_t)),
                      malloc(size * sizeof(int)),
                      malloc(size * sizeof(int)),
                      malloc(size * sizeof(int)),
                      malloc(size)};
  const int found = in.of_rank && in.of_node && in.next && in.order && in.follows && in.tried && in.taken &&
                    search(ranks, nodes, &in, place);
  free(in.of_rank);
  free(in.of_node);
  free(in.next);
  free(in.order);
  free(in.follows);
  free(in.tried);
  free(in.taken);
  return found;
}

/* Rank 0's: the graph of a communicator, from all ranks. Collective. */
static int gather_graph(MPI_Comm comm, int rank, int size, graph* of) {
  int num_from = 0, num_to = 0, weighted;
  PMPI_Dist_graph_neighbors_count(comm, &num_from, &num_to, &weighted);
  int* neighbors = malloc(((size_t)num_from + (size_t)num_to + 1) * sizeof *neighbors);
  int* weights = malloc(((size_t)num_from + (size_t)num_to + 1) * sizeof *weights);
  int* counts = calloc((size_t)size + 1, 2 * sizeof *counts);
  int good = neighbors != NULL && weights != NULL && counts != NULL;
  qd_allreduce(&good, 1, MPI_INT, MPI_MIN, comm);
  int* all = NULL;
  good = good && !qd_is_late();
  if (good) {
    /* MPICH's MPI_UNWEIGHTED is data of its library, which a shim must do without; of a graph without weights none are written. */
    PMPI_Dist_graph_neighbors(comm, num_from, neighbors + num_to, weights, num_to, neighbors,
                              weights + num_from);
    /* Whom it sends to says it all: who hears from it has it among its sources. */
    qd_gather_int(num_to, counts, comm);
    int* places = counts + size;
    int64_t sum = 0;
    for (int r = 0; r < size && rank == 0; ++r) {
      places[r] = (int)sum;
      sum += counts[r];
    }
    if (rank == 0) {
      all = malloc(((size_t)sum + 1) * sizeof *all);
      good = all != NULL && sum < INT32_MAX && new_graph(of, size);
    }
    qd_bcast(&good, 1, MPI_INT, 0, comm);
    MPI_Request request;
    if (good && !qd_is_late() &&
        PMPI_Igatherv(neighbors, num_to, MPI_INT, all, counts, places, MPI_INT, 0, comm, &request) ==
            MPI_SUCCESS)
      qd_await(&request);
    /* What may still be written to stays. */
    if (qd_is_late()) return 0;
    for (int r = 0; r < size && good && rank == 0; ++r)
      for (int i = 0; i < counts[r]; ++i) set_arc(of, r, all[places[r] + i]);
  }
  free(all);
  free(counts);
  free(weights);
  free(neighbors);
  return good;
}

static int places_by_graph(MPI_Comm comm, const char* folder, int size, int* node_of_rank) {
  int rank;
  PMPI_Comm_rank(comm, &rank);
  if (size > most_nodes) return 0;
  graph ranks = {.nodes = 0}, nodes = {.nodes = 0};
  int found = gather_graph(comm, rank, size, &ranks);
  if (rank == 0 && found) {
    found = read_network(folder, size, &nodes);
    /* Of links that lead both ways a program may name one way alone. */
    if (found && goes_both_ways(&nodes)) {
      for (int v = 0; v < size; ++v)
        for (int w = 0; w < size; ++w)
          if (has_arc(&ranks, v, w)) set_arc(&ranks, w, v);
    }
    found = found && list_arcs(&ranks) && match(&ranks, &nodes, node_of_rank);
  }
  free_graph(&ranks);
  free_graph(&nodes);
  qd_bcast(&found, 1, MPI_INT, 0, comm);
  if (found) qd_bcast(node_of_rank, size, MPI_INT, 0, comm);
  return found && !qd_is_late();
}

#endif

int qd_find_places(MPI_Comm comm, const char* spec, const char* folder, int size, int* node_of_rank) {
#ifndef QUADRILLE_SIMULATED /* SimGrid has no MPI_Topo_test, and stops */
  int kind;
  if (PMPI_Topo_test(comm, &kind) != MPI_SUCCESS) return 0;
  if (kind == MPI_CART) return places_on_grid(comm, spec, size, node_of_rank);
  if (kind == MPI_DIST_GRAPH) return places_by_graph(comm, folder, size, node_of_rank);
#else
  (void)comm, (void)spec, (void)folder, (void)size, (void)node_of_rank;
#endif
  return 0;
}
