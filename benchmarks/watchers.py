"""What watches processes while a storm rages: each can be started, settled and stopped, and says what it cost and saw."""

import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.realpath(__file__))
LIFESPAN = os.path.join(os.path.dirname(HERE), "lifespan")
TICKS = os.sysconf("SC_CLK_TCK")


def wait_until(condition, what, seconds=30):
    """Waits for a condition; what is said if it does not come true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"gave up waiting for {what}")
        time.sleep(0.02)


class Watcher:
    """A process that watches. Its cpu is user and system time in seconds, of all its threads, since it was ready."""

    command = []
    patience = 30

    def __init__(self):
        self.output = tempfile.NamedTemporaryFile(prefix="benchmark-")
        self.process = subprocess.Popen(
            self.command, stdout=self.output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=self.environment()
        )
        wait_until(lambda: self.is_ready(self.text()), f"{self.command[0]} to be ready: {self.text()}", self.patience)
        self.settle()
        self.cpu_at_start = self.cpu_so_far()

    def environment(self):
        return None

    def text(self):
        with open(self.output.name, errors="replace") as file:
            return file.read()

    def cpu_so_far(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            words = file.read().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / TICKS

    def settle(self):
        """Waits until it has worked off what it had to do: no CPU used for half a second."""
        before, quiet = self.cpu_so_far(), 0
        while quiet < 5:
            time.sleep(0.1)
            now = self.cpu_so_far()
            quiet = quiet + 1 if now - before < 0.02 else 0
            before = now

    def memory(self, name):
        """A line of /proc/PID/status in MB: VmRSS, VmHWM."""
        with open(f"/proc/{self.process.pid}/status") as file:
            for line in file:
                if line.startswith(name + ":"):
                    return int(line.split()[1]) / 1024
        return None

    def stop(self, signal_number=signal.SIGTERM):
        """Ends it; returns the CPU it used since it was ready."""
        self.settle()
        cpu = self.cpu_so_far() - self.cpu_at_start
        self.process.send_signal(signal_number)
        self.process.wait(60)
        return cpu


class Listener(Watcher):
    """The minimal listener in C."""

    def __init__(self, *options):
        self.command = [os.path.join(HERE, "target", "listener"), *options]
        super().__init__()

    def is_ready(self, text):
        return "ready" in text

    def counts(self):
        return json.loads(self.text().splitlines()[-1])


class Forkstat(Watcher):
    """Debian's forkstat, printing a line for each event into a file."""

    command = ["forkstat", "-l"]

    def is_ready(self, text):
        return "Event" in text

    def stop(self):
        return super().stop(signal.SIGINT)

    def exits(self):
        """How many exits it has printed, of whatever processes."""
        return sum(1 for line in self.text().splitlines() if " exit " in line)


class Agent(Watcher):
    """The whole agent as ./lifespan runs it, exporting every span by OTLP to a receiver of its own."""

    def __init__(self, *options, settings=None):
        self.command = [LIFESPAN, "agent", *options]
        self.settings = settings or {}
        self.receiver = Receiver()
        super().__init__()

    def environment(self):
        return os.environ | exporting_to(self.receiver) | {"LIFESPAN_ARGUMENTS": "redacted"} | self.settings

    def is_ready(self, text):
        return "watching" in text

    def close(self):
        self.receiver.close()


class Receiver:
    """The receiver in receiver.py."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["python3", os.path.join(HERE, "receiver.py")], stdout=subprocess.PIPE, text=True
        )
        self.url = self.process.stdout.readline().strip()

    def summary(self, pids=()):
        with urllib.request.urlopen(f"{self.url}/summary?pids={','.join(map(str, pids))}") as answer:
            return json.load(answer)

    def close(self):
        self.process.terminate()
        self.process.wait()


def exporting_to(receiver):
    return {
        "OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url,
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
        "OTEL_METRICS_EXPORTER": "none",
        "OTEL_LOGS_EXPORTER": "none",
    }


def storm(mode, count, workers, *program):
    """Runs a storm; returns what it says of itself: seconds, rate, workers."""
    command = [os.path.join(HERE, "target", "storm"), mode, str(count), str(workers), *program]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
