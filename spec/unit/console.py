"""The console at its own terminal, for console_spec.lua: python3 console.py WHAT COMMAND, the command as a shell has it.

Prints what happened, in a line or two; what the terminal showed where that wasn't expected.

    python3 console.py rounds COMMAND [COUNT [SEED]]

starts COUNT consoles one after the other. Each gets keys and signals at any time, and an end of some kind. HISTORY names the history's file.
"""
import fcntl
import os
import pty
import random
import re
import resource
import select
import signal
import struct
import sys
import termios
import time

# Seconds to wait for something that never comes.
LIMIT = 120


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
        self.expect(b"help lists")
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
        """Waits until the words are shown after those that were expected before."""
        end = time.time() + LIMIT
        while words not in self.shown:
            if time.time() > end or not self.look(0.1):
                sys.exit("no %r: %r" % (words, self.shown[-500:]))
        self.shown = self.shown.split(words, 1)[1]

    def prompt(self):
        """Waits until keys go to the line editor."""
        self.expect(b"> ")
        end = time.time() + LIMIT
        while is_cooked(self.fd) and time.time() < end:
            time.sleep(0.01)

    def taken(self):
        """Waits until a line was read, and keys go to the terminal: Ctrl-C is a signal."""
        end = time.time() + LIMIT
        while not is_cooked(self.fd) and time.time() < end:
            self.look(0.01)

    def send(self, number):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass

    def end(self, keys=b""):
        """Returns how the process ends; the keys are typed until it does."""
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
    """The signals as a terminal's shell has them: the caller of the specs may ignore some, as nohup and a background job do."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGTSTP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


def run_below(command):
    """A process that can be stopped has a parent in its session that looks after it."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    shells = termios.tcgetattr(0)
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp("sh", ["sh", "-c", "exec " + command])
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            # As a parent that waits for this process would see it.
            if os.WIFSIGNALED(status):
                if os.WTERMSIG(status) != signal.SIGKILL:
                    signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
                os.kill(os.getpid(), os.WTERMSIG(status))
            os._exit(os.WEXITSTATUS(status))
        print("cooked" if is_cooked(0) else "raw", "stopped", flush=True)
        termios.tcsetattr(0, termios.TCSADRAIN, shells)
        os.kill(pid, signal.SIGCONT)


def is_cooked(fd):
    wanted = termios.ICANON | termios.ECHO
    return termios.tcgetattr(fd)[3] & wanted == wanted


def storm(command):
    """Keys and far more Ctrl-C than anyone types; returns whether it answers afterwards."""
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


def interrupts(command):
    """Each Ctrl-C discards a line, or ends an evaluation that would not end."""
    console = Console(command + " --limit steps=1e12 --limit memory=1e12")
    console.type(b"local.nope\x03")
    console.expect(b"\n")
    console.prompt()
    console.type(b"1 + 1\n")
    console.expect(b"\n2\r\n")
    console.prompt()
    for _ in range(2):
        console.type(b"length([for a in range(1000) : " * 3 + b"a" + b"])" * 3 + b"\n")
        console.taken()
        console.type(b"\x03")
        console.expect(b"interrupted")
        console.prompt()
    console.type(b"2 + 3\n")
    console.expect(b"\n5\r\n")
    print(console.end(b"\x15:quit\n"))


def stopped(command):
    console = Console(command, stopping=True)
    console.type(b"7 *")
    console.expect(b"7 *")
    console.type(b"\x1a")
    console.expect(b"cooked stopped")
    console.expect(b"7 *")
    console.type(b"9\n")
    console.expect(b"63")
    console.prompt()
    # A failed save leaves the terminal as it is; the shell then sets it as it likes.
    console.type(b"6 *")
    console.expect(b"6 *")
    os.killpg(os.tcgetpgrp(console.fd), signal.SIGSTOP)
    console.expect(b"raw stopped")
    console.expect(b"6 *")
    print("cooked" if is_cooked(console.fd) else "raw")
    console.type(b"8\n")
    console.expect(b"48")
    print(console.end(b"\x15:quit\n"))


def together(command):
    """A signal that comes with a key, or with a Ctrl-C, isn't lost: the process is stopped until both wait for it."""
    for typed, others in [(b"x", []), (b"", [signal.SIGINT])]:
        console = Console(command)
        console.send(signal.SIGSTOP)
        os.waitpid(console.pid, os.WUNTRACED)
        console.type(typed)
        for number in (*others, signal.SIGTERM, signal.SIGCONT):
            console.send(number)
        print(console.end())


# ---- rounds: any keys, any signals, any end -------------------------------------------------------------------------------

# What is typed; slow work is in progress when a signal comes.
KEYS = [
    b"1 + 1\n", b"lo\t", b"\t\t", b"\x1b[A\n", b'"abc \xc3\xa4" \n', b"(\n", b"[1,\n2]\n", b"\x7f\x7f", b"\x12a", b":reload\n", b":help\n",
    b"length([for i in range(1000) : [for j in range(1000) : i * j]])\n", b"[for i in range(1000) : i]\n", b"local.nope\n", b'"x', b":names\n",
    b"sum([for i in range(1000) : length(sha256(i))])\n",
]
STAY = [signal.SIGINT, signal.SIGINT, signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT, signal.SIGSTOP]
ENDS = [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGKILL, "closed", "quit", "end of input"]


class Round(Console):
    """A console that is stopped and continued, and gets its own signals."""

    def __init__(self, command):
        self.master, slave = os.openpty()
        self.fd, self.shown = self.master, b""
        self.before = termios.tcgetattr(slave)
        self.pid = os.fork()
        if self.pid == 0:
            os.login_tty(slave)
            os.close(self.master)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            take_signals()
            run_below(command)
        os.close(slave)
        os.set_blocking(self.fd, False)

    def send(self, number):
        try:
            group = os.tcgetpgrp(self.fd)
            # The parent is not a console; before it gives the terminal away there is no console.
            if group > 0 and group != self.pid:
                os.killpg(group, number)
                return True
        except (ProcessLookupError, OSError):
            pass
        return False

    def began(self):
        end = time.time() + LIMIT
        while not (os.tcgetpgrp(self.fd) not in (0, self.pid)) and time.time() < end:
            self.look(0.01)

    def hold(self, seconds):
        end = time.time() + seconds
        while time.time() < end:
            self.look(0.002)

    def answers(self, word):
        """Does it answer its own line, whatever was typed before?"""
        end, typed = time.time() + LIMIT, 0
        wanted = b'"' + word + b'"\r\n'
        while time.time() < end:
            if time.time() - typed > 2:
                typed = time.time()
                self.type(b"\x07\x03")
                self.hold(0.05)
                self.type(b'\x15"' + word[:2] + b'${""}' + word[2:] + b'"\n')
            self.look(0.02)
            if wanted in self.shown:
                self.shown = self.shown.split(wanted, 1)[1]
                return True
        return False


def lines_of(path):
    """The lines of a history; None if it is not complete."""
    try:
        with open(path, "rb") as file:
            text = file.read()
    except FileNotFoundError:
        return []
    if not text.startswith(b"_HiStOrY_V2_\n") or not text.endswith(b"\n"):
        return None
    lines = text.split(b"\n")[1:-1]
    plain = re.compile(rb"(?:[!-\[\]-~]|\\[0-3][0-7][0-7])*")
    return lines if all(plain.fullmatch(line) for line in lines) else None


def without_ends(path):
    """Removes lines from a history that would end a console if they are called back."""
    lines = lines_of(path)
    if lines:
        with open(path, "wb") as file:
            file.write(b"_HiStOrY_V2_\n" + b"".join(line + b"\n" for line in lines if b":quit" not in line))


def one_round(command, path, number, counts):
    """Returns nothing, or what went wrong."""
    without_ends(path)
    before = lines_of(path)
    console = Round(command)
    console.began()
    marks = []
    end = random.choice(ENDS)
    if random.randrange(8):  # otherwise it ends while it starts
        console.expect(b"help lists")
        console.prompt()
        for turn in range(random.randrange(1, 5)):
            for _ in range(random.randrange(4)):
                console.type(random.choice(KEYS))
                console.hold(random.choice([0, 0, 0.002, 0.02, 0.1]))
                for _ in range(random.choice([0, 1, 1, 3])):
                    one = random.choice(STAY)
                    counts[one.name] = counts.get(one.name, 0) + console.send(one)
            mark = b"m%dt%d" % (number, turn)
            if random.randrange(2):
                if not console.answers(mark):
                    return "no answer: %r" % console.shown[-500:]
                marks.append(mark)
        if random.randrange(2):
            console.type(random.choice(KEYS))
            console.hold(random.choice([0, 0.002, 0.02, 0.1]))
    elif end in ("quit", "end of input"):
        end = signal.SIGTERM
    name = end if isinstance(end, str) else end.name
    counts[name] = counts.get(name, 0) + 1
    console.hold(random.choice([0, 0, 0.005, 0.05]))
    if end == "closed":
        os.close(console.fd)
        console.fd = None
        ended = console.end()
        if ended.startswith("hangs"):
            return "closed: " + ended
    elif end == "quit":
        ended = console.end(b"\x03\x15:quit\n")
        # The status is 1 if Ctrl-C interrupted a :reload, which then failed.
        if ended not in ("status 0", "status 1"):
            return ":quit: " + ended
    elif end == "end of input":
        ended = console.end(b"\x03\x15\x04")
        if ended not in ("status 0", "status 1"):
            return "Ctrl-D: " + ended
    else:
        console.send(end)
        ended = console.end()
        if ended != "signal %d" % end:
            return "%s: %s" % (end.name, ended)
    if console.fd is not None:
        after = termios.tcgetattr(console.fd)
        os.close(console.fd)
        if end != signal.SIGKILL and after != console.before:
            return "%s leaves the terminal as %r, not %r" % (name, after, console.before)
    lines = lines_of(path)
    if lines is None or before is None or len(before) < 2000 and lines[: len(before)] != before:
        return "the history isn't whole"
    for mark in marks:
        if not any(mark[2:] in line and line.startswith(b'"' + mark[:2]) for line in lines):
            return "the history lacks %r" % mark
    return None


def rounds(command):
    count, seed = (int(x) for x in (sys.argv[3:5] + ["1000", "1"][len(sys.argv) - 3 :]))
    random.seed(seed)
    counts, wrong = {}, 0
    for number in range(1, count + 1):
        problem = one_round(command, os.environ["HISTORY"], number, counts)
        if problem:
            wrong += 1
            print("round %d: %s" % (number, problem), flush=True)
    if sys.stdout.isatty() or "REPORT" in os.environ:
        print(", ".join("%s %d" % pair for pair in sorted(counts.items())))
    print("%d rounds, %d wrong" % (count, wrong))


what, line = sys.argv[1:3]
ways = {"storm": storm, "keys": keys, "stopped": stopped, "interrupts": interrupts, "together": together, "rounds": rounds}
ways.get(what, lambda command: gone(command, what))(line)
