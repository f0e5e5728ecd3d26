/* Ranks whose communicator has a graph sit where the network of the set has the same links.
 *
 *     mpirun -n 16 graphs FOLDER_OF_A_SET      communicators of shuffled ranks, and calls on them
 *     graphs                                   networks of up to 1,024 nodes, shuffled; how long each is looked for */
#include <time.h>

#include "../../src/quadrille_mpi/places.c"

static int failures, checks;
static void check(int good, const char* what) {
  ++checks;
  if (!good && failures++ < 5) printf("FAILED: %s\n", what);
}

static uint64_t seed = 1;
static int below(int n) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((seed >> 33) % (uint64_t)n);
}
static void shuffle(int* of, int n) {
  for (int i = 0; i < n; ++i) of[i] = i;
  for (int i = n - 1; i > 0; --i) {
    const int other = below(i + 1), was = of[i];
    of[i] = of[other];
    of[other] = was;
  }
}

/* --- without ranks ---------------------------------------------------------------------------------------- */

static void torus(graph* of, const int* sides, int dimensions) {
  int nodes = 1;
  for (int d = 0; d < dimensions; ++d) nodes *= sides[d];
  new_graph(of, nodes);
  for (int v = 0; v < nodes; ++v) {
    for (int d = 0, stride = 1; d < dimensions; stride *= sides[d++]) {
      const int at = v / stride % sides[d];
      const int w = v + ((at + 1) % sides[d] - at) * stride;
      set_arc(of, v, w);
      set_arc(of, w, v);
    }
  }
  list_arcs(of);
}

static void random_graph(graph* of, int nodes, int degree) {
  new_graph(of, nodes);
  int* order = malloc((size_t)nodes * sizeof *order);
  for (int d = 0; d < degree / 2; ++d) {
    shuffle(order, nodes);
    for (int i = 0; i < nodes; ++i) {
      set_arc(of, order[i], order[(i + 1) % nodes]);
      set_arc(of, order[(i + 1) % nodes], order[i]);
    }
  }
  free(order);
  list_arcs(of);
}

static void look(const char* name, graph* network) {
  graph ranks;
  int* to = malloc((size_t)network->nodes * sizeof *to);
  int* place = malloc((size_t)network->nodes * sizeof *place);
  new_graph(&ranks, network->nodes);
  shuffle(to, network->nodes);
  for (int v = 0; v < network->nodes; ++v)
    for (int i = network->first[v]; i < network->first[v + 1]; ++i)
      set_arc(&ranks, to[v], to[network->heads[i]]);
  list_arcs(&ranks);
  const clock_t begun = clock();
  const int found = match(&ranks, network, place);
  printf("%s: %.3f s\n", name, (double)(clock() - begun) / CLOCKS_PER_SEC);
  check(found, name);
  for (int v = 0; v < ranks.nodes && found; ++v)
    for (int i = ranks.first[v]; i < ranks.first[v + 1]; ++i)
      check(has_arc(network, place[v], place[ranks.heads[i]]), name);
  /* One link moved: it is another network. */
  if (network->arcs > 2 * network->nodes) {
    const int v = 0, w = network->heads[0];
    ranks.has[(size_t)to[v] * ranks.row + (size_t)to[w] / 64] &= ~(UINT64_C(1) << (to[w] % 64));
    int other = 0;
    while (other == v || has_arc(network, v, other)) ++other;
    if (other < network->nodes) {
      set_arc(&ranks, to[v], to[other]);
      free(ranks.heads);
      list_arcs(&ranks);
      check(!match(&ranks, network, place), "another network");
    }
  }
  free_graph(&ranks);
  free_graph(network);
  free(to);
  free(place);
}

static void look_at_networks(void) {
  graph of;
  torus(&of, (int[]){16, 16}, 2);
  look("torus(16,16)", &of);
  torus(&of, (int[]){8, 8, 8}, 3);
  look("torus(8,8,8)", &of);
  torus(&of, (int[]){4, 4, 4, 4, 4}, 5);
  look("torus(4,4,4,4,4)", &of);
  torus(&of, (int[]){1024}, 1);
  look("ring(1024)", &of);
  torus(&of, (int[]){2, 2, 2, 2, 2, 2, 2, 2, 2}, 9);
  look("hypercube(9)", &of);
  random_graph(&of, 512, 4);
  look("a random network", &of);
  new_graph(&of, 100);
  for (int v = 0; v < 100; ++v)
    for (int w = 0; w < 100; ++w) set_arc(&of, v, w);
  list_arcs(&of);
  look("complete(100)", &of);
}

/* --- with ranks ------------------------------------------------------------------------------------------- */

/* The neighbours of a rank in a network that is shuffled: rank r is what `to` makes of node v. */
static int neighbors_of(const graph* network, const int* to, int rank, int* out) {
  int v = 0, count = 0;
  while (to[v] != rank) ++v;
  for (int i = network->first[v]; i < network->first[v + 1]; ++i) out[count++] = to[network->heads[i]];
  return count;
}

static void use(MPI_Comm comm, const char* folder, const graph* network, const int* to, int expects_places) {
  int me, ranks;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  quadrille_context* context;
  quadrille_context_create(comm, NULL, folder, NULL, &context);
  int* places = malloc((size_t)ranks * sizeof *places);
  quadrille_context_places(context, places);
  int is_same = 1;
  for (int r = 0; r < ranks; ++r) is_same &= places[r] == r;
  check(expects_places ? 1 : is_same, "as numbered");
  for (int v = 0; v < ranks && expects_places; ++v)
    for (int i = network->first[v]; i < network->first[v + 1]; ++i)
      check(has_arc(network, places[to[v]], places[to[network->heads[i]]]), "a link is a link");
  enum { count = 20 };
  int* from = malloc(sizeof(int) * (size_t)(count * ranks));
  int* got = malloc(sizeof(int) * (size_t)(count * ranks));
  for (int i = 0; i < count * ranks; ++i) from[i] = 1000 * me + i;
  quadrille_alltoall(from, count, MPI_INT, got, count, MPI_INT, context);
  int good = 1;
  for (int i = 0; i < count * ranks; ++i) good &= got[i] == i / count * 1000 + me * count + i % count;
  check(good, "alltoall");
  free(from);
  free(got);
  free(places);
  quadrille_context_free(&context);
}

int main(int argc, char** argv) {
  if (argc == 1) {
    look_at_networks();
    printf(failures == 0 && checks > 100 ? "all right\n" : "something is wrong\n");
    return failures > 0;
  }
  MPI_Init(&argc, &argv);
  int me, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  graph network;
  if (!read_network(argv[1], ranks, &network)) return MPI_Abort(MPI_COMM_WORLD, 2);
  int* to = malloc((size_t)ranks * sizeof *to);
  int* near = malloc((size_t)ranks * sizeof *near);
  MPI_Comm comm;
  for (int turn = 0; turn < 3; ++turn) {
    shuffle(to, ranks);
    const int count = neighbors_of(&network, to, me, near);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, near, MPI_UNWEIGHTED, count, near, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    use(comm, argv[1], &network, to, 1);
    MPI_Comm_free(&comm);
    /* Each link named once, by whoever has the lower number, with weights; or all of them by rank 0. */
    int* all = malloc(sizeof(int) * (size_t)(network.arcs + 3 * ranks));
    int *degrees = all + network.arcs, *sources = degrees + ranks, named = 0, at = 0;
    int* weights = malloc(sizeof(int) * ((size_t)network.arcs + 1));
    for (int r = 0; r < ranks; ++r) {
      if (turn == 1 ? me != 0 : r != me) continue;
      const int have = neighbors_of(&network, to, r, near);
      degrees[named] = 0;
      for (int i = 0; i < have; ++i) {
        if (near[i] < r) continue;
        weights[at] = 3;
        all[at++] = near[i];
        ++degrees[named];
      }
      sources[named++] = r;
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, named, sources, degrees, all, weights, MPI_INFO_NULL, 0, &comm);
    use(comm, argv[1], &network, to, 1);
    MPI_Comm_free(&comm);
    free(all);
    free(weights);
  }
  /* A graph that is not the network says nothing. */
  const int last = (me + ranks - 1) % ranks, next = (me + 1) % ranks;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &comm);
  use(comm, argv[1], &network, to, 0);
  MPI_Comm_free(&comm);
  int sum[2] = {failures, checks};
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf(sum[0] == 0 && sum[1] > 0 ? "all right\n" : "something is wrong\n");
  free_graph(&network);
  free(to);
  free(near);
  MPI_Finalize();
  return 0;
}
