"""Simulated runs."""
import unittest

import numpy

import quadrille


class Runs(unittest.TestCase):
    def setUp(self):
        self.schedule = quadrille.plan(
            "alltoall", "mesh(4,4)", ports="one", switching="wormhole", algorithm="alltoall_mesh"
        )

    def test_without_contention_it_takes_the_closed_form(self):
        run = quadrille.simulate(self.schedule, bytes=1024, flit=16, cycle="2ns")
        self.assertEqual(run.contention, 0)
        self.assertIsNone(run.deadlock)
        self.assertEqual(run.time_us, run.cycles * 2 / 1000)
        self.assertEqual(run.cycles, run.delivered.max())
        # Flits go where the schedule's worms go.
        hops = numpy.diff(self.schedule.transfers.link_offsets)
        blocks = numpy.diff(self.schedule.transfers.block_offsets)
        self.assertEqual(run.flit_hops, int((hops * blocks).sum()) * 64)
        self.assertEqual(int(run.link_flits.sum()), run.flit_hops)

    def test_messages_are_there_after_they_began(self):
        run = quadrille.simulate(self.schedule, stall="300cycles", seed=7)
        self.assertEqual(len(run.sources), len(run.delivered))
        self.assertTrue((run.delivered > run.started).all())
        self.assertTrue((run.sources != run.destinations).all())
        self.assertLess(run.steps.max(), self.schedule.steps)
        again = quadrille.simulate(self.schedule, stall="300cycles", seed=7)
        numpy.testing.assert_array_equal(run.delivered, again.delivered)

    def test_barriers_keep_drifting_nodes_apart_and_nothing_does_not(self):
        kept = quadrille.sweep(self.schedule, seeds=20, stall="300cycles")
        self.assertEqual((kept.seeds, kept.with_contention, kept.deadlocks, kept.first_bad), (20, 0, 0, None))
        free = quadrille.sweep(self.schedule, seeds=20, stall="300cycles", sync="none")
        self.assertGreater(free.with_contention, 0)
        self.assertLess(free.least_us, kept.least_us)

    def test_a_deadlock_is_reported(self):
        ring = quadrille.plan("alltoall", "ring(8)", switching="wormhole", algorithm="alltoall_direct", ports="all")
        runs = (quadrille.simulate(ring, vcs=1, sync="none", buffers=1, stall="50cycles", seed=seed) for seed in range(40))
        stuck = [run for run in runs if run.deadlock]
        self.assertTrue(stuck, "one channel on a ring")
        circle = stuck[0].deadlock["circle"]
        self.assertGreaterEqual(len(circle), 2)
        self.assertEqual(set(circle[0]), {"node", "link", "channel", "message"})
        self.assertIn("deadlock in cycle", repr(stuck[0]))

    def test_store_and_forward(self):
        packets = quadrille.simulate(quadrille.plan("alltoall", "torus(4,4)"), store_and_forward=True)
        self.assertGreater(packets.cycles, 0)

    def test_what_is_wrong_is_said(self):
        for options, words in (
            ({"flit": 0}, "flit"),
            ({"cycle": "3"}, "unit"),
            ({"stall": "300"}, "unit"),
            ({"sync": "magic"}, "allowed are barrier"),
            ({"sync": "stated"}, "states nothing"),
            ({"vcs": 0}, "vcs"),
            ({"buffers": -1}, "buffers"),
        ):
            with self.subTest(words), self.assertRaisesRegex(quadrille.InputError, words):
                quadrille.simulate(self.schedule, **options)
        with self.assertRaisesRegex(quadrille.InputError, "--seeds"):
            quadrille.sweep(self.schedule, seeds=5, stall="0cycles")
        with self.assertRaises(TypeError):
            quadrille.sweep(self.schedule, seeds=5, stall="1us", colour=3)


if __name__ == "__main__":
    unittest.main()
