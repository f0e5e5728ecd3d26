"""Schedules: made, judged, as arrays, compared, drawn, exported."""
import gc
import html.parser
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
from fractions import Fraction

import numpy

import quadrille


def replayed(schedule):
    """Who holds which blocks in the end: the arrays alone, by the rules of packets."""
    net, arrays = schedule.topology, schedule.transfers
    blocks = schedule.num_blocks
    held = numpy.zeros((net.num_nodes, blocks), dtype=bool)
    for block in range(blocks):
        held[schedule.block(block)[0], block] = True
    for step in range(len(arrays.step_offsets) - 1):
        first, last = arrays.step_offsets[step : step + 2]
        before = held.copy()
        used = numpy.zeros(net.num_links, dtype=int)
        for transfer in range(first, last):
            (link,) = arrays.links[arrays.link_offsets[transfer] : arrays.link_offsets[transfer + 1]]
            used[link] += 1
            for block in arrays.blocks[arrays.block_offsets[transfer] : arrays.block_offsets[transfer + 1]]:
                assert before[net.tails[link], block]
                held[net.heads[link], block] = True
        assert (used <= net.capacities).all()
    return held


class Plans(unittest.TestCase):
    def test_a_plan_is_proved_and_says_what_it_is(self):
        schedule = quadrille.plan("total_exchange", "torus(4,4)", ports="all")
        self.assertEqual(schedule.collective, "alltoall")
        self.assertEqual((schedule.steps, schedule.figures.steps, schedule.num_blocks), (8, 8, 256))
        self.assertTrue(schedule.optimal)
        self.assertEqual(schedule.bound.least, 8)
        self.assertIsInstance(schedule.bound.value, Fraction)
        self.assertEqual(max(b.least for b in schedule.bounds if b.on == "steps"), 8)
        self.assertIsNone(schedule.time)
        self.assertIn("8 steps, optimal", repr(schedule))

    def test_arrays_replay_to_what_the_collective_wants(self):
        for spec, ports in (("torus(3,3)", "all"), ("ring(6)", "one"), ("mesh(2,3)", "2")):
            with self.subTest(spec):
                schedule = quadrille.plan("alltoall", spec, ports=ports)
                held = replayed(schedule)
                for block in range(schedule.num_blocks):
                    self.assertTrue(held[schedule.block(block)[1], block])

    def test_arrays_are_no_copies_and_outlive_the_schedule(self):
        schedule = quadrille.plan("alltoall", "ring(6)")
        transfers = schedule.transfers
        links, again = transfers.links, transfers.links
        self.assertTrue(numpy.shares_memory(links, again))
        self.assertFalse(links.flags.writeable)
        self.assertTrue(transfers.single)
        self.assertEqual(len(transfers), transfers.step_offsets[-1])
        self.assertEqual(len(links), schedule.figures.block_hops)
        total = int(links.sum())
        del schedule, transfers, again
        gc.collect()
        self.assertEqual(int(links.sum()), total)

    def test_worms_take_many_links(self):
        transfers = quadrille.plan("alltoall", "torus(4,4)", ports="one", switching="wormhole").transfers
        self.assertFalse(transfers.single)
        lengths = numpy.diff(transfers.link_offsets)
        self.assertGreater(lengths.max(), 1)
        self.assertEqual(lengths.sum(), len(transfers.links))

    def test_sums_and_copies_of_a_reduction(self):
        copies = quadrille.plan("allreduce", "ring(6)", bytes="1MiB").transfers.copies
        self.assertTrue(copies.any() and not copies.all())

    def test_sizes_choose_and_have_times(self):
        small = quadrille.plan("allreduce", "torus(4,4)", bytes=64, machine="links_400g")
        large = quadrille.plan("allreduce", "torus(4,4)", bytes="64MiB", machine="links_400g")
        self.assertGreater(large.pieces, small.pieces)
        self.assertLess(small.steps, large.steps)
        for schedule in (small, large):
            time = schedule.time
            parts = time.latency + time.messages + time.propagation + time.transfer + (time.rearrangement or 0)
            self.assertAlmostEqual(parts, time.total)
            self.assertLessEqual(time.least, time.total * (1 + 1e-9))
            self.assertEqual(schedule.unit, "us")

    def test_counts_are_a_matrix_or_a_file(self):
        counts = numpy.array([[0, 3, 0, 1], [0, 0, 2, 0], [5, 0, 0, 0], [0, 0, 0, 0]])
        schedule = quadrille.plan("alltoallv", "ring(4)", counts=counts)
        self.assertEqual(schedule.num_blocks, counts.sum())
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "counts.txt"
            numpy.savetxt(path, counts, fmt="%d")
            self.assertEqual(quadrille.plan("alltoallv", "ring(4)", counts=path).num_blocks, counts.sum())
        for wrong in ([[1, 2]], [[0.5, 1], [1, 0]], [[0, -1], [1, 0]]):
            with self.subTest(wrong), self.assertRaises(quadrille.InputError):
                quadrille.plan("alltoallv", "ring(2)", counts=wrong)

    def test_a_root_is_a_number_or_a_label(self):
        by_number = quadrille.plan("broadcast", "mesh(2,3)", root=4)
        by_label = quadrille.plan("broadcast", "mesh(2,3)", root="(1,1)")
        self.assertEqual(by_number.to_text(), by_label.to_text())
        self.assertEqual(by_number.block(0), (4,))

    def test_what_is_wrong_is_said(self):
        for arguments, words in (
            ({"ports": "no"}, "ports"),
            ({"switching": "frog"}, "packet"),
            ({"algorithm": "alltoall_nothing"}, "alltoall_nothing"),
            ({"pieces": 0}, "pieces"),
            ({"bytes": "12 apples"}, "bytes"),
            ({"gap": -1.0}, "gap"),
            ({"root": 3}, "root"),
        ):
            with self.subTest(words), self.assertRaisesRegex(quadrille.InputError, words):
                quadrille.plan("alltoall", "ring(4)", **arguments)
        with self.assertRaises(quadrille.InputError):
            quadrille.plan("alltonone", "ring(4)")
        with self.assertRaises(TypeError):
            quadrille.plan("alltoall", "ring(4)", colour="red")
        with self.assertRaises(IndexError):
            quadrille.plan("alltoall", "ring(4)").block(16)


class Judged(unittest.TestCase):
    def test_a_plan_comes_back_from_its_file(self):
        made = quadrille.plan("alltoall", "torus(3,3)")
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.plan", "a.json"):
                path = pathlib.Path(folder) / name
                made.save(path)
                read = quadrille.verify(path)
                self.assertEqual(read.figures.steps, made.steps)
                numpy.testing.assert_array_equal(read.transfers.links, made.transfers.links)
                self.assertEqual(path.read_text(encoding="utf-8"), made.to_text(name[2:]))
        self.assertEqual(quadrille.verify(text=made.to_text()).steps, made.steps)

    def test_a_bad_plan_is_an_exception_with_fields(self):
        lines = quadrille.plan("broadcast", "line(3)").to_text().split("\n")
        first = next(i for i, line in enumerate(lines) if ">" in line and "#" not in line)
        lines[first] = lines[first].replace("0>1", "1>2")
        with self.assertRaises(quadrille.PlanRejected) as caught:
            quadrille.verify(text="\n".join(lines))
        wrong = caught.exception
        self.assertIsInstance(wrong, ValueError)
        self.assertGreaterEqual(wrong.total, len(wrong.findings))
        finding = wrong.findings[0]
        self.assertEqual((finding.step, finding.transfer, finding.link), (0, 0, (1, 2)))
        self.assertTrue(finding.rule)
        self.assertIn(finding.message, str(wrong))

    def test_what_is_no_plan_is_said(self):
        with self.assertRaises(quadrille.InputError):
            quadrille.verify(text="hello")
        with self.assertRaises(quadrille.InputError):
            quadrille.verify("/nowhere/at/all.plan")
        with self.assertRaises(TypeError):
            quadrille.verify()


class Compared(unittest.TestCase):
    def test_by_steps_and_by_time(self):
        steps = quadrille.compare("alltoall", "torus(4,4)")
        self.assertEqual([each.steps for each in steps], sorted(each.steps for each in steps))
        self.assertIsInstance(steps[0], quadrille.ComparedSteps)
        costs = quadrille.compare("alltoall", "torus(4,4)", switching="wormhole", ports="one", ts=20, tx=0.1, bytes=4096)
        self.assertIsInstance(costs[0], quadrille.ComparedCost)
        self.assertEqual([each.time for each in costs], sorted(each.time for each in costs))
        sums = quadrille.compare("allreduce", "torus(4,4)", bytes="1MiB", machine="links_400g")
        self.assertGreater(max(each.pieces for each in sums), 1)
        best = quadrille.plan("allreduce", "torus(4,4)", bytes="1MiB", machine="links_400g")
        self.assertLessEqual(best.time.total, next(each.time for each in sums if not each.model_only) * (1 + 1e-9))
        with self.assertRaises(TypeError):
            quadrille.compare("alltoall", "ring(4)", colour="red")


class Shown(unittest.TestCase):
    def test_pictures_are_svg(self):
        schedule = quadrille.plan("alltoall", "mesh(3,3)")
        for picture in ("auto", "steps", "load", "space_time", "histogram"):
            with self.subTest(picture):
                root = xml.etree.ElementTree.fromstring(schedule.to_svg(picture))
                self.assertTrue(root.tag.endswith("svg"))
        self.assertTrue(schedule.topology._repr_svg_().lstrip().startswith("<"))
        self.assertTrue(schedule._repr_svg_().lstrip().startswith("<"))
        with self.assertRaisesRegex(quadrille.InputError, "allowed are auto"):
            schedule.to_svg("oil")
        with self.assertRaisesRegex(quadrille.InputError, "there is no step 99"):
            schedule.to_svg(steps=(99, 100))
        self.assertIsNone(quadrille.topology("torus(64,64,64)")._repr_svg_())

    def test_pages_hold_one_plan_or_several(self):
        one = quadrille.plan("alltoall", "ring(6)")
        page = one.to_html(bytes="64KiB")
        self.assertIn("<html", page)
        self.assertGreater(len(one.to_html(beside=[quadrille.plan("alltoall", "ring(6)", ports=1)])), len(page))
        self.assertEqual(quadrille.show(one, beside=[one, one]).html, one.to_html(beside=[one, one]))
        self.assertEqual(quadrille.show(one, beside=one).html, one.to_html(beside=[one]))
        with self.assertRaisesRegex(quadrille.InputError, "beside has 8 schedules; a page shows at most 7"):
            one.to_html(beside=[one] * 8)

    def test_a_page_shows_itself_in_notebooks(self):
        one = quadrille.plan("alltoall", "ring(6)")
        page = quadrille.show(one, bytes="64KiB", height=300)
        self.assertEqual(page.html, one.to_html(bytes="64KiB"))
        frames = []

        class Frames(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                frames.append((tag, dict(attributes)))

        Frames().feed(page._repr_html_())
        self.assertEqual([tag for tag, _ in frames], ["iframe"])
        self.assertEqual(frames[0][1]["srcdoc"], page.html)
        self.assertEqual(frames[0][1]["height"], "300")
        with tempfile.TemporaryDirectory() as folder:
            page.save(os.path.join(folder, "page.html"))
            with open(os.path.join(folder, "page.html"), encoding="utf-8") as file:
                self.assertEqual(file.read(), page.html)

    def test_links_of_steps_that_share_them_are_one_array(self):
        schedule = quadrille.plan("alltoall", "hypercube(4)", ports="all")
        arrays = schedule.transfers
        self.assertEqual(len(arrays.links), schedule.figures.transfers)
        self.assertEqual(len(arrays.links), len(arrays.blocks))
        self.assertIs(arrays.links.base.__class__, schedule.transfers.__class__)
        origins = [schedule.topology.tails[link] for link in arrays.links[: arrays.step_offsets[1]]]
        self.assertEqual(origins, [schedule.block(block)[0] for block in arrays.blocks[: len(origins)]])
        self.assertEqual(arrays.links.ctypes.data, schedule.transfers.links.ctypes.data)

    def test_forms_are_what_the_program_writes(self):
        schedule = quadrille.plan("allgather", "ring(4)")
        self.assertIn("<algo", schedule.export("msccl"))
        self.assertIn("num_ranks 4", schedule.export("goal", bytes="1KiB"))
        self.assertIn("graph", schedule.export("dot"))
        program = schedule.export("program")
        self.assertIsInstance(program, bytes)
        traces = schedule.export("chakra")
        self.assertEqual(len(traces), 4)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.qprog")
            self.assertIsNone(schedule.export("program", path=path))
            with open(path, "rb") as file:
                self.assertEqual(file.read(), program)
            schedule.export("chakra", path=os.path.join(folder, "trace"))
            self.assertEqual(sorted(os.listdir(folder)), sorted(["a.qprog"] + ["trace" + end for end in traces]))
        with self.assertRaisesRegex(quadrille.InputError, "allowed are .*msccl"):
            schedule.export("oil")


class Program(unittest.TestCase):
    def test_the_program_makes_the_same_plan(self):
        program = os.environ.get("QUADRILLE_PROGRAM")
        if not program:
            self.skipTest("QUADRILLE_PROGRAM is not set")
        with tempfile.TemporaryDirectory() as folder:
            for collective, spec, options in (
                ("alltoall", "torus(4,4)", {"ports": "one"}),
                ("allreduce", "random_regular(12,3;1)", {"bytes": "1MiB", "gap": "3%"}),
                ("broadcast", "fat_tree(2^3)", {"switching": "wormhole", "root": "3"}),
            ):
                path = os.path.join(folder, "a.plan")
                words = [word for name, value in options.items() for word in ("--" + name, value)]
                subprocess.run([program, "plan", collective, spec, *words, "-o", path], check=True, capture_output=True)
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), quadrille.plan(collective, spec, **options).to_text())


if __name__ == "__main__":
    unittest.main()
