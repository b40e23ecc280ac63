#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ledgers whose anchor is in PostgreSQL, on a server of its own in a temporary folder.   tests/postgres_anchor.py FOGLINE [PRIVACY_TESTS]

With PRIVACY_TESTS, the unit tests that need a server run on it too, and print what a charge costs. Skipped (77) where there is no server program."""
import glob
import os
import pathlib
import pwd
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

fogline = os.path.abspath(sys.argv[1])
failures = []


def check(name, holds, detail=""):
    if not holds:
        failures.append(f"{name}: {detail}")


class Server:
    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        # It refuses to run as root.
        self.become = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.become:
            os.chmod(folder, 0o755)
            os.mkdir(folder / "server")
            shutil.chown(folder / "server", "postgres")
        else:
            os.mkdir(folder / "server")
        self.program("initdb", "-D", self.data, "-A", "trust", "-U", "admin", "--locale=C", "--no-sync")
        # One role needs its password.
        self.program_text("sed", "-i", "1i local all locked scram-sha-256", self.data + "/pg_hba.conf")

    data = property(lambda self: str(self.folder / "server/data"))

    def program_text(self, *words):
        done = subprocess.run([*self.become, *words], cwd="/", capture_output=True, text=True)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    def program(self, name, *words):
        return self.program_text(f"{self.programs}/{name}", *words)

    def start(self):
        # Commits that last only if asked for.
        self.program("pg_ctl", "-D", self.data, "-w", "-l", self.data + "/log", "-o",
                     f"-c listen_addresses= -c unix_socket_directories={self.folder}/server -c synchronous_commit=off -c wal_writer_delay=10s", "start")

    def stop(self, mode="fast"):
        if os.path.exists(self.data + "/postmaster.pid"):
            self.program("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def psql(self, sql, database="postgres"):
        return self.program("psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-U", "admin", "-h", f"{self.folder}/server", "-d", database, "-c", sql).strip()

    def uri(self, role="admin", database="postgres"):
        return f"postgresql://{role}@/{database}?host={self.folder}/server"


def run(folder, words, **more):
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return subprocess.run([fogline, *words.split()], cwd=folder, capture_output=True, text=True, timeout=120,
                          env={**plain, "HOME": str(folder), "XDG_DATA_HOME": f"{folder}/data", **more})


def release(folder, out, **more):
    return run(folder, f"place release --network line:101:1000 --epsilon 0.001 points.csv -o {out} --ledger ledger", **more)


def entries(folder):
    with sqlite3.connect(folder / "ledger") as file:
        return file.execute("SELECT count(*) FROM entries").fetchone()[0]


def new_folder(folder, name):
    (folder / name).mkdir()
    done = run(folder / name, "sample place --network line:101:1000 -o points.csv -q")
    assert done.returncode == 0, done.stderr
    return folder / name


def expect_refused(name, folder, sentence, **more):
    """Nothing is charged, and nothing drawn."""
    before = entries(folder)
    done = release(folder, "refused.csv", **more)
    check(name, done.returncode == 1 and sentence in done.stderr, f"{done.returncode} {done.stderr}")
    check(name, entries(folder) == before, f"{entries(folder) - before} entries")
    check(name, not list(folder.glob("refused*")), "an output")


def a_password_is_refused(server, folder):
    done = run(folder, "ledger add --ledger ledger --uncapped --anchor postgresql://fog:opensesame@host/db")
    check("password", done.returncode == 2 and "~/.pgpass" in done.stderr, f"{done.returncode} {done.stderr}")
    check("password", "opensesame" not in done.stdout + done.stderr and not (folder / "data").exists(), done.stderr)


def a_role_that_may_only_insert_and_select(server, folder):
    server.psql("CREATE ROLE keeper LOGIN")
    add = f"ledger add --ledger ledger --uncapped --anchor {server.uri('keeper')}"
    done = run(folder, add)
    check("no table", done.returncode == 1 and "may not make" in done.stderr, f"{done.returncode} {done.stderr}")
    manual = (pathlib.Path(__file__).resolve().parent.parent / "docs/ledger.md").read_text()
    server.psql(re.search(r"```sql\n(.*?)```", manual, re.DOTALL)[1])  # what an administrator is told to type
    done = run(folder, add)
    check("keeper", done.returncode == 0, done.stderr)
    done = release(folder, "one.csv")
    check("keeper", done.returncode == 0, done.stderr)
    rights = server.psql("SELECT string_agg(privilege_type, ' ' ORDER BY 1) FROM information_schema.role_table_grants WHERE grantee = 'keeper'")
    check("keeper", rights == "INSERT SELECT", rights)


def an_older_copy_is_refused(server, folder):
    shutil.copy(folder / "ledger", folder / "older")
    check("newest", release(folder, "two.csv").returncode == 0)
    shutil.copy(folder / "older", folder / "ledger")
    expect_refused("older copy", folder, "this is an older copy")
    done = run(folder, "ledger accept --ledger ledger --reason restored")
    check("accept", done.returncode == 0, done.stderr)
    done = release(folder, "three.csv")
    check("after accept", done.returncode == 0, done.stderr)


def a_head_outlives_a_crash(server, folder):
    before = int(server.psql("SELECT count(*) FROM fogline_anchor"))
    check("crash", release(folder, "four.csv").returncode == 0)
    server.stop("immediate")
    server.start()
    after = int(server.psql("SELECT count(*) FROM fogline_anchor"))
    check("crash", after == before + 2, f"{before} rows, then {after}")
    done = run(folder, "ledger verify --ledger ledger")
    check("crash", done.returncode == 0, done.stdout + done.stderr)


def processes_at_once(server, folder):
    before = entries(folder)
    words = [fogline, "place", "release", "--network", "line:101:1000", "--epsilon", "0.001", "points.csv", "--ledger", "ledger", "-o"]
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": f"{folder}/data"}
    running = [subprocess.Popen([*words, f"at_once_{i}.csv"], cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) for i in range(6)]
    for process in running:
        said = process.communicate()[1]
        check("at once", process.returncode == 0, said)
    check("at once", entries(folder) == before + 12, f"{entries(folder) - before} entries, not 12")
    check("at once", run(folder, "ledger verify --ledger ledger").returncode == 0)
    # The first use of a database by several.
    server.psql("CREATE ROLE maker LOGIN")
    server.psql("CREATE DATABASE fresh OWNER maker")
    folders = [new_folder(folder, f"fresh{i}") for i in range(6)]
    running = [subprocess.Popen([fogline, "ledger", "add", "--ledger", "ledger", "--uncapped", "--anchor", server.uri("maker", "fresh")], cwd=fresh,
                                env={**environment, "XDG_DATA_HOME": str(fresh)}, stderr=subprocess.PIPE, text=True) for fresh in folders]
    for process in running:
        said = process.communicate()[1]
        check("first use", process.returncode == 0, said)
    form = "SELECT string_agg(column_name || data_type || is_nullable, ' ' ORDER BY ordinal_position), " \
           "(SELECT string_agg(indexdef, ' ' ORDER BY 1) FROM pg_indexes WHERE tablename = 'fogline_anchor') " \
           "FROM information_schema.columns WHERE table_name = 'fogline_anchor'"
    check("the manual's table", server.psql(form) == server.psql(form, "fresh"), server.psql(form))


def a_password_that_libpq_finds(server, folder):
    server.psql("CREATE ROLE locked LOGIN PASSWORD 'opensesame'; GRANT INSERT, SELECT ON fogline_anchor TO locked")
    (folder / "pass").write_text("*:*:*:locked:opensesame\n")
    os.chmod(folder / "pass", 0o600)
    add = f"ledger add --ledger locked.ledger --uncapped --anchor {server.uri('locked')}"
    done = run(folder, add)
    check("no password", done.returncode == 1 and "no password supplied" in done.stderr, done.stderr)
    done = run(folder, add, PGPASSFILE=str(folder / "pass"))
    check("password file", done.returncode == 0, done.stderr)


def what_a_server_may_do_wrong(server, folder):
    server.psql("ALTER SYSTEM SET fsync = off")
    server.psql("SELECT pg_reload_conf()")
    done = run(folder, f"ledger add --ledger lax.ledger --uncapped --anchor {server.uri('keeper')}")
    check("fsync", done.returncode == 1 and "does not sync" in done.stderr, done.stderr)
    server.psql("ALTER SYSTEM RESET fsync")
    server.psql("SELECT pg_reload_conf()")

    server.psql("INSERT INTO fogline_anchor (ledger, entries, hash, accepted, charged_at) SELECT ledger, 999, 'x', false, now() FROM fogline_anchor LIMIT 1")
    expect_refused("nonsense", folder, "holds a row for it that no ledger wrote")
    server.psql("DELETE FROM fogline_anchor WHERE hash = 'x'")
    server.psql("REVOKE SELECT ON fogline_anchor FROM keeper")
    expect_refused("no right", folder, "needs INSERT and SELECT")
    server.psql("GRANT SELECT ON fogline_anchor TO keeper")

    locked = subprocess.Popen([*server.become, f"{server.programs}/psql", "-qAtX", "-U", "admin", "-h", f"{server.folder}/server", "-d", "postgres", "-c",
                               "BEGIN; LOCK TABLE fogline_anchor; SELECT 'locked'", "-c", "SELECT pg_sleep(60)"], cwd="/", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    locked.stdout.readline()
    expect_refused("hangs", folder, "did not answer within 10 seconds")
    server.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()")
    locked.wait()
    check("well again", release(folder, "five.csv").returncode == 0)

    server.stop()
    expect_refused("stopped", folder, "cannot be reached")
    server.start()
    check("started again", release(folder, "six.csv").returncode == 0)


def unit_tests(server, program):
    done = subprocess.run([program, "--gtest_filter=PostgresServer.*", "--gtest_brief=1"], capture_output=True, text=True,
                          env={**os.environ, "FOGLINE_TEST_POSTGRES": server.uri()})
    check("unit tests", done.returncode == 0 and "SKIPPED" not in done.stdout, done.stdout + done.stderr)
    print(*re.findall(r"a charge with .*\n", done.stdout), sep="", end="")


def main():
    programs = max(glob.glob("/usr/lib/postgresql/*/bin"), default=os.path.dirname(shutil.which("initdb") or ""), key=lambda path: (len(path), path))
    if not os.path.exists(f"{programs}/initdb"):
        print("skipped: there is no PostgreSQL server program here")
        return 77
    if os.geteuid() == 0 and "postgres" not in [user.pw_name for user in pwd.getpwall()]:
        print("skipped: PostgreSQL does not run as root, and there is no user postgres")
        return 77
    with tempfile.TemporaryDirectory(prefix="fogline", dir="/tmp") as name:
        folder = pathlib.Path(name)
        if "without libpq" in run(folder, "ledger add --ledger none --uncapped --anchor postgresql:///none").stderr:
            print("skipped: this program was built without libpq")
            return 77
        server = Server(programs, folder)
        try:
            server.start()
            mine = new_folder(folder, "mine")
            for part in (a_password_is_refused, a_role_that_may_only_insert_and_select, an_older_copy_is_refused, a_head_outlives_a_crash,
                         processes_at_once, a_password_that_libpq_finds, what_a_server_may_do_wrong):
                part(server, mine)
            if len(sys.argv) > 2:
                unit_tests(server, os.path.abspath(sys.argv[2]))
        finally:
            server.stop("immediate")
    for failure in failures:
        print(failure)
    print(f"anchors in PostgreSQL: {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
