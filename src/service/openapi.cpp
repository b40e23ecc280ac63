// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "fogline/version.hpp"
#include "service/questions.hpp"
#include "service/service.hpp"

namespace fogline::service {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto subject_pattern = "^[A-Za-z0-9]([A-Za-z0-9._:@+-]{0,126}[A-Za-z0-9])?$";
constexpr auto problem_type = "application/problem+json";

Json reference(const std::string& name) {
  return {{"$ref", "#/components/schemas/" + name}};
}

Json content(const std::string& type, const Json& schema) {
  return {{type, {{"schema", schema}}}};
}

Json problem(const std::string& says) {
  return {{"description", says}, {"content", content(problem_type, reference("Problem"))}};
}

/// What every request may be answered.
Json with_problems(Json responses, const std::vector<std::pair<std::string, std::string>>& more) {
  responses["401"] = problem("No token that the service knows");
  responses["403"] = problem("A token that is not for this");
  responses["408"] = problem("The request came too slowly");
  responses["431"] = problem("Headers that are too long");
  responses["500"] = problem("Something went wrong in the service");
  responses["503"] = problem("Not ready, too busy, or no answer could be kept: ask again");
  for (const auto& [status, says] : more) responses[status] = problem(says);
  return responses;
}

Json header(const std::string& says, const std::string& type) {
  return {{"description", says}, {"schema", {{"type", type}}}};
}

/// From the table of fields that the body is checked by.
Json question_schema() {
  std::string subject;
  double lon = 0, lat = 0;
  release::FieldTable table;
  declare_position(table, subject, lon, lat);
  Json properties = release::schema(table, "place", "release").at("properties");
  properties["subject"]["pattern"] = subject_pattern;
  properties["subject"]["type"] = "string";
  for (const auto& [name, most] : {std::pair{"lon", most_east}, {"lat", most_north}}) {
    properties[name]["minimum"] = -most;
    properties[name]["maximum"] = most;
    properties[name].erase("default");
  }
  const Json position{{"type", "object"},
                      {"properties", {{"lon", properties.at("lon")}, {"lat", properties.at("lat")}}},
                      {"required", Json::array({"lon", "lat"})},
                      {"additionalProperties", false}};
  const Json one{{"type", "object"},
                 {"properties", properties},
                 {"required", {"subject", "lon", "lat"}},
                 {"additionalProperties", false}};
  const Json list{
      {"type", "object"},
      {"properties",
       {{"subject", properties.at("subject")},
        {"positions",
         {{"type", "array"}, {"minItems", 1}, {"maxItems", most_positions}, {"items", position}}}}},
      {"required", Json::array({"subject", "positions"})},
      {"additionalProperties", false}};
  return {{"oneOf", {one, list}}};
}

Json place_properties() {
  return {{"lon", {{"type", "number"}, {"description", "degrees east, of the released position"}}},
          {"lat", {{"type", "number"}, {"description", "degrees north"}}},
          {"vertex",
           {{"type", "string"}, {"description", "of the road network, where positions are released on it"}}}};
}

Json answer_schema() {
  const Json told{
      {"released_at", {{"type", "string"}, {"format", "date-time"}}},
      {"statement", {{"type", "string"}, {"description", "id of what was promised: /v1/statements/ID"}}}};
  Json one = place_properties();
  one.update(told);
  Json list{{"positions",
             {{"type", "array"},
              {"items",
               {{"type", "object"},
                {"properties", place_properties()},
                {"required", Json::array({"lon", "lat"})}}}}}};
  list.update(told);
  return {{"oneOf",
           {Json{{"type", "object"},
                 {"properties", one},
                 {"required", {"lon", "lat", "released_at", "statement"}}},
            Json{{"type", "object"},
                 {"properties", list},
                 {"required", {"positions", "released_at", "statement"}}}}}};
}

Json budget_schema() {
  const Json text{{"type", "string"}};
  return {{"type", "object"},
          {"properties",
           {{"cap", text},
            {"epsilon", text},
            {"per_metre", {{"type", "boolean"}}},
            {"window_s", {{"type", "integer"}}},
            {"spent", text},
            {"remaining", text},
            {"positions_left", {{"type", "integer"}}},
            {"renews_at", {{"type", Json::array({"string", "null"})}, {"format", "date-time"}}}}},
          {"required",
           {"cap", "epsilon", "per_metre", "window_s", "spent", "remaining", "positions_left", "renews_at"}}};
}

Json problem_schema() {
  const Json text{{"type", "string"}};
  return {{"type", "object"},
          {"properties",
           {{"type", text},
            {"title", text},
            {"status", {{"type", "integer"}}},
            {"code", text},
            {"detail", text},
            {"field", text},
            {"allowed", text},
            {"to_try", text}}},
          {"required", {"type", "title", "status", "code"}}};
}

Json in_path(const std::string& name, const Json& schema) {
  return {{"name", name}, {"in", "path"}, {"required", true}, {"schema", schema}};
}

Json release_operation() {
  const Json key{
      {"name", "Idempotency-Key"},
      {"in", "header"},
      {"description", "of a request that may be sent again: it has the same answer, and is charged once"},
      {"schema", {{"type", "string"}, {"pattern", "^[!-~]{1,255}$"}}}};
  const Json answer{{"description", "The released position, or positions"},
                    {"headers",
                     {{"Age", header("Seconds since it was released", "integer")},
                      {"Fogline-Charged", header("Was this request charged?", "string")}}},
                    {"content", content("application/json", reference("Answer"))}};
  return {
      {"operationId", "releasePlaces"},
      {"summary", "Release the position of a subject, or a list of them"},
      {"parameters", {key}},
      {"requestBody", {{"required", true}, {"content", content("application/json", reference("Question"))}}},
      {"responses",
       with_problems({{"200", answer}},
                     {{"400", "A body or key that is not what is asked for"},
                      {"409", "Paid for under other settings, and never answered"},
                      {"413", "A body that is too long"},
                      {"422", "The Idempotency-Key was used with another body"},
                      {"429", "The subject's budget is spent; Retry-After says when it renews"}})}};
}

Json plan_operation() {
  const Json body{
      {"type", "object"},
      {"properties",
       {{"positions", {{"type", "integer"}, {"minimum", 1}, {"maximum", most_positions}, {"default", 1}}}}},
      {"additionalProperties", false}};
  const Json answer{{"description", "Promise, cost and expected error"},
                    {"content", content("application/json", reference("Plan"))}};
  return {{"operationId", "planPlaces"},
          {"summary", "What positions of a subject would cost and promise; from public things, and free"},
          {"requestBody", {{"required", true}, {"content", content("application/json", body)}}},
          {"responses", with_problems({{"200", answer}}, {{"400", "A body that is not what is asked for"},
                                                          {"413", "A body that is too long"}})}};
}

Json plan_schema() {
  const Json text{{"type", "string"}}, sentences{{"type", "array"}, {"items", text}};
  return {{"type", "object"},
          {"properties",
           {{"mechanism", text},
            {"guarantee", text},
            {"promise", sentences},
            {"not_protected", sentences},
            {"positions", {{"type", "integer"}}},
            {"cost", text},
            {"cap", text},
            {"within_cap", {{"type", "boolean"}}},
            {"refresh_s", {{"type", "integer"}}},
            {"expected_error",
             {{"type", "object"}, {"properties", {{"value", {{"type", "number"}}}, {"unit", text}}}}}}},
          {"required",
           {"mechanism", "guarantee", "promise", "not_protected", "positions", "cost", "cap", "within_cap",
            "refresh_s"}}};
}

Json get(const std::string& id, const std::string& says, const std::string& parameter,
         const Json& parameter_schema, const Json& contents) {
  Json operation{{"operationId", id},
                 {"summary", says},
                 {"responses",
                  with_problems({{"200", {{"description", says}, {"content", contents}}}},
                                {{"400", "A name that none can have"}, {"404", "There is no such thing"}})}};
  if (!parameter.empty()) operation["parameters"] = Json::array({in_path(parameter, parameter_schema)});
  return {{"get", operation}};
}

/// Needs no token, and is never refused for one.
Json open(Json path, bool waits = false) {
  path["get"]["security"] = Json::array();
  Json& responses = path["get"]["responses"];
  for (const char* status : {"400", "401", "403", "404"}) responses.erase(status);
  if (!waits) responses.erase("503");
  return path;
}

}  // namespace

std::string openapi() {
  const Json text{{"type", "string"}}, object{{"type", "object"}};
  const Json id{{"type", "string"}, {"pattern", "^[1-9][0-9]{0,18}-[1-9][0-9]{0,18}$"}};
  const Json subject{{"type", "string"}, {"pattern", subject_pattern}};
  const Json json_object = content("application/json", object);
  const Json api{
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "Fogline"},
        {"version", std::string(version)},
        {"description", "Positions under differential privacy, with a budget for each subject."}}},
      {"security", Json::array({{{"token", Json::array()}}})},
      {"paths",
       {{"/v1/place/release", {{"post", release_operation()}}},
        {"/v1/place/plan", {{"post", plan_operation()}}},
        {"/v1/subjects/{subject}/budget", get("getBudget", "What a subject has left", "subject", subject,
                                              content("application/json", reference("Budget")))},
        {"/v1/statements/{id}",
         get("getStatement", "What was promised for an answer", "id", id, json_object)},
        {"/v1/answers/{id}", get("getAnswer", "The answer as the statement names it, in CSV", "id", id,
                                 content("text/csv", text))},
        {"/livez", open(get("isAlive", "The process runs", "", {}, json_object))},
        {"/readyz", open(get("isReady", "Ledger and mechanism are verified", "", {}, json_object), true)},
        {"/metrics", get("getMetrics", "Counts, for Prometheus", "", {}, content("text/plain", text))},
        {"/openapi.json", open(get("getInterface", "This description", "", {}, json_object))}}},
      {"components",
       {{"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}},
        {"schemas",
         {{"Question", question_schema()},
          {"Answer", answer_schema()},
          {"Plan", plan_schema()},
          {"Budget", budget_schema()},
          {"Problem", problem_schema()}}}}}};
  constexpr int indent = 2;
  return api.dump(indent) + "\n";
}

}  // namespace fogline::service
