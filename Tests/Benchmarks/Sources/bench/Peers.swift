// The programs that the daemon is compared with: nginx and Redis, each with one thread that sends the same bytes over a Unix socket.

import CLoad
import Glibc

/// A server with one request and its constant response.
struct Server {
  let name: String
  let program: RunningProgram
  let socket: String
  let request: [UInt8]
  /// The response's length, head and body.
  let answerBytes: Int

  init(name: String, program: RunningProgram, socket: String, request: String) throws(BenchError) {
    self.name = name
    self.program = program
    self.socket = socket
    self.request = Array(request.utf8)
    answerBytes = try exchange(request, on: socket).utf8.count
  }
}

/// Sends a request on a new connection and returns the response; an HTTP response must have the status 200.
func exchange(_ request: String, on socket: String) throws(BenchError) -> String {
  let bytes = Array(request.utf8)
  var answer = [CChar](repeating: 0, count: 4 << 20)
  var fault = [CChar](repeating: 0, count: 128)
  let count = load_fetch(socket, bytes, bytes.count, &answer, answer.count, &fault)
  guard count >= 0 else { throw BenchError("\(socket): \(text(fault))") }
  let text = String(decoding: answer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  if text.hasPrefix("HTTP/"), !text.hasPrefix("HTTP/1.1 200 ") { throw BenchError("\(socket): \(text.prefix(200))") }
  if text.hasPrefix("-") { throw BenchError("\(socket): \(text.prefix(200))") }
  return text
}

/// Converts a C string in an array to text.
func text(_ characters: [CChar]) -> String {
  String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Starts the compared programs, nginx and Redis, with their settings.
struct Peers {
  let folder: Workspace

  static func httpRequest(_ path: String) -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUser-Agent: gameconf-bench\r\nAccept: application/json\r\n\r\n"
  }

  /// Starts nginx with one worker that answers each path with fixed bytes, with as many headers as the daemon sends.
  func nginx(bodies: [String: String], headers: [(String, String)]) throws(BenchError) -> (program: RunningProgram, socket: String) {
    let program = try find("nginx")
    let socket = "\(folder.path)/nginx.sock"
    var locations = ""
    for (path, body) in bodies.sorted(by: { $0.key < $1.key }) {
      locations += "    location = \(path) {\n      default_type application/json;\n"
      for (name, value) in headers { locations += "      add_header \(name) \(quoted(value));\n" }
      locations += "      return 200 \(quoted(body));\n    }\n"
    }
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "  \($0)_temp_path \(folder.path)/\($0);" }.joined(
      separator: "\n")
    try folder.write(
      """
      daemon off;
      master_process off;
      worker_processes 1;
      pid \(folder.path)/nginx.pid;
      error_log stderr error;
      events { worker_connections 1024; }
      http {
        access_log off;
        keepalive_requests 1000000000;
        keepalive_timeout 3600s;
      \(temporary)
        geo $dollar { default "$"; }
        server {
          listen unix:\(socket);
      \(locations)  }
      }
      """, to: "nginx.conf")
    let running = try RunningProgram(
      [program, "-p", folder.path, "-c", "\(folder.path)/nginx.conf", "-e", "stderr"], cpu: CPUs.server, log: "\(folder.path)/nginx.log")
    try running.waitUntilAccepting(socket)
    return (running, socket)
  }

  /// Starts Redis without persistence, with each body as the value of a key.
  func redis(bodies: [String: String]) throws(BenchError) -> (program: RunningProgram, socket: String) {
    let program = try find("redis-server")
    let socket = "\(folder.path)/redis.sock"
    let running = try RunningProgram(
      [program, "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder.path],
      cpu: CPUs.server, log: "\(folder.path)/redis.log")
    try running.waitUntilAccepting(socket)
    for (name, body) in bodies {
      _ = try exchange("*3\r\n$3\r\nSET\r\n$\(name.utf8.count)\r\n\(name)\r\n$\(body.utf8.count)\r\n\(body)\r\n", on: socket)
    }
    return (running, socket)
  }

  static func redisRequest(_ name: String) -> String { "*2\r\n$3\r\nGET\r\n$\(name.utf8.count)\r\n\(name)\r\n" }

  private func find(_ program: String) throws(BenchError) -> String {
    for folder in ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"] where access("\(folder)/\(program)", X_OK) == 0 {
      return "\(folder)/\(program)"
    }
    throw BenchError("\(program) is not installed")
  }

  private func quoted(_ text: String) -> String {
    var result = "'"
    for character in text.unicodeScalars {
      switch character {
      case "'", "\\": result += "\\\(character)"
      case "$": result += "${dollar}"
      default: result.unicodeScalars.append(character)
      }
    }
    return result + "'"
  }
}
