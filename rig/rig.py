#!/usr/bin/env python3
"""A network of links on one machine: a namespace for each node, a rate-limited pair of interfaces for each link. As root.

    rig/rig.py run "torus(4,4)" --mpi openmpi -- PROGRAM ARGUMENTS    builds it, runs the program on its endpoints, takes it down
    rig/rig.py up "mesh(4,4)" --rate 10mbit --ties parity             leaves it standing
    rig/rig.py counters                                               bytes that went over each link since
    rig/rig.py down                                                   removes it, and whatever runs in it

Any network that Quadrille knows, to 64 nodes, whose links go both ways. Routers forward only. Packets go along shortest paths: on tori and
meshes the last coordinate first; where two ways are as short, the positive one (`--ties positive`), or by the parity of
the node that sends (`--ties parity`); elsewhere to the neighbour of least number. README.md says why things are as they are.
"""
import argparse
import ctypes
import fcntl
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PREFIX = "quadrille-rig-"
HUB = PREFIX + "hub"
NAMESPACES = Path("/run/netns")
ETC = Path("/etc/netns")
STATE = Path("/run/quadrille-rig.json")
LOCK = Path("/run/quadrille-rig.lock")
CANNOT = 77  # what tests take for "skipped"
MOST_NODES = 64
BURST = 3100  # two packets: with one, a late timer loses tokens; more is sent for nothing
CLONE_NEWNET = 0x40000000
libc = ctypes.CDLL(None, use_errno=True)


class CannotBuild(Exception):
    """The machine has no such thing: said in a line."""


class BadInput(Exception):
    """What was asked for makes no sense: said in a line."""


def run(*command, words=None):
    done = subprocess.run([str(each) for each in command], input=words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CannotBuild(f"{' '.join(map(str, command[:6]))}: {(done.stderr or done.stdout).strip().splitlines()[:1]}")
    return done.stdout


def inside(namespace, work):
    """What `work` returns in a process of its own in the namespace; it must be JSON."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            with open(NAMESPACES / namespace, "rb") as file:
                if libc.setns(file.fileno(), CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), "setns")
            with os.fdopen(writing, "w") as pipe:
                json.dump(work(), pipe)
            status = 0
        except Exception as error:
            sys.stderr.write(f"{namespace}: {error}\n")
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    if os.waitpid(child, 0)[1] != 0:
        raise CannotBuild(f"{namespace}: its settings cannot be changed")
    return json.loads(text)


# --- networks -------------------------------------------------------------------------------------------------


def shape_of(spec):
    """Sides of a torus or mesh, and whether they are closed; nothing for other networks."""
    found = re.fullmatch(r"\s*(torus|mesh|ring|line)\s*\(([\d,\s]+)\)\s*", spec)
    if not found:
        return None
    return [int(side) for side in found.group(2).split(",")], found.group(1) in ("torus", "ring")


class Network:
    def __init__(self, spec, ties, program):
        asked = subprocess.run([str(program), "export", spec, "--to", "node-link", "-o", "-"], capture_output=True, text=True,
                               check=False)
        if asked.returncode != 0:
            raise BadInput(asked.stderr.strip())
        graph = json.loads(asked.stdout)
        if graph["directed"]:
            raise BadInput(f"{spec}: a rig has links that go both ways")
        self.spec, self.ties = spec, ties
        self.num_nodes = len(graph["nodes"])
        if self.num_nodes > MOST_NODES:
            raise BadInput(f"{spec} has {self.num_nodes} nodes; allowed are {MOST_NODES}")
        self.endpoints = [node["id"] for node in graph["nodes"] if node["endpoint"]]
        self.links = {(edge["source"], edge["target"]): edge["capacity"] for edge in graph["edges"]}
        self.neighbours = [[] for _ in range(self.num_nodes)]
        for a, b in self.links:
            self.neighbours[a].append(b)
            self.neighbours[b].append(a)
        for each in self.neighbours:
            each.sort()
        shape = shape_of(spec)
        self.next_hop = self._by_dimensions(*shape) if shape else self._by_distance()

    def arcs(self):
        return [arc for a, b in self.links for arc in ((a, b), (b, a))]

    def capacity(self, tail, head):
        return self.links.get((tail, head)) or self.links[head, tail]

    def path(self, tail, head):
        """Nodes from one to the other, both with them."""
        out = [tail]
        while out[-1] != head:
            out.append(self.next_hop[out[-1]][head])
        return out

    def _positive(self, node):
        return self.ties == "positive" or bin(node).count("1") % 2 == 0

    def _by_dimensions(self, sides, closed):
        strides = [1] * len(sides)
        for d in range(len(sides) - 2, -1, -1):
            strides[d] = strides[d + 1] * sides[d + 1]

        def step(node, head):
            for d in range(len(sides) - 1, -1, -1):
                here, there = node // strides[d] % sides[d], head // strides[d] % sides[d]
                if here == there:
                    continue
                ahead = (there - here) % sides[d]
                if closed:
                    coordinates = sum(node // s % n for s, n in zip(strides, sides))
                    positive = self.ties == "positive" or coordinates % 2 == 0
                    up = 2 * ahead < sides[d] or (2 * ahead == sides[d] and positive)
                else:
                    up = there > here
                return node + ((here + (1 if up else -1)) % sides[d] - here) * strides[d]
            return node

        return [[step(node, head) for head in range(self.num_nodes)] for node in range(self.num_nodes)]

    def _by_distance(self):
        out = [[None] * self.num_nodes for _ in range(self.num_nodes)]
        for head in range(self.num_nodes):
            distance, queue = {head: 0}, [head]
            for node in queue:
                for other in self.neighbours[node]:
                    if other not in distance:
                        distance[other] = distance[node] + 1
                        queue.append(other)
            for node in range(self.num_nodes):
                if node == head:
                    continue
                nearer = [each for each in self.neighbours[node] if distance.get(each, 1 << 30) == distance[node] - 1]
                out[node][head] = nearer[0] if self._positive(node) else nearer[-1]
        return out


# --- addresses ------------------------------------------------------------------------------------------------


def name_of(node):
    return f"{PREFIX}{node}"


def address(node, net=77):
    return f"10.{net}.{node // 200}.{node % 200 + 1}"


def station(tail, head):
    return f"02:77:{tail >> 8:02x}:{tail & 255:02x}:{head >> 8:02x}:{head & 255:02x}"


# --- up and down ----------------------------------------------------------------------------------------------


def offload(interface, command, on):
    """What ethtool does, by its call to the kernel."""
    SIOCETHTOOL = 0x8946
    value = ctypes.create_string_buffer(struct.pack("II", command, on))
    request = struct.pack("16sP", interface.encode(), ctypes.addressof(value))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as call:
        fcntl.ioctl(call, SIOCETHTOOL, request + bytes(40 - len(request)))


def settle(interfaces):
    """Inside a node: no IPv6, no segments that are cut late, receiving by a queue of its own, retransmissions only when due."""
    settings = {"ipv4/ip_forward": 1, "ipv4/conf/all/rp_filter": 0, "ipv4/conf/default/rp_filter": 0,
                "ipv6/conf/all/disable_ipv6": 1, "ipv4/tcp_early_retrans": 0, "ipv4/tcp_slow_start_after_idle": 0}
    for key, value in settings.items():
        path = Path("/proc/sys/net") / key
        if path.exists():
            path.write_text(str(value))
    for interface in interfaces:
        for command, on in ((0x1F, 0), (0x24, 0), (0x2C, 1)):  # TSO and GSO off; GRO on, which gives a veth its own ring
            offload(interface, command, on)
    return True


def rigged():
    return sorted(each.name for each in NAMESPACES.glob(PREFIX + "*")) if NAMESPACES.exists() else []


def processes_in(names):
    wanted = {os.stat(NAMESPACES / name).st_ino for name in names if (NAMESPACES / name).exists()}
    out = []
    for each in Path("/proc").iterdir():
        try:
            if each.name.isdigit() and os.stat(each / "ns/net").st_ino in wanted:
                out.append(int(each.name))
        except OSError:
            continue
    return out


def take_down():
    """Removes whatever is there, also what a crash left."""
    names = rigged()
    for _ in range(50):
        left = [each for each in processes_in(names) if each != os.getpid()]
        if not left:
            break
        for each in left:
            try:
                os.kill(each, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.05)
    for name in names:
        subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
        shutil.rmtree(ETC / name, ignore_errors=True)
    for each in ETC.glob(PREFIX + "*") if ETC.exists() else []:
        shutil.rmtree(each, ignore_errors=True)
    STATE.unlink(missing_ok=True)


def bits(rate):
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(k|m|g)?bit", rate)
    if not found:
        raise BadInput(f"--rate: '{rate}' is given; allowed is a number and kbit, mbit or gbit")
    return float(found.group(1)) * {None: 1, "k": 1e3, "m": 1e6, "g": 1e9}[found.group(2)]


class Rig:
    """A network that stands."""

    def __init__(self, network, rate):
        self.network, self.rate = network, rate

    @staticmethod
    def require():
        if os.geteuid() != 0:
            raise CannotBuild("namespaces need root")
        for tool in ("ip", "tc", "unshare", "chrt"):
            if not shutil.which(tool):
                raise CannotBuild(f"no {tool} is there")

    def up(self):
        self.require()
        take_down()
        try:
            self._build()
        except (CannotBuild, OSError) as error:
            take_down()
            raise CannotBuild(f"this machine cannot build the network: {error}") from error
        STATE.write_text(json.dumps({"spec": self.network.spec, "ties": self.network.ties, "rate": self.rate}))

    def _build(self):
        network, nodes = self.network, range(self.network.num_nodes)
        hosts = "127.0.0.1 localhost\n" + f"10.78.255.1 {HUB}\n" + "".join(f"{address(n, 78)} {name_of(n)}\n" for n in nodes)
        for name in [HUB, *map(name_of, nodes)]:
            run("ip", "netns", "add", name)
            (ETC / name).mkdir(parents=True, exist_ok=True)
            (ETC / name / "hosts").write_text(hosts)
        # Launchers have a network of their own: nothing but messages of ranks is on the links.
        lines = ["link set lo up", "link add name hub type bridge", "addr add 10.78.255.1/16 dev hub", "link set hub up"]
        for n in nodes:
            lines += [f"link add name n{n} type veth peer name hub netns {name_of(n)}", f"link set n{n} master hub", f"link set n{n} up"]
        run("ip", "-n", HUB, "-batch", "-", words="\n".join(lines) + "\n")
        for a, b in network.links:
            run("ip", "-n", name_of(a), "link", "add", "name", f"to{b}", "address", station(a, b), "type", "veth", "peer", "name",
                f"to{a}", "address", station(b, a), "netns", name_of(b))
        for n in nodes:
            self._set_up(n)

    def _set_up(self, n):
        network = self.network
        # A node's own address is on a bridge without ports: Open MPI does not use loopback.
        lines = ["link set lo up", f"addr add {address(n, 78)}/16 dev hub", "link set hub up",
                 "link add name id0 type bridge", f"addr add {address(n)}/16 dev id0", "link set id0 up"]
        lines += [f"link set to{other} up" for other in network.neighbours[n]]
        # Nobody asks who has an address: neighbours are told.
        lines += [f"neigh add {address(other)} lladdr {station(other, n)} dev to{other} nud permanent"
                  for other in network.neighbours[n]]
        for head in network.endpoints:
            if head != n:
                by = network.next_hop[n][head]
                lines.append(f"route add {address(head)}/32 via {address(by)} dev to{by} onlink src {address(n)} "
                             "congctl reno rto_min 3s initcwnd 64")
        run("ip", "-n", name_of(n), "-batch", "-", words="\n".join(lines) + "\n")
        shapers = [f"qdisc add dev to{other} root tbf rate {bits(self.rate) * network.capacity(n, other):.0f}bit "
                   f"burst {BURST} limit 8000000" for other in network.neighbours[n]]
        run("tc", "-n", name_of(n), "-batch", "-", words="\n".join(shapers) + "\n")
        inside(name_of(n), lambda: settle([f"to{other}" for other in network.neighbours[n]]))

    def counters(self):
        """Bytes that were sent over each link, by (tail, head)."""
        out = {}
        for n in range(self.network.num_nodes):
            text = inside(name_of(n), lambda: Path("/proc/thread-self/net/dev").read_text())
            for name, sent in re.findall(r"^\s*to(\d+):(?:\s+\d+){8}\s+(\d+)", text, re.MULTILINE):
                out[n, int(name)] = int(sent)
        return out

    def mishaps(self):
        """What must not have happened while something was measured: {"retransmissions": .., ..}, since the rig stands."""
        out = {"retransmissions": 0, "drops of links": 0}
        for n in range(self.network.num_nodes):
            text = inside(name_of(n), lambda: Path("/proc/thread-self/net/snmp").read_text())
            names, values = [line.split() for line in text.splitlines() if line.startswith("Tcp:")]
            out["retransmissions"] += int(values[names.index("RetransSegs")])
            for each in json.loads(run("tc", "-n", name_of(n), "-s", "-j", "qdisc", "show")):
                out["drops of links"] += each.get("drops", 0) if each.get("kind") == "tbf" else 0
        softnet = Path("/proc/net/softnet_stat").read_text().split("\n")
        out["drops of the machine"] = sum(int(line.split()[1], 16) for line in softnet if line)
        return out

    def command(self, mpi, program, environment=None, preload=(), nap_us=100, realtime=True):
        """The launcher's words for one rank on each endpoint, to be run as it is."""
        environment = dict(environment or {})
        preload = [*map(str, preload), str(find_built("librig_nap.so"))]
        environment.update({"LD_PRELOAD": ":".join(preload), "RIG_NAP_US": nap_us})
        hosts = STATE.parent / "quadrille-rig.hosts"
        agent = HERE / "agent.sh"
        ranks = [name_of(each) for each in self.network.endpoints]
        out = ["ip", "netns", "exec", HUB, *(["chrt", "-r", "1"] if realtime else [])]
        if mpi == "openmpi":
            hosts.write_text("".join(f"{each} slots=1\n" for each in ranks))
            settings = {"plm": "rsh", "plm_rsh_agent": agent, "plm_rsh_no_tree_spawn": 1, "oob_tcp_if_include": "10.78.0.0/16",
                        "routed": "direct", "pml": "ob1", "btl": "tcp,self", "btl_tcp_if_include": "10.77.0.0/16",
                        # Long messages by sends: a put over TCP asks first, and costs a quarter.
                        "btl_tcp_flags": 1, "mpi_yield_when_idle": 1, "opal_event_include": "epoll"}
            out += ["mpirun.openmpi", "--allow-run-as-root", "--bind-to", "none", "--hostfile", hosts, "-n", len(ranks)]
            for key, value in settings.items():
                out += ["--mca", key, value]
            for key, value in environment.items():
                out += ["-x", f"{key}={value}"]
        else:
            hosts.write_text("".join(f"{each}:1\n" for each in ranks))
            # MPICH 4.0 does not come out of MPI_Finalize over TCP (its issue is mended after 4.0.2), and never yields.
            environment.update({"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "id0", "UCX_RNDV_THRESH": "inf",
                                "RIG_NAP_IN_EPOLL": 1, "RIG_LEAVE_FINALIZE": 1})
            out += ["mpiexec.hydra", "-launcher", "ssh", "-launcher-exec", agent, "-localhost", HUB, "-f", hosts, "-n", len(ranks)]
            for key, value in environment.items():
                out += ["-genv", key, value]
        return [str(each) for each in [*out, *program]]


def find_built(name):
    for folder in (os.environ.get("QUADRILLE_BUILD"), HERE.parent / "build/release"):
        if folder and (Path(folder) / name).exists():
            return (Path(folder) / name).resolve()
    raise CannotBuild(f"{name} is not built: make install, or QUADRILLE_BUILD=FOLDER")


class Standing:
    """A rig for as long as a `with`, and no longer, whatever ends it: who is killed has a second process that cleans up."""

    def __init__(self, rig):
        self.rig, self.lock, self.pipe = rig, None, None

    def __enter__(self):
        Rig.require()
        self.lock = open(LOCK, "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CannotBuild("another rig stands on this machine, and works") from error
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda received, _: sys.exit(128 + received))
        reading, self.pipe = os.pipe()
        if os.fork() == 0:
            os.setsid()
            os.close(self.pipe)
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            if os.read(reading, 1) == b"":
                take_down()
            os._exit(0)
        os.close(reading)
        try:
            self.rig.up()
        except BaseException:
            self.__exit__()
            raise
        return self.rig

    def __exit__(self, *_):
        take_down()
        os.write(self.pipe, b".")
        os.close(self.pipe)
        self.lock.close()


def execute(command, seconds):
    """Output and status of a launcher, which does not outlive the time; nothing of it is left behind."""
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            status = child.wait(timeout=seconds)
        except BaseException as error:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            status = 124
        finally:
            for each in processes_in(rigged()):
                try:
                    os.kill(each, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        out.seek(0)
        return out.read(), status


# --- the command ----------------------------------------------------------------------------------------------


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("up", "run"):
        one = commands.add_parser(name)
        one.add_argument("network", help='such as "torus(4,4)"')
        one.add_argument("--rate", default="4mbit", help="of a link of capacity 1, each way (4mbit)")
        one.add_argument("--ties", choices=("positive", "parity"), default="positive")
        one.add_argument("--program", type=Path, help="quadrille, which knows networks")
        if name == "run":
            one.add_argument("--mpi", choices=("openmpi", "mpich"), required=True)
            one.add_argument("--nap-us", type=int, default=100, help="how long a rank that waits sleeps (100)")
            one.add_argument("--seconds", type=int, default=600, help="when to give up (600)")
            one.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for the ranks")
            one.add_argument("--preload", action="append", default=[], metavar="LIBRARY", help="for the ranks: a shim")
            one.add_argument("words", nargs="+", metavar="PROGRAM", help="what each rank runs, after --")
    commands.add_parser("down")
    commands.add_parser("counters")
    return parser.parse_args()


def standing_rig(program):
    if not STATE.exists():
        raise BadInput("no rig stands: rig/rig.py up NETWORK")
    said = json.loads(STATE.read_text())
    return Rig(Network(said["spec"], said["ties"], program), said["rate"])


def main():
    options = arguments()
    program = getattr(options, "program", None)
    try:
        if options.command == "down":
            Rig.require()
            take_down()
            return 0
        program = program or find_built("quadrille")
        if options.command == "counters":
            for (tail, head), sent in sorted(standing_rig(program).counters().items()):
                print(f"{tail} > {head}  {sent}")
            return 0
        rig = Rig(Network(options.network, options.ties, program), options.rate)
        bits(options.rate)
        if options.command == "up":
            rig.up()
            print(f"{options.network}: {rig.network.num_nodes} nodes, {len(rig.network.arcs())} arcs of {options.rate}")
            return 0
        with Standing(rig):
            environment = dict(each.split("=", 1) for each in options.env)
            command = rig.command(options.mpi, options.words, environment, options.preload, options.nap_us)
            output, status = execute(command, options.seconds)
            print(output, end="")
            return status
    except BadInput as error:
        print(f"rig: {error}", file=sys.stderr)
        return 2
    except CannotBuild as error:
        print(f"rig: {error}", file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
