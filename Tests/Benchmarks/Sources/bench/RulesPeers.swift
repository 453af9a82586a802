// The evaluators that the rules are compared with: Unleash's core as a C library, flagd's evaluator in a separate Python; both come from
// PyPI.

import CLoad
import GameConfCore
import Glibc

/// The three measured flags in the syntax of Unleash and of flagd.
enum RulesPeers {
  /// JsonLogic in flagd's dialect, so that the same text serves the catalog and flagd.
  static let fiveAttributes = """
    {"and": [{"in": [{"var": "platform"}, ["ios", "android"]]}, {"sem_ver": [{"var": "app_version"}, "<", "1.4.0"]},
      {"in": [{"var": "country"}, ["SE", "NO"]]}, {">=": [{"var": "level"}, 3]}, {"starts_with": [{"var": "locale"}, "en"]}]}
    """

  static let flagdFlags = """
    {"flags": {
      "static_flag": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on"},
      "rollout_flag": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off", "targeting":
        {"if": [{"==": [{"var": "platform"}, "ios"]}, {"fractional": [["on", 10], ["off", 90]]}, "off"]}},
      "attributes_flag": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off", "targeting":
        {"if": [\(fiveAttributes), "on", "off"]}}}}
    """

  static let unleashState = """
    {"version": 2, "features": [
      {"name": "static_flag", "enabled": true, "strategies": [{"name": "default", "parameters": {}}]},
      {"name": "rollout_flag", "enabled": true, "strategies": [{"name": "flexibleRollout",
        "parameters": {"rollout": "10", "stickiness": "userId", "groupId": "rollout_flag"},
        "constraints": [{"contextName": "platform", "operator": "IN", "values": ["ios"]}]}]},
      {"name": "attributes_flag", "enabled": true, "strategies": [{"name": "default", "parameters": {}, "constraints": [
        {"contextName": "platform", "operator": "IN", "values": ["ios", "android"]},
        {"contextName": "app_version", "operator": "SEMVER_LT", "value": "1.4.0"},
        {"contextName": "country", "operator": "IN", "values": ["SE", "NO"]},
        {"contextName": "level", "operator": "NUM_GTE", "value": "3"},
        {"contextName": "locale", "operator": "STR_STARTS_WITH", "values": ["en"]}]}]}]}
    """
}

/// Unleash's core, loaded from its shared library, which is never unloaded.
struct Unleash {
  private typealias MakeEngine = @convention(c) () -> UnsafeMutableRawPointer?
  private typealias TakeState = @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
  private typealias CheckEnabled =
    @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>) -> UnsafeMutablePointer<
      CChar
    >?
  private typealias FreeResponse = @convention(c) (UnsafeMutablePointer<CChar>?) -> Void

  private let engine: UnsafeMutableRawPointer
  private let checkEnabled: CheckEnabled
  private let freeResponse: FreeResponse
  private let noCustomStrategies = Array("{}".utf8CString)
  private let isOn = "\"value\":true"

  init(library path: String, state: String) throws(BenchError) {
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw BenchError("\(path): \(String(cString: dlerror()))") }
    func symbol<Function>(_ name: String, _ type: Function.Type) throws(BenchError) -> Function {
      guard let address = dlsym(library, name) else { throw BenchError("\(path) has no \(name)") }
      return unsafeBitCast(address, to: type)
    }
    guard let engine = try symbol("new_engine", MakeEngine.self)() else { throw BenchError("\(path) makes no engine") }
    self.engine = engine
    checkEnabled = try symbol("check_enabled", CheckEnabled.self)
    freeResponse = try symbol("free_response", FreeResponse.self)
    let response = try symbol("take_state", TakeState.self)(engine, state)
    defer { freeResponse(response) }
    guard let response, String(cString: response).contains("\"Ok\"") else {
      throw BenchError("Unleash's core refuses the benchmark's flags")
    }
  }

  /// Evaluates a flag as Unleash's users do: the context goes in as JSON, and the result comes out as JSON.
  func isEnabled(_ name: String, _ context: [CChar]) -> Bool {
    guard let response = checkEnabled(engine, name, context, noCustomStrategies) else { return false }
    defer { freeResponse(response) }
    return strstr(response, isOn) != nil
  }
}

/// A Python interpreter with the packages of Unleash and flagd.
struct PeerPython {
  static let variable = "GAMECONF_BENCH_PYTHON"
  let path: String

  /// Returns the interpreter that the environment names, or else the one that `make bench` installed under this program's build folder.
  static func found() -> PeerPython? {
    if let named = getenv(variable) { return PeerPython(path: String(cString: named)) }
    guard let program = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(program) }
    var folder = String(cString: program)[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let python = "\(folder)/peers/bin/python3"
      if access(python, X_OK) == 0 { return PeerPython(path: python) }
    }
    return nil
  }

  /// Returns the path of Unleash's library; nil if its package is not installed.
  func unleashLibrary() throws(BenchError) -> String? {
    let line = try output("import yggdrasil_engine.engine as engine; print(engine._get_binary_path())")
    return line.isEmpty ? nil : line
  }

  /// Returns, for each key, the nanoseconds of one evaluation by flagd's evaluator, and the number of contexts for which the flag was on;
  /// nil if flagd's evaluator is not installed.
  func flagd(
    flags: String, contexts: [String], keys: [String], folder: Workspace
  ) throws(BenchError) -> [String: (nanoseconds: Double, on: Int)]? {
    try folder.write(flags, to: "flags.json")
    try folder.write("[\(contexts.joined(separator: ","))]", to: "contexts.json")
    let text = try output(
      """
      import json, logging, statistics, time
      logging.disable(logging.CRITICAL)
      from openfeature.contrib.tools.flagd.core import FlagdCore
      from openfeature.evaluation_context import EvaluationContext
      core = FlagdCore()
      core.set_flags(open("\(folder.path)/flags.json").read())
      contexts = [EvaluationContext(each.pop("targetingKey"), each) for each in json.load(open("\(folder.path)/contexts.json"))]
      for key in \(keys):
          ask = lambda context: core.resolve_boolean_value(key, False, context).value
          on = sum(map(ask, contexts))
          times = []
          for _ in range(7):
              began = time.perf_counter_ns()
              for _ in range(20):
                  for context in contexts:
                      ask(context)
              times.append((time.perf_counter_ns() - began) / (20 * len(contexts)))
          print(key, round(statistics.median(times)), on)
      """)
    var answers: [String: (nanoseconds: Double, on: Int)] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let nanoseconds = Double(words[1]), let on = Int(words[2]) else { continue }
      answers[String(words[0])] = (nanoseconds, on)
    }
    return answers.isEmpty ? nil : answers
  }

  /// Returns a script's output; empty if it fails, in which case the script prints the reason.
  private func output(_ script: String) throws(BenchError) -> String {
    let quoted = script.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    guard let pipe = popen("'\(path)' -c '\(quoted)'", "r") else { throw BenchError("cannot start \(path)") }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = fread(&bytes, 1, bytes.count, pipe)
    pclose(pipe)
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    return String(text.drop { $0 == "\n" }.reversed().drop { $0 == "\n" }.reversed())
  }
}
