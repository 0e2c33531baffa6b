// A host in C++: the handles behind std::unique_ptr, errors as exceptions.
//   c++ -std=c++17 example.cc $(pkg-config --cflags --libs plan_gate)
#include <plan_gate.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

struct Free {
  void operator()(plan_gate *gate) const { plan_gate_free(gate); }
  void operator()(plan_gate_session *session) const { plan_gate_session_free(session); }
};
using Gate = std::unique_ptr<plan_gate, Free>;
using Session = std::unique_ptr<plan_gate_session, Free>;

// The text of a buffer, which is freed whatever happens.
std::string take(plan_gate_buf &buf) {
  struct Owner {
    plan_gate_buf &buf;
    ~Owner() { plan_gate_buf_free(&buf); }
  } owner{buf};
  return buf.data == nullptr ? std::string() : std::string(buf.data, buf.len);
}

Gate open_gate(std::string_view config) {
  plan_gate *gate = nullptr;
  plan_gate_buf error = PLAN_GATE_BUF_INIT;
  const auto status = plan_gate_new(config.data(), config.size(), &gate, &error);
  const std::string message = take(error);
  if (status != PLAN_GATE_STATUS_OK) throw std::runtime_error(message);
  return Gate(gate);
}

Session open_session(const Gate &gate, std::string_view id) {
  plan_gate_session *session = nullptr;
  const auto status = plan_gate_session_open(gate.get(), id.data(), id.size(), &session);
  if (status != PLAN_GATE_STATUS_OK) throw std::runtime_error(plan_gate_status_text(status));
  return Session(session);
}

std::string request(const Session &session, std::string_view json) {
  plan_gate_buf answer = PLAN_GATE_BUF_INIT;
  const auto status = plan_gate_session_request(session.get(), json.data(), json.size(), &answer);
  std::string text = take(answer);
  if (status != PLAN_GATE_STATUS_OK) throw std::runtime_error(text);
  return text;
}

void call_tool(const Session &session, std::string_view tool, std::string_view args) {
  const bool allowed =
      plan_gate_session_allows(session.get(), tool.data(), tool.size(), args.data(), args.size());
  std::cout << (allowed ? "run: " : "not run: ") << tool << ' ' << args << '\n';
}

}  // namespace

int main() try {
  if (plan_gate_abi_version() != PLAN_GATE_ABI_VERSION)
    throw std::runtime_error("the plan gate library does not fit this program; no tool may act");
  const Gate gate = open_gate(R"({"profile":"dsh"})");
  const Session session = open_session(gate, "s1");
  const auto write = R"({"file_path":"src/login.ts","content":"new"})";
  call_tool(session, "read", R"({"file_path":"src/login.ts"})");
  call_tool(session, "write", write);
  std::cout << request(session, R"({"op":"propose","plan":{"title":"SMS login","plan":"Rewrite the form.",
                                    "tools":["write"],"files":["src/login.ts"]}})") << '\n';
  // Only what a person typed goes in here.
  if (plan_gate_session_reply(session.get(), PLAN_GATE_SOURCE_USER, "ok", 2, nullptr, 0) >> 24 != 0)
    throw std::runtime_error("the reply was not read");
  call_tool(session, "write", write);
  call_tool(session, "write", R"({"file_path":"src/db.ts","content":"new"})");
} catch (const std::exception &error) {
  std::cerr << error.what() << '\n';
  return 1;
}
