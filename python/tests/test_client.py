# SPDX-License-Identifier: Apache-2.0
"""The client, asked of the real program; and of a stand-in where a service must misbehave."""

import concurrent.futures
import contextlib
import copy
import hashlib
import http.server
import json
import os
import pathlib
import pickle
import re
import signal
import subprocess
import threading
import time
from datetime import datetime, timedelta, timezone
from fractions import Fraction

import numpy as np
import pytest
from conftest import program, run

import fogline as fl

TRUE = {"lon": 0.00012345678, "lat": 0.00087654321}  # digits that can be looked for
DIGITS = ("12345678", "87654321")
CAP = "epsilon 0.03 per metre per subject in 24 h"
STARTED_S = 60  # a slow machine

needs_the_program = pytest.mark.skipif(not pathlib.Path(program()).exists(), reason="there is no program")


class Service:
    """The program on a small map, in a folder of its own. It may be killed and started again, on the same port."""

    def __init__(self, folder, **settings):
        self.folder, self.process = folder, None
        self.ledger, self.log, self.config = folder / "s.ledger", folder / "log", folder / "s.toml"
        self.token = run("serve", "--new-token", "app", "-q").strip()
        self.meter = run("serve", "--new-token", "meter", "-q").strip()
        self.settings = {"listen": "127.0.0.1:0", "cap": CAP, **settings}

    def start(self, wait=True):
        lines = {"ledger": str(self.ledger), **self.settings}
        text = "".join(f"{name} = {json.dumps(value)}\n" for name, value in lines.items())
        text += '[place]\nnetwork = "lattice:20x20:100"\nmechanism = "gem"\nepsilon = "0.01"\nanyway = true\n'
        for token, scopes in ((self.token, ["release", "budget", "statements"]), (self.meter, ["metrics"])):
            text += f'[[token]]\nname = "of-tests"\nsha256 = "{hashlib.sha256(token.encode()).hexdigest()}"\n'
            text += f"scopes = {json.dumps(scopes)}\n"
        self.config.write_text(text)
        with self.log.open("w") as log:
            words = [program(), "serve", "--config", str(self.config), "-v"]
            self.process = subprocess.Popen(words, stderr=log, stdout=subprocess.DEVNULL)
        if wait:
            self.await_ready()
        return self

    def await_ready(self):
        until = time.monotonic() + STARTED_S
        while not (said := self.log.read_text()).endswith("\nready\n"):
            assert self.process.poll() is None and time.monotonic() < until, said
            time.sleep(0.01)
        if found := re.search(r"listening on port (\d+)", said):
            self.settings["listen"] = f"127.0.0.1:{found[1]}"

    @property
    def url(self):
        listen = self.settings["listen"]
        return listen if listen.startswith("unix:") else f"http://{listen}"

    def client(self, **options):
        return fl.Client(self.url, self.token, **options)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()


@pytest.fixture
def make_service(tmp_path):
    made = []

    def make(**settings):
        folder = tmp_path / f"service-{len(made)}"
        folder.mkdir()
        made.append(Service(folder, **settings))
        return made[-1].start()

    yield make
    for one in made:
        one.kill()


@pytest.fixture
def service(make_service):
    return make_service()


@pytest.fixture
def client(service):
    with service.client() as made:
        yield made


def nothing_private(service, *shown):
    for text in map(str, shown):
        assert not [secret for secret in (*DIGITS, service.token) if secret in text], text


@needs_the_program
def test_a_position_is_released_and_its_statement_verifies(service, client, monkeypatch):
    assert client.ready()
    safe = client.release("anna", **TRUE)
    assert (safe.lon, safe.lat) != (TRUE["lon"], TRUE["lat"]) and abs(safe.lon) < 1 and abs(safe.lat) < 1
    assert safe.vertex and safe.charged and 0 <= safe.age_s < 60
    assert safe.released_at.tzinfo == timezone.utc
    assert abs(datetime.now(timezone.utc) - safe.released_at) < timedelta(minutes=5)
    nothing_private(service, repr(safe), repr(client))
    assert str(safe.lon) not in repr(safe) and str(safe.lat) not in repr(safe)

    statement = client.statement(safe.statement)
    assert isinstance(statement, fl.Statement) and statement["kind"] == "place"
    pathlib.Path("s.json").write_text(statement.text)
    pathlib.Path("a.csv").write_text(client.answer(safe.statement))
    told = run("verify", "s.json", "--file", "-=a.csv", "--ledger", service.ledger)
    assert "holds this answer" in told

    monkeypatch.setenv("FOGLINE_TOKEN", service.token)
    assert fl.Client(service.url).budget("anna").positions_left == 2


@needs_the_program
def test_several_positions_are_paid_for_together(service, client):
    pairs = [(0.0001, 0.0002), (0.0003, 0.0004)]
    asked = {
        "pairs": {"positions": pairs},
        "array": {"positions": np.array(pairs)},
        "arrays": {"lon": np.array([0.0001, 0.0003]), "lat": [0.0002, 0.0004]},
    }
    for subject, words in asked.items():
        safe = client.release_many(subject, **words, key=f"of-{subject}")
        assert len(safe) == len(safe.positions) == 2 and list(safe) == [safe[0], safe[1]]
        assert safe.charged and all(one.statement == safe.statement for one in safe)
        assert client.answer(safe.statement).count("\n") == 3
        left = client.budget(subject)
        assert left.spent == Fraction(2, 100) and left.remaining == Fraction(1, 100)
    with pytest.raises(fl.BudgetError) as caught:
        client.release_many("pairs", pairs)
    assert caught.value.retry_after_s > 86_000
    with pytest.raises(fl.BudgetError) as caught:
        client.release_many("dora", 4 * pairs)
    assert caught.value.retry_after_s is None  # the cap never allows so many


@needs_the_program
def test_a_budget_is_exact(client):
    fresh = client.budget("anna+1@home")
    assert (fresh.spent, fresh.remaining, fresh.renews_at) == (0, Fraction(3, 100), None)
    client.release("anna+1@home", **TRUE)
    left = client.budget("anna+1@home")
    assert (left.spent, left.remaining) == (Fraction(1, 100), Fraction(2, 100))
    assert left.epsilon == Fraction(3, 100) and left.per_metre and left.window == timedelta(hours=24)
    assert left.positions_left == 2 and left.cap == CAP
    assert timedelta(0) < left.renews_at - datetime.now(timezone.utc) <= timedelta(hours=24, seconds=1)


@needs_the_program
def test_the_same_key_has_the_same_answer(service, client):
    first = client.release("anna", **TRUE, key="k1")
    again = client.release("anna", **TRUE, key="k1")
    assert first.charged and not again.charged
    assert (first.lon, first.lat, first.statement) == (again.lon, again.lat, again.statement)
    with pytest.raises(fl.InvalidOption) as caught:
        client.release("anna", lon=TRUE["lon"], lat=0, key="k1")
    assert caught.value.code == "idempotency-key-reused"
    nothing_private(service, caught.value)
    assert client.budget("anna").spent == Fraction(1, 100)


@needs_the_program
def test_over_the_budget_it_is_refused_or_has_the_latest(make_service):
    for rule in ("refuse", "latest"):
        service = make_service(**{"over-budget": rule})
        with service.client() as client:
            given = [client.release("anna", **TRUE) for _ in range(3)]
            if rule == "latest":
                free = client.release("anna", **TRUE)
                assert not free.charged and free.statement == given[-1].statement
                continue
            with pytest.raises(fl.BudgetError) as caught:
                client.release("anna", **TRUE)
            assert caught.value.code == "over-budget" and 86_000 < caught.value.retry_after_s <= 86_401
            assert pickle.loads(pickle.dumps(caught.value)).retry_after_s == caught.value.retry_after_s
            nothing_private(service, caught.value, repr(caught.value))


@needs_the_program
def test_a_token_is_needed_that_allows_it(service):
    wrong = "fog_" + 64 * "0"
    for token, code, status in ((wrong, "no-token", 401), (service.meter, "wrong-scope", 403)):
        client = fl.Client(service.url, token)
        for ask in (lambda c: c.release("anna", **TRUE), lambda c: c.budget("anna")):
            with pytest.raises(fl.AccessError) as caught:
                ask(client)
            assert (caught.value.code, caught.value.status) == (code, status)
            assert token not in f"{caught.value!r} {caught.value} {client!r}"
            nothing_private(service, caught.value)
        assert client.ready()  # which needs none


@needs_the_program
def test_what_the_service_refuses_names_the_field(service, client):
    with pytest.raises(fl.InvalidOption) as caught:
        client.release("anna", lon=TRUE["lon"], lat=-90.87654321)
    assert caught.value.field == "lat" and "-90 to 90" in str(caught.value)
    nothing_private(service, caught.value)
    with pytest.raises(fl.FoglineError):
        client.release("an na", **TRUE)
    with pytest.raises(fl.InvalidOption):
        client.budget("an/../na")
    for ask in (client.statement, client.answer):
        with pytest.raises(fl.ServiceError) as missing:
            ask("99-1")
        assert missing.value.status == 404
    with pytest.raises((fl.InvalidOption, fl.DataError)):
        client.release_many("anna", 1001 * [(0, 0)])
    assert client.budget("anna").spent == 0


def await_more(answered, more):
    """Until so many more calls have their answer."""
    most, until = len(answered) + more, time.monotonic() + STARTED_S
    while len(answered) < most:
        assert time.monotonic() < until, "no answers come"
        time.sleep(0.001)


@needs_the_program
def test_a_kill_and_a_restart_are_not_seen(service):
    """Killed under load and started again on its port: every call has its answer, every key its own, charged once."""
    service.kill()
    service.settings["cap"] = "epsilon 1000 per metre per subject in 24 h"
    for part in service.ledger.parent.glob(service.ledger.name + "*"):  # and its log, which the kill left
        part.unlink()
    service.start()
    stop, answered = threading.Event(), []
    with service.client(timeout=STARTED_S) as client:
        first = client.release("anna", **TRUE, key="before")

        def ask(thread):
            given = {}
            while not stop.is_set():
                key = f"{thread}-{len(given)}"
                given[key] = client.release(f"s{thread}", **TRUE, key=key)
                answered.append(key)
            return given

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(ask, thread) for thread in range(4)]
            try:
                for _ in range(3):
                    await_more(answered, 40)
                    service.kill()
                    service.start()
                await_more(answered, 40)
            finally:
                stop.set()
            given = [one.result() for one in asked]

        again = client.release("anna", **TRUE, key="before")
        assert not again.charged
        assert (again.lon, again.lat, again.statement) == (first.lon, first.lat, first.statement)
        for thread, answers in enumerate(given):
            assert len({one.statement for one in answers.values()}) == len(answers) > 0
            key, before = list(answers.items())[-1]
            after = client.release(f"s{thread}", **TRUE, key=key)
            assert (after.vertex, after.statement, after.charged) == (before.vertex, before.statement, False)
            # At most one more for each kill: what was charged, and not kept, stays charged.
            spent = client.budget(f"s{thread}").spent * 100
            assert len(answers) <= spent <= len(answers) + 3


@needs_the_program
def test_a_call_waits_for_a_service_that_is_away_for_a_moment(service):
    with service.client(timeout=STARTED_S) as client:
        first = client.release("anna", **TRUE, key="k")
        service.kill()
        assert not client.ready()
        starting = threading.Timer(0.3, service.start)
        starting.start()
        again = client.release("anna", **TRUE, key="k")
        assert (again.statement, again.charged) == (first.statement, False)
        starting.join()
        assert client.ready()


@needs_the_program
def test_nobody_there_is_told_in_time_and_with_the_key(service):
    service.kill()
    begin = time.monotonic()
    with pytest.raises(fl.ServiceError) as caught:
        service.client(timeout=0.5).release("anna", **TRUE)
    assert time.monotonic() - begin < 5
    assert re.fullmatch("[0-9a-f]{32}", caught.value.key) and caught.value.status is None
    nothing_private(service, caught.value, repr(caught.value))
    service.start()
    with service.client() as client:  # the key that was told pays once, whether it had arrived or not
        assert client.release("anna", **TRUE, key=caught.value.key).charged
        assert not client.release("anna", **TRUE, key=caught.value.key).charged


@needs_the_program
def test_threads_share_a_client(make_service):
    service = make_service(**{"over-budget": "refuse"})
    with service.client() as client, concurrent.futures.ThreadPoolExecutor(16) as pool:

        def ask(number):
            subject = f"s{number % 20}"
            try:
                return subject, client.release(subject, **TRUE).statement
            except fl.BudgetError:
                return subject, None

        given = list(pool.map(ask, range(200)))
        for subject in {name for name, _ in given}:
            statements = [one for name, one in given if name == subject and one]
            assert len(set(statements)) == len(statements) == 3
            assert client.budget(subject).positions_left == 0


@needs_the_program
def test_a_child_has_connections_of_its_own(client):
    first = client.release("anna", **TRUE, key="k")
    child = os.fork()
    if child == 0:
        is_same = False
        with contextlib.suppress(BaseException):
            is_same = all(client.budget("bo").spent == 0 for _ in range(20))
        os._exit(0 if is_same else 1)
    for _ in range(20):
        assert client.release("anna", **TRUE, key="k").statement == first.statement
    assert os.waitpid(child, 0)[1] == 0


@needs_the_program
def test_a_unix_socket_serves_as_well(make_service, tmp_path):
    service = make_service(listen=f"unix:{tmp_path / 'http'}")
    with service.client() as client:
        assert client.ready() and client.release("anna", **TRUE).charged
        assert repr(client) == f"Client('unix:{tmp_path / 'http'}')"
        service.kill()
        assert not client.ready()
        starting = threading.Timer(0.2, service.start)
        starting.start()
        assert client.budget("anna").spent == Fraction(1, 100)
        starting.join()


@contextlib.contextmanager
def stand_in(*answers):
    """Whoever else answers: (status, headers, body) in turn, None to hang up. The last one stays. Gives the address,
    and a list of keys and bodies that came."""
    came, left = [], list(answers)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            came.append((self.headers["Idempotency-Key"], body))
            answer = left.pop(0) if len(left) > 1 else left[0]
            if answer is None:
                self.close_connection = True
                return
            status, headers, text = answer
            self.send_response(status)
            for name, value in {"Content-Length": str(len(text)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(text if isinstance(text, bytes) else text.encode())

        do_GET = do_POST

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    serving = threading.Thread(target=server.serve_forever, args=(0.01,))
    serving.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", came
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


GIVEN = {"lon": 1.5, "lat": 2.5, "released_at": "2030-01-02T03:04:05Z", "statement": "3-1"}
GOOD = (200, {"Content-Type": "application/json", "Age": "7"}, json.dumps(GIVEN))


def problem(status, code, **headers):
    told = json.dumps({"type": "x", "title": code, "status": status, "code": code, "detail": "no"})
    return status, {"Content-Type": "application/problem+json", **headers}, told


def test_a_retry_is_the_same_request():
    late = problem(503, "not-ready", **{"Retry-After": "1"})
    with stand_in(None, late, (502, {}, "bad gateway"), GOOD) as (url, came):
        begin = time.monotonic()
        safe = fl.Client(url, "t").release("anna", **TRUE)
        assert time.monotonic() - begin >= 1
    assert (safe.lon, safe.lat, safe.vertex, safe.age_s, safe.charged) == (1.5, 2.5, None, 7, False)
    assert safe.released_at == datetime(2030, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
    assert len(came) == 4 and len(set(came)) == 1 and came[0][0]
    assert json.loads(came[0][1]) == {"subject": "anna", **TRUE}


def test_two_releases_have_two_keys():
    with stand_in(GOOD) as (url, came), fl.Client(url, "t") as client:
        client.release("anna", **TRUE)
        client.release("anna", **TRUE)
        client.release("anna", **TRUE, key="mine")
    keys = [key for key, _ in came]
    assert len(set(keys)) == 3 and keys[2] == "mine" and all(len(key) == 32 for key in keys[:2])


@pytest.mark.parametrize(
    "answer, status",
    [
        (problem(503, "ledger-refuses"), 503),
        (problem(500, "error"), 500),
        ((301, {"Location": "http://127.0.0.1:1/"}, ""), 301),
        ((404, {}, f"no page for {TRUE}"), 404),
        ((200, {}, "<html>"), None),
        ((200, {}, "[]"), None),
        ((200, {}, "{}"), None),
        ((200, {"Content-Type": "application/json"}, json.dumps({**GIVEN, "lon": [TRUE["lon"]]})), None),
    ],
)
def test_what_would_be_no_better_later_is_asked_once(answer, status):
    with stand_in(answer) as (url, came):
        with pytest.raises(fl.ServiceError) as caught:
            fl.Client(url, "t").release("anna", **TRUE)
    assert len(came) == 1 and caught.value.status == status
    assert not [digits for digits in DIGITS if digits in str(caught.value)]


@pytest.mark.parametrize(
    "answer",
    [
        problem(503, "too-busy", **{"Retry-After": "1"}),
        (429, {}, "slowly"),
        (200, {"Content-Length": "9"}, "{}"),
    ],
)
def test_it_gives_up_in_time(answer):
    with stand_in(answer) as (url, came):
        begin = time.monotonic()
        with pytest.raises(fl.ServiceError) as caught:
            fl.Client(url, "t", timeout=1.5).release("anna", **TRUE)
        assert time.monotonic() - begin < 5
    assert len(came) > 1 and len({key for key, _ in came}) == 1 and came[0][0] == caught.value.key


def test_ready_says_no_and_does_not_wait():
    with stand_in(problem(503, "not-ready", **{"Retry-After": "100"})) as (url, came):
        assert not fl.Client(url, "t").ready()
    assert len(came) == 1
    with stand_in((404, {}, "")) as (url, _), pytest.raises(fl.ServiceError):
        fl.Client(url, "t").ready()


@pytest.mark.parametrize(
    "ask, field",
    [
        (lambda c: c.release("anna", lon="0.00012345678x", lat=0), "lon"),
        (lambda c: c.release("anna", lon=0, lat=float("nan")), "lat"),
        (lambda c: c.release("anna", lon=0, lat=None), "lat"),
        (lambda c: c.release(7, **TRUE), "subject"),
        (lambda c: c.release("anna", **TRUE, key="k 1"), "key"),
        (lambda c: c.release("anna", **TRUE, key="k\r\nX: 1"), "key"),
        (lambda c: c.release("anna", **TRUE, key=""), "key"),
        (lambda c: c.release_many("anna"), "positions"),
        (lambda c: c.release_many("anna", [(1, 2)], lon=[1], lat=[2]), "positions"),
        (lambda c: c.release_many("anna", lon=[1]), "positions"),
        (lambda c: c.release_many("anna", lon=[1, 2], lat=[1]), "positions"),
        (lambda c: c.release_many("anna", [(0.00012345678, 2, 3)]), "positions"),
        (lambda c: c.release_many("anna", 0.00012345678), "positions"),
        (lambda c: c.release_many("anna", [(1, "0.00087654321")]), "lat"),
        (lambda c: c.budget(""), "subject"),
        (lambda c: c.budget(".."), "subject"),
        (lambda c: c.statement(".."), "id"),
        (lambda c: c.answer(""), "id"),
    ],
)
def test_wrong_arguments_never_leave_the_process(ask, field):
    with stand_in(GOOD) as (url, came):
        with pytest.raises(fl.InvalidOption) as caught:
            ask(fl.Client(url, "t"))
    assert caught.value.field == field and not came
    assert not [digits for digits in DIGITS if digits in f"{caught.value!r} {caught.value}"]


SECRET = "fog_secret"


@pytest.mark.parametrize(
    "url, token",
    [
        ("http://localhost:8080", ""),
        ("http://localhost:8080", f"{SECRET}\r\nX-More: 1"),
        ("http://localhost:8080", 7),
        ("localhost:8080", SECRET),
        ("ftp://localhost", SECRET),
        ("http://", SECRET),
        ("http://localhost:99999", SECRET),
        ("http://local host", SECRET),
        (f"http://{70 * 'a'}", SECRET),
        (f"http://app:{SECRET}@localhost", SECRET),
        (f"http://localhost?token={SECRET}", SECRET),
        ("http://[::1", SECRET),
        ("unix:", SECRET),
        (7, SECRET),
    ],
)
def test_an_address_and_a_token_are_needed(url, token, monkeypatch):
    monkeypatch.delenv("FOGLINE_TOKEN", raising=False)
    with pytest.raises(fl.InvalidOption) as caught:
        fl.Client(url, token)
    assert SECRET not in f"{caught.value!r} {caught.value}"


def test_a_token_is_not_shown_and_not_copied(monkeypatch):
    monkeypatch.setenv("FOGLINE_TOKEN", f"{SECRET}\n")  # as files of secrets end
    client = fl.Client("https://localhost/fogline/")
    assert repr(client) == "Client('https://localhost/fogline/')" and SECRET not in str(client)
    for hand_over in (pickle.dumps, copy.copy):
        with pytest.raises(TypeError, match="address"):
            hand_over(client)
    for timeout in (0, -1, float("nan"), "1", True):
        with pytest.raises(fl.InvalidOption):
            fl.Client("http://localhost", timeout=timeout)
    monkeypatch.delenv("FOGLINE_TOKEN")
    with pytest.raises(fl.InvalidOption, match="FOGLINE_TOKEN"):
        fl.Client("http://localhost")


def test_a_prefix_of_a_proxy_stands_before_every_path():
    paths = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            paths.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    serving = threading.Thread(target=server.serve_forever, args=(0.01,))
    serving.start()
    try:
        client = fl.Client(f"http://127.0.0.1:{server.server_port}/fogline/", "t")
        with pytest.raises(fl.ServiceError):
            client.budget("a/b@c é")
    finally:
        server.shutdown()
        serving.join()
        server.server_close()
    assert paths == ["/fogline/v1/subjects/a%2Fb%40c%20%C3%A9/budget"]
