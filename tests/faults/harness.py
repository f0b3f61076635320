"""What the tests of faults around the command share: a folder of their own, the command as nobody special, and what a
folder looked like before."""
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.path.join(ROOT, "build", "gridfence")
LIMIT = 120
NOBODY = 65534

tests = []


class Skip(Exception):
    """Raised by a test that has nothing to look at here: why."""


def test(function):
    tests.append(function)
    return function


class Place:
    """A folder, with the caches of the command in it. Root is above permissions, so that the command runs as somebody
    who is not, where this script runs as root."""

    def __init__(self, folder):
        self.folder = folder
        self.cache = os.path.join(folder, "cache")
        self.work = os.path.join(folder, "work")
        self.binary = shutil.copy(BINARY, os.path.join(folder, "gridfence"))
        os.mkdir(self.work)
        os.chmod(folder, 0o755)
        os.chmod(self.binary, 0o755)
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
            os.chown(self.work, NOBODY, NOBODY)
        self.environment = {**os.environ, "GRIDFENCE_CACHE": self.cache, "HOME": folder, "NO_COLOR": "1"}

    def path(self, *names):
        return os.path.join(self.work, *names)

    def own(self, path):
        if os.geteuid() == 0:
            os.lchown(path, NOBODY, NOBODY)
        return path

    def write(self, name, content, mode=0o644):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        os.chmod(path, mode)
        return self.own(path)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def look(self, folder=None):
        """Every name below, and what is there."""
        seen = {}
        top = folder or self.work
        for path, folders, files in os.walk(top):
            for name in folders + files:
                here = os.path.join(path, name)
                if os.path.islink(here):
                    seen[here] = os.readlink(here)
                elif os.path.isfile(here):
                    with open(here, "rb") as file:
                        seen[here] = hashlib.sha256(file.read()).hexdigest()
                else:
                    seen[here] = None
        return seen

    def start(self, *args, before=None, environment=None, **more):
        def prepare():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)  # a shell's background or nohup may have them ignored
            if before is not None:
                before()
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)

        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([self.binary, *args], cwd=self.work, preexec_fn=prepare,
                                env={**self.environment, **(environment or {})}, **more)

    def run(self, *args, **more):
        """Status, standard output, standard error."""
        process = self.start(*args, **more)
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return process.returncode, (out or b"").decode(errors="replace"), (err or b"").decode(errors="replace")

    def has_compiler(self):
        """False where the command was built without LLVM."""
        return '"name": "cpu"' in self.good("devices", "--json", environment={"GRIDFENCE_CACHE": self.folder + "/other"})

    def good(self, *args, **more):
        status, out, err = self.run(*args, **more)
        assert status == 0, f"status {status}: {args}\n{err}"
        return out

    def fails(self, wanted, *args, says=(), **more):
        status, out, err = self.run(*args, **more)
        assert status == wanted, f"status {status}, not {wanted}: {args}\n{out[-2000:]}{err}"
        for word in (says,) if isinstance(says, str) else says:
            assert word in err, f"no `{word}` in: {err}"
        return err

    def fails_and_leaves(self, wanted, *args, **more):
        """As fails; what lies in the folder, old results among it, is as before and nothing has come."""
        before = self.look()
        err = self.fails(wanted, *args, **more)
        after = self.look()
        assert before == after, f"{args}: changed or new: {set(after.items()) ^ set(before.items())}"
        return err


def same(found, wanted):
    assert found == wanted, f"found {found!r}\n     wanted {wanted!r}"


def main():
    global BINARY
    words = sys.argv[1:]
    if "--bin" in words:
        at = words.index("--bin")
        BINARY = os.path.abspath(words[at + 1])
        del words[at:at + 2]
    failed = skipped = passed = 0
    for one in tests:
        if words and not any(word in one.__name__ for word in words):
            continue
        folder = tempfile.mkdtemp(prefix="gridfence-faults-")
        begin = time.monotonic()
        try:
            one(Place(folder))
            passed += 1
            print(f"ok   {one.__name__} ({time.monotonic() - begin:.1f} s)")
        except Skip as why_not:
            skipped += 1
            print(f"skip {one.__name__}: {why_not}")
        except (AssertionError, subprocess.TimeoutExpired, ValueError, KeyError, OSError) as error:
            failed += 1
            print(f"FAIL {one.__name__}: {type(error).__name__}: {error}")
        finally:
            for path, folders, _ in os.walk(folder):
                for name in folders:
                    if not os.path.islink(os.path.join(path, name)):
                        os.chmod(os.path.join(path, name), 0o700)
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0
