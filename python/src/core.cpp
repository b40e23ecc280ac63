// SPDX-License-Identifier: Apache-2.0
// The compiled part of the package: requests as JSON, records as columns, and what a task says meanwhile. Python code above it makes signatures of the
// tables of fields, and frames of columns.
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bound_ledger.hpp"
#include "columns.hpp"
#include "live.hpp"
#include "waiting.hpp"

namespace fogline::python {
namespace {

/// What Fogline throws becomes an exception of `fogline._errors`, which knows the classes.
void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::object made =
        nb::module_::import_("fogline._errors").attr("exception_of")(to_json(error.problem()));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  }
}

Released release(const std::string& kind, const std::string& verb, const std::string& fields,
                 nb::object records, nb::object ledger, nb::object hear, nb::object show, int threads,
                 const std::optional<std::string>& passphrase) {
  Ear ear(std::move(hear), std::move(show));
  const auto* columns = records.is_none() ? nullptr : nb::cast<const Records*>(records);
  Ledger* opened = &nb::cast<BoundLedger&>(ledger).get();
  return run_while_listening(ear, threads, nb::make_tuple(records, ledger), [=](Listener& listener) {
    Request request(kind, verb);
    request.set_json(fields);
    if (passphrase) request.passphrase([&] { return *passphrase; });
    if (columns != nullptr) request.input(columns->columns());
    return request.run(*opened, listener);
  });
}

/// The steps of a release before its records.
void ask(const std::string& kind, const std::string& verb, const std::string& fields, nb::object ledger,
         int threads) {
  Ear ear{nb::none(), nb::none()};
  Ledger* opened = &nb::cast<BoundLedger&>(ledger).get();
  run_while_listening(ear, threads, ledger, [=](Listener& listener) {
    Request request(kind, verb);
    request.set_json(fields);
    request.ask(*opened, listener);
    return true;
  });
}

Findings analyse(const std::string& kind, const std::string& verb, const std::string& fields,
                 nb::object ledger, nb::object hear, nb::object show, int threads) {
  Ear ear(std::move(hear), std::move(show));
  Ledger* opened = ledger.is_none() ? nullptr : &nb::cast<BoundLedger&>(ledger).get();
  return run_while_listening(ear, threads, ledger, [=](Listener& listener) {
    Analysis analysis(kind, verb);
    analysis.set_json(fields);
    if (opened != nullptr) analysis.ask(*opened);
    return analysis.run(listener);
  });
}

/// (JSON, CSV, SVG, page, is confirmed)
std::tuple<std::string, std::string, std::string, std::string, bool> computed_figure(
    const std::string& name, bool quick, const std::string& data, nb::object hear, nb::object show,
    int threads) {
  Ear ear(std::move(hear), std::move(show));
  ComputedFigure figure = run_while_listening(ear, threads, nb::none(), [=](Listener& listener) {
    return compute_figure({.name = name, .quick = quick, .data = data}, listener);
  });
  return {std::move(figure.json), std::move(figure.csv), std::move(figure.svg), std::move(figure.page),
          figure.confirmed};
}

std::vector<std::pair<std::string, std::string>> figure_names() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const FigureName& figure : figures()) all.emplace_back(figure.name, figure.what);
  return all;
}

/// (name, key, file)
std::tuple<std::string, std::string, std::string> made_key(const std::string& path, const std::string& name,
                                                           const std::string& passphrase,
                                                           const std::string& replaces,
                                                           const std::string& replaces_passphrase,
                                                           bool overwrite) {
  const nb::gil_scoped_release unlocked;  // a passphrase is stretched, which takes a second
  PublicKey key = make_key({.path = path,
                            .name = name,
                            .passphrase = passphrase,
                            .replaces = replaces,
                            .replaces_passphrase = replaces_passphrase,
                            .overwrite = overwrite});
  return {std::move(key.name), std::move(key.key), std::move(key.file)};
}

std::string revoked(const std::string& file, const std::string& reason, const std::string& passphrase) {
  const nb::gil_scoped_release unlocked;
  return revocation(file, reason, passphrase);
}

Measure measure_of(bool per_metre) {
  return per_metre ? Measure::per_metre : Measure::plain;
}

std::tuple<std::string, std::string, std::string> as_tuple(const Budget& budget) {
  return {budget.spent, budget.cap, budget.remaining};
}

nb::dict as_dict(const LedgerLine& line) {
  nb::dict told;
  told["number"] = line.number;
  told["time_unix_s"] = line.time_unix_s;
  told["event"] = line.event;
  told["dataset"] = line.dataset;
  told["kind"] = line.kind;
  told["mechanism"] = line.mechanism;
  told["output"] = line.output;
  told["guarantee"] = line.guarantee;
  told["settles"] = line.settles;
  told["output_sha256"] = line.output_sha256;
  told["statement_sha256"] = line.statement_sha256;
  told["hash"] = line.hash;
  return told;
}

nb::list as_list(const std::vector<LedgerLine>& lines) {
  nb::list all;
  for (const LedgerLine& line : lines) all.append(as_dict(line));
  return all;
}

/// ("rows", [(name, value)]), ("table", [(title, width, is_right)], rows) or ("sentence", text).
nb::object as_python(const Findings::Piece& piece) {
  if (const auto* sentence = std::get_if<Findings::Sentence>(&piece))
    return nb::make_tuple("sentence", *sentence);
  if (const auto* rows = std::get_if<Findings::Rows>(&piece)) {
    nb::list pairs;
    for (const auto& [name, value] : *rows) pairs.append(nb::make_tuple(name, value));
    return nb::make_tuple("rows", pairs);
  }
  const auto& table = std::get<Findings::Table>(piece);
  nb::list columns;
  for (const auto& column : table.columns)
    columns.append(nb::make_tuple(column.title, column.width, column.align == Findings::Align::right));
  return nb::make_tuple("table", columns, table.rows);
}

nb::list pieces_of(const Findings& found) {
  nb::list pieces;
  for (const auto& piece : found.pieces) pieces.append(as_python(piece));
  return pieces;
}

std::vector<std::tuple<std::string, std::string, bool>> all_verbs() {
  std::vector<std::tuple<std::string, std::string, bool>> all;
  for (const Verb& verb : verbs()) all.emplace_back(verb.kind, verb.verb, verb.releases);
  return all;
}

/// Of what opens, reads or writes a ledger: another thread or process may have it locked, and nobody's Python waits for that.
using Unlocked = nb::call_guard<nb::gil_scoped_release>;

nb::list lines_of(BoundLedger& ledger) {
  std::vector<LedgerLine> lines;
  {
    const nb::gil_scoped_release unlocked;
    lines = ledger.get().lines();
  }
  return as_list(lines);
}

void define_ledger(nb::module_& module) {
  nb::class_<BoundLedger>(module, "Ledger")
      .def(nb::init<const std::string&, const std::string&>(), nb::arg("path"), nb::arg("anchor") = "",
           Unlocked())
      .def_prop_ro("path", [](BoundLedger& ledger) { return ledger.get().path(); })
      .def(
          "add_dataset",
          [](BoundLedger& ledger, const std::string& dataset, const std::vector<std::string>& caps) {
            ledger.get().add_dataset(dataset, caps);
          },
          Unlocked())
      .def(
          "add_uncapped_dataset",
          [](BoundLedger& ledger, const std::string& dataset) { ledger.get().add_uncapped_dataset(dataset); },
          Unlocked())
      .def(
          "set_cap",
          [](BoundLedger& ledger, const std::string& dataset, const std::string& epsilon, bool per_metre) {
            ledger.get().set_cap(dataset, epsilon, measure_of(per_metre));
          },
          Unlocked())
      .def(
          "set_cap_of",
          [](BoundLedger& ledger, const std::string& dataset, const std::string& cap) {
            ledger.get().set_cap(dataset, cap);
          },
          Unlocked())
      .def(
          "set_refusals",
          [](BoundLedger& ledger, const std::string& dataset, std::uint64_t most) {
            ledger.get().set_refusals(dataset, most);
          },
          Unlocked())
      .def_static(
          "accept",
          [](const std::string& path, const std::string& anchor, const std::string& reason) {
            return std::make_unique<BoundLedger>(Ledger::accept(path, anchor, reason));
          },
          Unlocked())
      .def(
          "budget",
          [](BoundLedger& ledger, const std::string& dataset, bool per_metre) {
            return as_tuple(ledger.get().budget(dataset, measure_of(per_metre)));
          },
          Unlocked())
      .def(
          "person_loss",
          [](BoundLedger& ledger, const std::string& dataset, bool per_metre) {
            const PersonLoss loss = ledger.get().person_loss(dataset, measure_of(per_metre));
            return std::make_tuple(as_tuple(loss.most), loss.unbounded_releases);
          },
          Unlocked())
      .def(
          "datasets", [](BoundLedger& ledger) { return ledger.get().datasets(); }, Unlocked())
      .def("lines", &lines_of)
      .def(
          "head", [](BoundLedger& ledger) { return ledger.get().head(); }, Unlocked());
}

void define_results(nb::module_& module) {
  nb::class_<Released>(module, "Released")
      .def_ro("statement", &Released::statement)
      .def_ro("statement_file", &Released::statement_file)
      .def_ro("guarantee", &Released::guarantee)
      .def_ro("records", &Released::records)
      .def_ro("entry", &Released::entry)
      .def_ro("told", &Released::told)
      .def_ro("text", &Released::text)
      .def_prop_ro("begins", [](const Released& released) { return released.text.substr(0, 1); })
      .def_ro("more", &Released::more)
      .def("columns", [](const Released& released) {
        std::optional<ColumnSet> columns;
        {
          const nb::gil_scoped_release unlocked;
          columns = released.columns();
        }
        return to_python(*columns);
      });
  nb::class_<Findings>(module, "Findings")
      .def_ro("json", &Findings::json)
      .def_ro("passed", &Findings::passed)
      .def_ro("is_shown", &Findings::is_shown)
      .def_prop_ro("pieces", &pieces_of);
}

void define_records(nb::module_& module) {
  nb::class_<Records>(module, "Records")
      .def(nb::init<>())
      .def("number", &Records::number)
      .def("integer", &Records::integer)
      .def("text", &Records::text)
      .def("arrow", &Records::arrow)
      .def("names", &Records::names)
      .def("address", &Records::address)
      .def("integers", &Records::integers)
      .def("csv", &Records::csv, nb::arg("digits_of_degrees") = -1)
      .def("__len__", [](const Records& records) { return records.columns().records(); });
}

}  // namespace

NB_MODULE(_core, module) {
  nb::register_exception_translator(translate);
  module.attr("version") = std::string(version);
  module.def("verbs", &all_verbs);
  module.def("await_left", &Call::await_left);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&Call::end));
  module.def("schema", [](const std::string& kind, const std::string& verb) { return schema(kind, verb); });
  module.def("claims", &claims);
  module.def("figures", &figure_names);
  module.def("compute_figure", &computed_figure, nb::arg("name"), nb::arg("quick"), nb::arg("data"),
             nb::arg("hear").none(), nb::arg("show").none(), nb::arg("threads"));
  module.def("make_key", &made_key);
  module.def("revocation", &revoked);
  const auto publication = [](const std::array<std::string, 5>& said) {
    return Publication{
        .title = said[0], .curator = said[1], .use = said[2], .region = said[3], .contact = said[4]};
  };
  module.def("registry_entry", [=](const std::string& statement, const std::array<std::string, 5>& said) {
    return registry_entry(statement, publication(said));
  });
  module.def("notice", [=](const std::string& statement, const std::array<std::string, 5>& said) {
    return notice(statement, publication(said));
  });
  module.def("notice_body", [=](const std::string& statement, const std::array<std::string, 5>& said) {
    return notice_body(statement, publication(said));
  });
  define_ledger(module);
  define_records(module);
  define_results(module);
  nb::class_<BoundLive>(module, "Live")
      .def(nb::init<const std::string&, const std::string&, BoundLedger&, nb::object, int,
                    std::optional<std::string>>(),
           nb::keep_alive<1, 4>(), nb::arg("kind"), nb::arg("fields"), nb::arg("ledger"),
           nb::arg("hear").none(), nb::arg("threads"), nb::arg("passphrase").none())
      .def("step", [](BoundLive& live, const std::string& lines) { return live.get().step(lines); })
      .def("answered", [](BoundLive& live) { return live.get().answered(); })
      .def("close", [](BoundLive& live) { return live.get().close(); });
  module.def("release", &release, nb::arg("kind"), nb::arg("verb"), nb::arg("fields"),
             nb::arg("records").none(), nb::arg("ledger"), nb::arg("hear").none(), nb::arg("show").none(),
             nb::arg("threads"), nb::arg("passphrase").none());
  module.def("ask", &ask);
  module.def("analyse", &analyse, nb::arg("kind"), nb::arg("verb"), nb::arg("fields"),
             nb::arg("ledger").none(), nb::arg("hear").none(), nb::arg("show").none(), nb::arg("threads"));
}

}  // namespace fogline::python
