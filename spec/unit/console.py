"""The console at a terminal of its own, for console_spec.lua: python3 console.py WHAT COMMAND, the command as a shell has it.

Prints what happened, in a line or two; what the terminal showed where that wasn't expected.
"""
import fcntl
import os
import pty
import random
import select
import signal
import struct
import sys
import termios
import time

LIMIT = 20


class Console:
    def __init__(self, command, stopping=False):
        self.shown = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            take_signals()
            if stopping:
                run_below(command)
            os.execvp("sh", ["sh", "-c", "exec " + command])
        os.set_blocking(self.fd, False)
        self.expect(b"help says")
        self.prompt()

    def look(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        try:
            if ready:
                self.shown += os.read(self.fd, 65536)
        except OSError:
            return False
        return True

    def type(self, keys):
        try:
            os.write(self.fd, keys)
        except OSError:
            pass

    def expect(self, words):
        """Waits until the words are shown behind those that were expected before."""
        end = time.time() + LIMIT
        while words not in self.shown:
            if time.time() > end or not self.look(0.1):
                sys.exit("no %r: %r" % (words, self.shown[-500:]))
        self.shown = self.shown.split(words, 1)[1]

    def prompt(self):
        """Waits until keys are the editor's."""
        self.expect(b"> ")
        end = time.time() + LIMIT
        while is_cooked(self.fd) and time.time() < end:
            time.sleep(0.01)

    def send(self, number):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass

    def end(self, keys=b""):
        """How the process ends; the keys are typed until it does."""
        end, typed = time.time() + LIMIT, 0
        while time.time() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return "status %d" % os.WEXITSTATUS(status) if os.WIFEXITED(status) else "signal %d" % os.WTERMSIG(status)
            if keys and time.time() - typed > 0.25:
                typed = time.time()
                self.type(keys)
            if self.fd is None or not self.look(0.02):
                time.sleep(0.02)
        self.send(signal.SIGKILL)
        return "hangs: %r" % self.shown[-500:]


def take_signals():
    """As a terminal's shell has them: whoever runs the specs may ignore some, as nohup and a job in the background do."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGTSTP):
        signal.signal(number, signal.SIG_DFL)


def run_below(command):
    """A process that can be stopped has a parent in its session that looks after it."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp("sh", ["sh", "-c", "exec " + command])
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            os._exit(os.waitstatus_to_exitcode(status) & 255)
        print("cooked" if is_cooked(0) else "raw", "stopped", flush=True)
        os.kill(pid, signal.SIGCONT)


def is_cooked(fd):
    wanted = termios.ICANON | termios.ECHO
    return termios.tcgetattr(fd)[3] & wanted == wanted


def storm(command):
    """Keys and far more Ctrl-C than anyone types; alive is who answers afterwards."""
    keys = [b"1+1\n", b"lo\t", b"\x1b[A", b'"abc" \n', b"(\n", b"[for i in range(3000) : i]\n", b"\x7f", b"\x12a", b":reload\n"]
    for seed in range(2 if os.environ.get("WHOLE") else 1):
        random.seed(seed)
        console = Console(command)
        end = time.time() + 1
        while time.time() < end:
            console.type(random.choice(keys))
            for _ in range(random.randrange(6)):
                console.send(signal.SIGINT)
            console.look(0.005)
        print(console.end(b"\x03\x15:quit\n"))


def gone(command, how):
    console = Console(command)
    console.type(b"40 + 2\n")
    console.expect(b"42")
    console.prompt()
    if how == "hangup":
        os.close(console.fd)
        console.fd = None
        ended = console.end()
        print(ended if ended.startswith("hangs") else "gone")
    else:
        console.send(getattr(signal, how))
        print(console.end(), "" if how == "SIGKILL" else "cooked" if is_cooked(console.fd) else "raw")


def keys(command):
    console = Console(command)
    for typed, shown in [
        (b"local.dou\t + 1\n", b"5"),
        (b'"\xc3\xa4\xe2\x82\xac"\n', b'"\xc3\xa4\xe2\x82\xac"\r\n'),
        (b"l\t\x15", b"lower("),
        (b"local.nope\x03", b"\n"),
        (b"[1,\n2 +\x03", b"\n"),
        (b"6 * 7\n", b"42"),
        (b"\x1b[A\n", b"42"),
        (b"\x12dou\n", b"5"),
    ]:
        console.type(typed)
        console.expect(shown)
        console.prompt()
    fcntl.ioctl(console.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    console.type(b"7 * 9\n")
    console.expect(b"63")
    print(console.end(b"\x04"))


def stopped(command):
    console = Console(command, stopping=True)
    console.type(b"7 *")
    console.expect(b"7 *")
    console.type(b"\x1a")
    console.expect(b"cooked stopped")
    console.expect(b"7 *")
    console.type(b"9\n")
    console.expect(b"63")
    print(console.end(b"\x15:quit\n"))


what, line = sys.argv[1:3]
{"storm": storm, "keys": keys, "stopped": stopped}.get(what, lambda command: gone(command, what))(line)
