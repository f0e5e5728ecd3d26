"""Networks: specs, graphs, matrices, and what is said where something is wrong."""
import unittest

import networkx
import numpy

import quadrille


class Specs(unittest.TestCase):
    def test_a_torus_has_its_nodes_and_links(self):
        torus = quadrille.topology("torus(4,4)")
        self.assertEqual((torus.name, torus.num_nodes, torus.num_links, torus.num_endpoints), ("torus(4,4)", 16, 64, 16))
        self.assertEqual(torus.label(5), "(1,1)")
        self.assertEqual(torus.node("(1,1)"), 5)
        self.assertEqual(torus.node(5), 5)
        link = torus.link(0, 1)
        self.assertEqual((torus.tails[link], torus.heads[link]), (0, 1))
        numpy.testing.assert_array_equal(torus.capacities, numpy.ones(64))
        numpy.testing.assert_array_equal(numpy.bincount(torus.tails), numpy.full(16, 4))
        self.assertIsNone(torus.bandwidths)
        self.assertIs(quadrille.topology(torus), torus)
        self.assertEqual(repr(torus), "<Topology torus(4,4): 16 nodes, 64 links>")

    def test_arrays_are_read_only_and_outlive_the_network(self):
        tails = quadrille.topology("ring(5)").tails
        self.assertFalse(tails.flags.owndata)
        with self.assertRaises(ValueError):
            tails[0] = 3
        self.assertEqual(sorted(tails.tolist()), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])

    def test_what_is_wrong_is_said(self):
        with self.assertRaisesRegex(quadrille.InputError, r"torus\(4,x\)|whole number"):
            quadrille.topology("torus(4,x)")
        with self.assertRaises(ValueError):
            quadrille.topology("no_such_net(3)")
        with self.assertRaisesRegex(quadrille.InputError, "a spec says all"):
            quadrille.topology("ring(4)", unit="100Gbit/s")
        ring = quadrille.topology("ring(4)")
        with self.assertRaises(IndexError):
            ring.label(4)
        with self.assertRaisesRegex(quadrille.InputError, "no link leads from 0 to 2"):
            ring.link(0, 2)
        with self.assertRaises(TypeError):
            hash(ring)


class Graphs(unittest.TestCase):
    def test_a_graph_is_what_its_spec_is(self):
        graph = networkx.convert_node_labels_to_integers(networkx.hypercube_graph(3))
        self.assertTrue(quadrille.topology(graph) == quadrille.topology("hypercube(3)"))

    def test_nodes_keep_their_names(self):
        grid = quadrille.topology(networkx.grid_2d_graph(2, 3))
        self.assertEqual([grid.label(node) for node in range(6)], [str((i, j)) for i in range(2) for j in range(3)])

    def test_directions_capacities_and_attributes(self):
        graph = networkx.DiGraph()
        graph.add_edge("a", "b", capacity=3)
        graph.add_edge("b", "c", capacity=numpy.int64(2), weight=0.5)
        graph.add_edge("c", "a", colour=[1, 2])
        with self.assertWarnsRegex(UserWarning, "weight"):
            net = quadrille.topology(graph)
        self.assertEqual(net.num_links, 3)
        self.assertEqual(net.capacities[net.link(0, 1)], 3)
        self.assertEqual(net.capacities[net.link(1, 2)], 2)
        self.assertTrue(any("weight" in remark for remark in net.remarks), net.remarks)
        with self.assertRaises(quadrille.InputError):
            net.link(1, 0)

    def test_bandwidths_latencies_and_switches(self):
        graph = networkx.Graph()
        for gpu in range(4):
            graph.add_edge(f"gpu{gpu}", f"leaf{gpu // 2}", bandwidth="100Gbit/s", latency="2us")
        graph.add_edge("leaf0", "leaf1", bandwidth="200Gbit/s", latency="2us")
        graph.nodes["leaf0"]["type"] = graph.nodes["leaf1"]["type"] = "switch"
        for switches in ("leaf*", ["leaf0", "leaf1"], "type=switch"):
            net = quadrille.topology(graph, switches=switches)
            self.assertEqual([net.label(node) for node in net.endpoints], ["gpu0", "gpu1", "gpu2", "gpu3"])
            self.assertEqual(sorted(set(net.capacities.tolist())), [1, 2])
            self.assertEqual(sorted(set(net.bandwidths.tolist())), [12500.0, 25000.0])
            self.assertEqual(set(net.latencies.tolist()), {2.0})

    def test_what_is_wrong_is_said(self):
        with self.assertRaises(quadrille.InputError):
            quadrille.topology(networkx.Graph())
        with self.assertRaises(quadrille.InputError):
            quadrille.topology(networkx.Graph([("a", "b", {"capacity": "much"})]))
        with self.assertRaisesRegex(quadrille.InputError, "switches"):
            quadrille.topology(networkx.path_graph(3), endpoints=[0])


class Matrices(unittest.TestCase):
    def test_a_matrix_is_what_its_spec_is(self):
        ring = numpy.roll(numpy.eye(6, dtype=int), 1, axis=1)
        for matrix in (ring + ring.T, (ring + ring.T).tolist(), (ring + ring.T).astype(bool), (ring + ring.T) * 1.0):
            self.assertTrue(quadrille.topology(matrix) == quadrille.topology("ring(6)"))

    def test_entries_are_capacities_and_some_nodes_are_endpoints(self):
        net = quadrille.topology([[0, 3, 0], [1, 0, 2], [0, 2, 0]], endpoints=[0, 2])
        self.assertEqual(net.capacities[net.link(0, 1)], 3)
        self.assertEqual(net.capacities[net.link(1, 0)], 1)
        self.assertEqual(net.endpoints.tolist(), [0, 2])

    def test_what_is_wrong_is_said(self):
        for matrix, words in (
            ([[0, 1, 0], [1, 0, 1]], "shape"),
            (numpy.zeros((0, 0), dtype=int), "shape"),
            ([[0, 0.5], [0.5, 0]], "float64"),
            ([[0, -1], [1, 0]], "-1"),
            ([[1, 1], [1, 0]], "linked to itself"),
            ([[0, 2**33], [1, 0]], "8589934592"),
        ):
            with self.subTest(words), self.assertRaisesRegex(quadrille.InputError, words):
                quadrille.topology(matrix)
        with self.assertRaisesRegex(quadrille.InputError, "for graphs"):
            quadrille.topology([[0, 1], [1, 0]], switches="a")


if __name__ == "__main__":
    unittest.main()
