#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts the real service on a map that is made by rule, and asks it over HTTP.

    tests/serve.py build/release/fogline              # everything, with 12 kills
    tests/serve.py build/release/fogline --kills 300  # the kills alone

What is held against it: the interface (tokens, scopes, bad bodies, keys that are used again), that 1,000 parallel requests of one subject never pass its cap, that nothing of a
subject or a position stands in a log, in metrics or in the ledger, that a polite end answers what was asked, and, with SIGKILL at arbitrary moments under load: what is spent is
never below what was released, every request that is sent again is answered as before, and the chain of the ledger is whole.
"""
import argparse
import concurrent.futures
import contextlib
import hashlib
import http.client
import json
import pathlib
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from fractions import Fraction

EPSILON = Fraction(1, 100)
WHERE = {"lon": -29.99412345, "lat": 45.00512345}  # digits that can be looked for
STARTED_S = 60  # a slow machine under sanitizers


class Broken(Exception):
    """An invariant does not hold."""


def require(holds, sentence):
    if not holds:
        raise Broken(sentence)


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    def json(self):
        return json.loads(self.body)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self.path))


class Service:
    """One configuration in a folder; the process may be started again and again."""

    def __init__(self, fogline, folder, cap, port=0, **settings):
        self.fogline, self.folder = str(fogline), folder
        self.tokens = {}
        lines = {"listen": f"127.0.0.1:{port}", "ledger": "service.ledger", "cap": cap, **settings}
        text = "".join(f"{name} = {json.dumps(value)}\n" for name, value in lines.items())
        self.run("key", "make", "-o", folder / "service.key")
        text += '[place]\nsign = "service.key"\nnetwork = "lattice:20x20:100"\nmechanism = "gem"\nepsilon = "0.01"\nanyway = true\n'
        for name, scopes in {"app": ["release", "budget", "statements", "metrics"], "meter": ["metrics"]}.items():
            token = self.run("serve", "--new-token", name, "-q").stdout.strip()
            self.tokens[name] = token
            text += (f'[[token]]\nname = "{name}"\nsha256 = "{hashlib.sha256(token.encode()).hexdigest()}"\n'
                     f"scopes = {json.dumps(scopes)}\n")
        self.config, self.ledger, self.log = folder / "service.toml", folder / "service.ledger", folder / "log"
        self.config.write_text(text)
        self.process, self.port = None, 0
        self.local = threading.local()

    def run(self, *arguments):
        return subprocess.run([self.fogline, *map(str, arguments)], capture_output=True, text=True, check=False)

    def start(self, wait=True):
        begin = self.log.stat().st_size if self.log.exists() else 0
        self.process = subprocess.Popen([self.fogline, "serve", "--config", str(self.config), "-v"],
                                        stderr=self.log.open("a"), stdout=subprocess.DEVNULL)
        until = time.monotonic() + STARTED_S
        while time.monotonic() < until:
            said = self.log.read_text()[begin:]
            if found := re.search(r"listening on port (\d+)", said):
                self.port = int(found[1])
            if said.endswith("\nready\n") or (not wait and self.port):
                return self
            require(self.process.poll() is None, f"the service ended: {said}")
            time.sleep(0.01)
        raise Broken("the service is not ready after a minute")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=30)

    def connection(self):
        """One for each thread, of the process that runs now."""
        if getattr(self.local, "process", None) is not self.process:
            self.local.process = self.process
            self.local.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        return self.local.connection

    def ask(self, method, path, body=None, token="app", key=None, headers=None):
        everything = {"Authorization": f"Bearer {self.tokens.get(token, token)}"} if token else {}
        if key:
            everything["Idempotency-Key"] = key
        everything.update(headers or {})
        text = body if body is None or isinstance(body, (str, bytes)) else json.dumps(body)
        connection = self.connection()
        try:
            connection.request(method, path, body=text, headers=everything)
            return Answer(connection.getresponse())
        except Exception:
            connection.close()
            raise

    def place(self, subject, key=None, **more):
        return self.ask("POST", "/v1/place/release", {"subject": subject, **WHERE, **more}, key=key)

    def spent(self, subject):
        return Fraction(self.ask("GET", f"/v1/subjects/{subject}/budget").json()["spent"])

    def verify(self):
        done = self.run("ledger", "verify", "--ledger", self.ledger)
        require(done.returncode == 0, f"the ledger is not whole: {done.stdout}{done.stderr}")


@contextlib.contextmanager
def service(fogline, cap, **settings):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fogline-serve-"))
    made = Service(fogline, folder, cap, **settings)
    try:
        yield made
    finally:
        if made.process and made.process.poll() is None:
            made.kill()
        shutil.rmtree(folder)


def expect(answer, status, code=None):
    require(answer.status == status, f"{answer.status} and not {status}: {answer.body!r}")
    if code:
        problem = answer.json()
        require(answer.headers["Content-Type"] == "application/problem+json", "a problem of another type")
        require(problem["code"] == code and problem["status"] == status, f"not {code}: {problem}")
    return answer


def the_interface(fogline):
    with service(fogline, "epsilon 0.03 per metre per subject in 24 h") as one:
        one.start()
        require(expect(one.ask("GET", "/livez", token=None), 200).json() == {"alive": True}, "alive")
        expect(one.ask("GET", "/readyz", token=None), 200)
        expect(one.ask("HEAD", "/readyz", token=None), 200)
        api = expect(one.ask("GET", "/openapi.json", token=None), 200).json()
        require(api["openapi"] == "3.1.0" and "/v1/place/release" in api["paths"], "the interface")
        require(api == json.loads(one.run("serve", "--openapi").stdout), "the interface is told in two ways")

        plan = expect(one.ask("POST", "/v1/place/plan", {"positions": 4}), 200).json()
        require(plan["cost"] == "0.04" and not plan["within_cap"] and plan["expected_error"]["unit"] == "m", f"{plan}")
        require(expect(one.ask("POST", "/v1/place/plan", {}), 200).json()["within_cap"], "one is within the cap")
        expect(one.ask("POST", "/v1/place/plan", {"epsilon": "1"}), 400)
        expect(one.ask("GET", "/v1/place/plan"), 405)

        first = expect(one.place("anna", key="k1"), 200)
        require(first.headers["Fogline-Charged"] == "true", "charged")
        require(set(first.json()) == {"vertex", "lon", "lat", "released_at", "statement"}, f"{first.json()}")
        again = expect(one.place("anna", key="k1"), 200)
        require(again.body == first.body and again.headers["Fogline-Charged"] == "false", "the same answer")
        expect(one.place("anna", key="k1", lat=45.01), 422, "idempotency-key-reused")
        expect(one.place("anna", key="k 1"), 400, "invalid-option")
        expect(one.ask("POST", "/v1/place/release", {"subject": "anna", **WHERE}, headers={"Idempotency-Key": ""}), 400)

        identity = first.json()["statement"]
        statement = expect(one.ask("GET", f"/v1/statements/{identity}"), 200)
        answer = expect(one.ask("GET", f"/v1/answers/{identity}"), 200)
        (one.folder / "s.json").write_bytes(statement.body)
        (one.folder / "a.csv").write_bytes(answer.body)
        verified = one.run("verify", one.folder / "s.json", "--file", f"-={one.folder / 'a.csv'}", "--ledger", one.ledger,
                           "--trust", one.folder / "service.pub")
        require(verified.returncode == 0 and "holds this answer" in verified.stdout, f"verify: {verified.stdout}{verified.stderr}")
        (one.folder / "a.csv").write_bytes(answer.body.replace(b"1,", b"2,", 1))
        forged = one.run("verify", one.folder / "s.json", "--file", f"-={one.folder / 'a.csv'}", "--ledger", one.ledger)
        require(forged.returncode == 1, "another answer passes for the one that was given")

        two = [{"lon": -29.99, "lat": 45.0}, {"lon": -29.98, "lat": 45.01}]
        listed = expect(one.ask("POST", "/v1/place/release", {"subject": "bo", "positions": two}), 200).json()
        require(len(listed["positions"]) == 2, f"{listed}")
        require(one.spent("bo") == 2 * EPSILON, "a list costs its length")
        expect(one.ask("POST", "/v1/place/release", {"subject": "bo", "positions": two}), 429, "over-budget")

        latest = [expect(one.place("anna"), 200).body for _ in range(2)][-1]
        free = expect(one.place("anna", lat=45.015), 200)
        require(free.body == latest and free.headers["Fogline-Charged"] == "false", "over the budget: the latest")
        require(int(free.headers["Age"]) >= 0, "with its age")
        left = expect(one.ask("GET", "/v1/subjects/anna/budget"), 200).json()
        require(left["positions_left"] == 0 and left["remaining"] == "0" and left["renews_at"], f"{left}")
        require(one.ask("GET", "/v1/subjects/%61nna/budget").json() == left, "a name may be encoded")

        for path, status in {"/": 404, "/v1": 404, "/v1/subjects//budget": 404, "/v1/statements/9-9": 404,
                             "/v1/statements/x": 404, "/v1/answers/03-1": 404, "/v1/subjects/%/budget": 404,
                             "/v1/subjects/an%20na/budget": 400}.items():
            expect(one.ask("GET", path), status)
        expect(one.ask("POST", "/v1/place/release", b'{"subject":"anna","lon":0,"lat":0,"x":1}'), 400, "bad-data")
        for body in ["", "{", "[]", "null", '{"subject":"anna"}', '{"subject":"anna","lon":0}',
                     '{"subject":"anna","lon":"0","lat":0}', '{"subject":"anna","lon":181,"lat":0}',
                     '{"subject":"anna","lon":0,"lat":-90.5}', '{"subject":"anna","lon":1e999,"lat":0}',
                     '{"subject":"anna","lon":0,"lat":0,"x":1}', '{"subject":"anna","lon":0,"lon":1,"lat":0}',
                     '{"subject":"","lon":0,"lat":0}', '{"subject":"an na","lon":0,"lat":0}',
                     '{"subject":"anna","positions":[]}', '{"subject":"anna","positions":{}}',
                     '{"subject":"anna","positions":[{"lon":0}]}', '{"subject":7,"lon":0,"lat":0}',
                     json.dumps({"subject": "anna", "positions": 1001 * [{"lon": 0, "lat": 0}]}),
                     '{"subject":"anna","lon":0,"lat":0}trailing', "\ufeff{}"]:
            problem = expect(one.ask("POST", "/v1/place/release", body.encode()), 400)
            require(problem.json()["code"] in ("bad-data", "invalid-option", "over-limit"), f"{problem.body}")
        expect(one.ask("POST", "/v1/place/release", "x" * 70_000), 413)
        expect(one.ask("GET", "/v1/place/release"), 405, "wrong-method")
        expect(one.ask("POST", "/readyz"), 405, "wrong-method")
        expect(one.ask("GET", "/v1/subjects/anna/budget", token=None), 401, "no-token")
        expect(one.ask("GET", "/v1/subjects/anna/budget", token="fog_wrong"), 401, "no-token")
        expect(one.ask("POST", "/v1/place/release", {}, token="meter"), 403, "wrong-scope")
        metrics = expect(one.ask("GET", "/metrics", token="meter"), 200).body.decode()
        require("fogline_charged_total 4" in metrics, metrics)

        secrets = ["anna", "29.99412345", "45.00512345", *one.tokens.values()]
        seen = one.log.read_text() + metrics + one.ledger.read_bytes().decode("latin-1") + one.config.read_text()
        for secret in secrets:
            require(secret not in seen, f"{secret} stands in a log, in metrics, in the ledger or in the settings")
        require(one.end() == 0, "a polite end is no failure")
        one.verify()


def on_a_socket(fogline):
    with service(fogline, "epsilon 0.03 per metre per subject in 24 h") as one:
        path = one.folder / "http"
        one.config.write_text(one.config.read_text().replace('listen = "127.0.0.1:0"', f'listen = "unix:{path}"'))
        one.process = subprocess.Popen([one.fogline, "serve", "--config", str(one.config)], stderr=one.log.open("a"))
        until = time.monotonic() + STARTED_S
        while not one.log.read_text().endswith("ready\n"):
            require(time.monotonic() < until and one.process.poll() is None, one.log.read_text())
            time.sleep(0.01)
        connection = UnixConnection(path)
        connection.request("GET", "/readyz")
        require(connection.getresponse().status == 200, "on a socket")
        connection.close()
        one.end()
        require(not path.exists(), "the socket is gone with the service")


def refused_settings(fogline):
    with service(fogline, "epsilon 0.03 per metre per subject in 24 h") as one:
        good = one.config.read_text()
        bad = {"cap = \"epsilon 0.03 per metre per subject in 24 h\"": "cap = \"epsilon 0.03 per metre\"",
               "epsilon = \"0.01\"": "epsilon = \"0\"", "[place]": "refresh = 86401\n[place]",
               "anyway = true": "too-far = \"refuse\"", "mechanism = \"gem\"": "seed = 1", "listen": "listens",
               "scopes = [\"metrics\"]": "scopes = [\"everything\"]", "name = \"meter\"": "name = ",
               "network = \"lattice:20x20:100\"": "network = \"nothing.osm.pbf\""}
        for text, instead in bad.items():
            require(text in good, text)
            one.config.write_text(good.replace(text, instead, 1))
            done = one.run("serve", "--config", one.config, "--check")
            require(done.returncode in (1, 2), f"{instead}: {done.returncode} {done.stderr}")
        one.config.write_text(good)
        require(one.run("serve", "--config", one.config, "--check").returncode == 0, "the good ones are right")
        require(not one.ledger.exists(), "looking at settings declares nothing")
        one.start().end()
        one.config.write_text(good.replace("0.03", "0.04", 1))
        require("is not that of dataset" in one.run("serve", "--config", one.config, "--check").stderr, "another cap")


def damaged_answers(fogline):
    """What somebody wrote into the ledger's answers is no request's fault, and ends nothing."""
    with service(fogline, "epsilon 1 per metre per subject in 24 h") as one:
        one.start()
        for key in ("k1", "k2"):
            expect(one.place("anna", key=key), 200)
        one.end()
        with contextlib.closing(sqlite3.connect(one.ledger)) as file:
            guard = file.execute("SELECT sql FROM sqlite_schema WHERE name = 'subject_answers_no_UPDATE'").fetchone()[0]
            file.execute("DROP TRIGGER subject_answers_no_UPDATE")
            places = [row[0] for row in file.execute("SELECT entry FROM subject_answers ORDER BY entry")]
            for place, text in zip(places, ("record,vertex,lon,lat\n", "")):
                file.execute("UPDATE subject_answers SET answer = ? WHERE entry = ?", (text, place))
            file.execute(guard)
            file.commit()
        one.start()
        for key in ("k1", "k2", "k1"):
            expect(one.place("anna", key=key), 503, "no-answer")
        expect(one.place("anna", key="k3"), 200)
        one.end()


def a_ledger_that_waits(fogline):
    """Who holds the ledger keeps charges and looks at budgets waiting, and nothing else."""
    with service(fogline, "epsilon 1 per metre per subject in 24 h", **{"tick-ms": 5}) as one:
        one.start()
        with contextlib.closing(sqlite3.connect(one.ledger, isolation_level=None)) as file, \
                concurrent.futures.ThreadPoolExecutor(2) as pool:
            file.execute("BEGIN IMMEDIATE")
            waiting = [pool.submit(one.place, "anna"), pool.submit(one.ask, "GET", "/v1/subjects/anna/budget")]
            time.sleep(0.3)
            for path in ("/livez", "/readyz"):
                expect(one.ask("GET", path, token=None), 200)
            require(not waiting[0].done(), "it was charged while another process held the ledger")
            file.execute("ROLLBACK")
            for answer in waiting:
                expect(answer.result(), 200)
        text = expect(one.ask("GET", "/metrics", token="meter"), 200).body.decode()
        busy = float(re.search(r"^fogline_batch_seconds_total (\S+)$", text, re.MULTILINE)[1])
        require(busy >= 0.3 and abs(busy / 0.005 - round(busy / 0.005)) < 1e-6, f"{busy} s are no whole ticks")
        one.end()


def one_subject_in_parallel(fogline, requests=1000):
    with service(fogline, "epsilon 0.2 per metre per subject in 24 h", **{"over-budget": "refuse"}) as one:
        one.start()
        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            answers = list(pool.map(lambda _: one.place("anna").status, range(requests)))
        require(answers.count(200) == 20, f"{answers.count(200)} answers for a cap of 20")
        require(answers.count(429) == requests - 20, "the others are refused")
        require(one.spent("anna") == 20 * EPSILON, "what is spent")
        one.end()
        one.verify()


def under_load(one, stop, log):
    """Asks, and asks again with the same key until there is an answer; then once more."""
    choose = random.Random(threading.get_ident())
    while not stop.is_set():
        subject, key = f"s{choose.randrange(40)}", f"k{choose.getrandbits(64):x}"
        given = []
        while len(given) < 2:
            try:
                answer = one.place(subject, key=key)
            except (OSError, http.client.HTTPException):
                if stop.is_set() and not given:
                    return
                time.sleep(0.02)
                continue
            if answer.status == 200:
                given.append((answer.body, answer.headers["Fogline-Charged"]))
            elif answer.status != 503:
                raise Broken(f"{answer.status}: {answer.body!r}")
        log.append((subject, key, given))


def released(ledger):
    """Charged lines and answers, as they stand in the file."""
    with contextlib.closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as file:
        lines = [line.split() for (text,) in file.execute("SELECT lines FROM subject_lines") for line in text.splitlines()]
        answers = file.execute("SELECT count(*) FROM subject_answers").fetchone()[0]
    return [line for line in lines if line[2] == "one"], answers


def kills(fogline, count):
    with service(fogline, "epsilon 1000 per metre per subject in 24 h", port=free_port()) as one:
        one.start()
        stop, log = threading.Event(), []
        choose = random.Random(7)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            workers = [pool.submit(under_load, one, stop, log) for _ in range(8)]
            for _ in range(count):
                time.sleep(choose.uniform(0.01, 0.25))
                one.kill()
                one.start(wait=choose.random() < 0.5)
            time.sleep(0.5)
            stop.set()
            for worker in workers:
                worker.result()
        for subject, key, ((body, _), (again, charged)) in log:
            require(body == again and charged == "false", f"{subject}, {key}: another answer, or charged twice")
        one.end()
        one.verify()
        lines, answers = released(one.ledger)
        require(len({line[3] for line in lines}) == len(lines), "a request was charged twice")
        require(len(lines) >= answers >= len({key for _, key, _ in log}), "more was released than was charged")
        return len(log)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def a_polite_end(fogline):
    with service(fogline, "epsilon 1000 per metre per subject in 24 h", **{"tick-ms": 300}) as one:
        one.start()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(one.place, f"s{i}") for i in range(8)]
            time.sleep(0.1)
            one.process.send_signal(signal.SIGTERM)
            statuses = [one_answer.result().status for one_answer in asked]
        require(statuses == [200] * 8, f"what was asked before the end: {statuses}")
        require(one.process.wait(timeout=30) == 0, "the end")
        one.verify()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("fogline", type=pathlib.Path)
    options.add_argument("--kills", type=int)
    chosen = options.parse_args()
    fogline = chosen.fogline.resolve()
    try:
        if chosen.kills is None:
            the_interface(fogline)
            on_a_socket(fogline)
            refused_settings(fogline)
            damaged_answers(fogline)
            a_ledger_that_waits(fogline)
            one_subject_in_parallel(fogline)
            a_polite_end(fogline)
        answered = kills(fogline, chosen.kills or 12)
    except Broken as broken:
        sys.exit(f"serve: {broken}")
    print(f"serve: all as it must be; {chosen.kills or 12} kills, {answered} requests answered twice alike")


if __name__ == "__main__":
    main()
