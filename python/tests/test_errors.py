"""What an InputError says in fields."""
import os
import pickle
import tempfile
import unittest

import networkx
import numpy

import quadrille


class Fields(unittest.TestCase):
    def refused(self, call):
        with self.assertRaises(quadrille.InputError) as caught:
            call()
        return caught.exception

    def test_an_argument_what_was_given_and_what_is_allowed(self):
        schedule = quadrille.plan("alltoall", "ring(4)")
        pod = networkx.Graph([("a", "b")])
        for call, argument, given, allowed in (
            (lambda: quadrille.plan("alltoal", "ring(4)"), "collective", "alltoal", "alltoall"),
            (lambda: quadrille.plan("alltoall", "rong(4)"), "topology", "rong", "ring"),
            (lambda: quadrille.plan("alltoall", "ring(4)", switching="x"), "switching", "x", "wormhole"),
            (lambda: quadrille.plan("alltoall", "ring(4)", packets="x"), "packets", "x", "many"),
            (lambda: quadrille.plan("allreduce", "ring(4)", chunks="x"), "chunks", "x", "in_order"),
            (lambda: quadrille.plan("alltoall", "ring(4)", queues="x"), "queues", "x", "any"),
            (lambda: quadrille.plan("alltoall", "ring(4)", send_ports=0), "send_ports", "0", "one"),
            (lambda: quadrille.plan("alltoall", "ring(4)", algorithm="x"), "algorithm", "x", "alltoall_direct"),
            (lambda: quadrille.plan("alltoall", "ring(4)", pieces="x"), "pieces", "x", "auto"),
            (lambda: quadrille.plan("broadcast", "ring(4)", root="x"), "root", "x", "0 to 3"),
            (lambda: quadrille.plan("alltoall", "ring(4)", bytes="4Q"), "bytes", "4Q", "KiB"),
            (lambda: quadrille.compare("alltoall", "ring(4)", ports="x"), "ports", "x", "all"),
            (lambda: quadrille.simulate(schedule, sync="x"), "sync", "x", "barrier"),
            (lambda: quadrille.sweep(schedule, seeds=0, stall="1us"), "seeds", "0", "a whole number from 1 on"),
            (lambda: schedule.to_svg("x"), "picture", "x", "space_time"),
            (lambda: schedule.to_svg(width=float("nan")), "width", "nan", "60 to 14400"),
            (lambda: schedule.to_svg("steps", steps=(9, 12)), "steps", "(9, 12)", "0 to 2"),
            (lambda: schedule.export("x"), "form", "x", "msccl"),
            (lambda: quadrille.topology("ring(4)").node("x"), "node", "x", "0 to 3"),
            (lambda: quadrille.topology([[0, 1], [1, 0]], endpoints=[5]), "endpoints", "5", "0 to 1"),
        ):
            with self.subTest(argument=argument, given=given):
                error = self.refused(call)
                self.assertEqual((error.argument, error.given), (argument, given), error)
                self.assertIn(allowed, error.allowed, error)
        for call, argument, given in (
            (lambda: quadrille.plan("alltoall", "ring(4)", root=1), "root", "1"),
            (lambda: quadrille.simulate(schedule, vcs=0), "vcs", "0"),
            (lambda: quadrille.topology(pod, switches="c*"), "switches", "c*"),
            (lambda: quadrille.topology(pod, unit="1GB/s"), "unit", "1GB/s"),
            (lambda: quadrille.topology("ring(4)", unit="1GB/s"), "unit", "1GB/s"),
            (lambda: quadrille.topology([[0, 0.5], [1, 0]]), "network", "float64"),
        ):
            with self.subTest(argument=argument, given=given):
                error = self.refused(call)
                self.assertEqual((error.argument, error.given), (argument, given), error)

    def test_a_place(self):
        error = self.refused(lambda: quadrille.plan("alltoall", "torus(4,x)"))
        self.assertEqual((error.argument, error.given), ("topology", "torus(4,x)"))
        self.assertEqual(error.where[:3], ("topology", 1, 9))
        self.assertTrue(error.where.excerpt.endswith("^"), error.where)
        text = quadrille.plan("alltoall", "ring(4)").to_text().replace("alltoall", "alltoal", 1)
        error = self.refused(lambda: quadrille.verify(text=text))
        self.assertEqual((error.where.source, error.where.line, error.argument), ("plan", 3, None))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.plan")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.assertEqual(self.refused(lambda: quadrille.verify(path)).where.source, path)
        error = self.refused(lambda: quadrille.plan("alltoall", "ring(4)", bytes="4Q"))
        self.assertIsNone(error.where.line)
        self.assertIn("4Q", error.where.excerpt)

    def test_what_is_about_no_argument(self):
        error = self.refused(lambda: quadrille.verify("/nowhere/a.plan"))
        self.assertEqual((error.argument, error.given, error.allowed, error.where), (None, None, [], None))

    def test_it_is_a_value_error_that_can_be_sent(self):
        error = self.refused(lambda: quadrille.plan("alltoall", "torus(4,x)"))
        self.assertIsInstance(error, ValueError)
        sent = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(sent), sent.argument, sent.where), (str(error), error.argument, error.where))


class Counts(unittest.TestCase):
    def test_a_matrix_is_one_for_the_ranks(self):
        three = numpy.ones((3, 3), dtype=int)
        self.assertEqual(quadrille.plan("alltoallv", "ring(3)", counts=three).num_blocks, 9)
        with self.assertRaisesRegex(quadrille.InputError, r"shape \(3, 3\).*4 rows and columns"):
            quadrille.plan("alltoallv", "ring(4)", counts=three)
        for wrong, given in ((three * 0.5, "float64"), (-three, "-1"), ([1, 2], "(2,)")):
            with self.assertRaises(quadrille.InputError) as caught:
                quadrille.plan("alltoallv", "ring(3)", counts=wrong)
            self.assertEqual((caught.exception.argument, caught.exception.given), ("counts", given))

    def test_entries_go_where_they_are(self):
        counts = [[0, 2, 0], [0, 0, 1], [0, 0, 0]]
        schedule = quadrille.plan("alltoallv", "ring(3)", counts=counts)
        ways = sorted(schedule.block(block)[:2] for block in range(schedule.num_blocks))
        self.assertEqual(ways, [(0, 1), (0, 1), (1, 2)])


if __name__ == "__main__":
    unittest.main()
