"""What goes to other processes and comes back: pickles and copies."""
import concurrent.futures
import copy
import multiprocessing
import pickle
import unittest

import networkx
import numpy

import quadrille


def there_and_back(what):
    return pickle.loads(pickle.dumps(what))


def pod():
    graph = networkx.Graph()
    for gpu in range(4):
        graph.add_edge(f"gpu{gpu}", f"leaf{gpu // 2}", bandwidth="100Gbit/s", latency="2us")
    graph.add_edge("leaf0", "leaf1", bandwidth="200Gbit/s", latency="2us")
    return quadrille.topology(graph, switches="leaf*")


def rejected(text):
    return quadrille.verify(text=text)


class Networks(unittest.TestCase):
    def test_a_spec_comes_back_with_its_structure(self):
        again = there_and_back(quadrille.topology("torus(4,4)"))
        self.assertEqual(again, quadrille.topology("torus(4,4)"))
        self.assertEqual(again.name, "torus(4,4)")
        self.assertEqual(quadrille.plan("alltoall", again).algorithm, "alltoall_product_rounds")
        self.assertLess(len(pickle.dumps(quadrille.topology("torus(64,64)"))), 1000)

    def test_a_graph_comes_back_with_names_switches_and_rates(self):
        network = pod()
        again = there_and_back(network)
        self.assertEqual(again, network)
        self.assertEqual([again.label(v) for v in range(6)], [network.label(v) for v in range(6)])
        numpy.testing.assert_array_equal(again.endpoints, network.endpoints)
        numpy.testing.assert_array_equal(again.bandwidths, network.bandwidths)
        numpy.testing.assert_array_equal(again.latencies, network.latencies)
        times = [quadrille.plan("alltoall", each, bytes="64KiB").time.total for each in (again, network)]
        self.assertEqual(times[0], times[1])

    def test_a_matrix_comes_back(self):
        matrix = numpy.array([[0, 3, 0], [0, 0, 1], [2, 0, 0]])
        again = there_and_back(quadrille.topology(matrix, endpoints=[0, 2]))
        self.assertEqual(again, quadrille.topology(matrix, endpoints=[0, 2]))
        self.assertEqual(list(again.capacities), [3, 1, 2])


class Schedules(unittest.TestCase):
    def same(self, again, plan):
        self.assertEqual(again.to_text(), plan.to_text())
        self.assertEqual(again.reason, plan.reason)
        self.assertEqual(repr(again.time), repr(plan.time))
        self.assertEqual(repr(again.bounds), repr(plan.bounds))
        for name in ("steps", "pieces", "unit", "optimal", "algorithm", "model"):
            self.assertEqual(getattr(again, name), getattr(plan, name), name)
        numpy.testing.assert_array_equal(again.transfers.links, plan.transfers.links)
        numpy.testing.assert_array_equal(again.transfers.blocks, plan.transfers.blocks)

    def test_they_come_back_as_they_were(self):
        for plan in (
            quadrille.plan("alltoall", "torus(4,4)", ports="all"),
            quadrille.plan("alltoall", pod(), bytes="64KiB"),
            quadrille.plan("allreduce", "torus(4,4)", bytes="1MiB", machine="links_400g"),
            quadrille.plan("alltoall", "mesh(4,4)", ports="one", switching="wormhole"),
            quadrille.plan("broadcast", "ring(5)", root=3),
        ):
            with self.subTest(plan=repr(plan)):
                self.same(there_and_back(plan), plan)

    def test_transfers_bring_their_schedule(self):
        transfers = there_and_back(quadrille.plan("alltoall", "ring(5)").transfers)
        self.assertEqual(len(transfers), len(transfers.links))

    def test_a_spoilt_pickle_makes_no_schedule(self):
        whole = pickle.dumps(quadrille.plan("broadcast", "line(3)"))
        self.assertIn(b"0>1: 0", whole)
        with self.assertRaisesRegex(quadrille.InputError, "the judge rejects"):
            pickle.loads(whole.replace(b"0>1: 0", b"1>2: 0"))

    def test_copies_are_the_same_thing(self):
        plan = quadrille.plan("alltoall", "ring(5)")
        for what in (plan, plan.topology, plan.transfers):
            self.assertIs(copy.copy(what), what)
            self.assertIs(copy.deepcopy([what])[0], what)


class Rest(unittest.TestCase):
    def test_figures_times_and_comparisons(self):
        plan = quadrille.plan("alltoall", "ring(5)", bytes="1KiB")
        for what in (
            plan.figures,
            plan.time,
            quadrille.compare("alltoall", "ring(5)")[0],
            quadrille.compare("alltoall", "ring(5)", bytes="1KiB")[0],
        ):
            self.assertEqual(repr(there_and_back(what)), repr(what))

    def test_errors_keep_their_fields(self):
        with self.assertRaises(quadrille.InputError) as wrong:
            quadrille.plan("alltoall", "torus(4,4)", switching="cut")
        again = there_and_back(wrong.exception)
        self.assertEqual(str(again), str(wrong.exception))
        self.assertEqual((again.argument, again.allowed), ("switching", wrong.exception.allowed))
        with self.assertRaises(quadrille.PlanRejected) as bad:
            rejected(quadrille.plan("broadcast", "line(3)").to_text().replace("0>1", "1>2"))
        again = there_and_back(bad.exception)
        self.assertEqual((again.findings, again.total), (bad.exception.findings, bad.exception.total))
        self.assertEqual(str(again), str(bad.exception))

    def test_other_processes_plan_and_judge(self):
        text = quadrille.plan("broadcast", "line(3)").to_text().replace("0>1", "1>2")
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
            plan = pool.submit(quadrille.plan, "alltoall", pod(), bytes="64KiB").result(timeout=60)
            self.assertEqual(plan.to_text(), quadrille.plan("alltoall", pod(), bytes="64KiB").to_text())
            with self.assertRaises(quadrille.PlanRejected):
                pool.submit(rejected, text).result(timeout=60)


if __name__ == "__main__":
    unittest.main()
