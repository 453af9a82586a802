// Every failure that ends a command early, with its message and exit status.

import GameConfAPI
import GameConfCore
import GameConfTransport

enum CtlFailure: Error {
  /// A failed attempt to reach the daemon on one socket.
  struct SocketAttempt: Sendable {
    var path: String
    var error: TransportError
  }

  /// The command line is invalid.
  case usage(Sentence)
  /// No daemon answers on any of these sockets.
  case noDaemon([SocketAttempt])
  /// The daemon refused the request with this problem.
  case problem(Problem)
  /// The connection failed before the daemon's response was complete.
  case transport(TransportError, path: String)
  /// The daemon's response has a form that this program does not know.
  case unexpected(Fault, path: String)
  /// A file cannot be read or written.
  case file(path: String, detail: Sentence)
  /// The contents of a file or an argument are invalid.
  case refused([Sentence])
  /// Nothing was done because the user did not confirm.
  case declined
  /// The failure is printed already, so that only the exit status is left.
  case reported(ExitStatus)
  /// The child command that the user named ended with this status.
  case command(Int32)
}

extension CtlFailure {
  var status: ExitStatus {
    switch self {
    case .usage: .usage
    case .noDaemon(let attempts): attempts.contains { $0.error.isPermission } ? .notAllowed : .noDaemon
    case .problem(let problem): problem.code.map(ExitStatus.init) ?? ExitStatus(httpStatus: problem.status)
    case .transport(.permissionDenied, _): .notAllowed
    case .transport, .unexpected: .noDaemon
    case .file, .refused, .declined: .refused
    case .reported(let status): status
    case .command: .refused
    }
  }

  /// The failure as lines for standard error.
  var lines: [Sentence] {
    switch self {
    case .usage(let message): [message]
    case .noDaemon(let attempts): Self.noDaemonLines(attempts)
    case .problem(let problem): Self.problemLines(problem)
    case .transport(let error, let path): ["\(path): \(error)"] + (error.isSilence ? [Self.silentLine] : [])
    case .unexpected(let fault, let path):
      ["\(path): the daemon's answer cannot be read at “\(fault.pointer)”: \(fault.message); is the daemon of another version?"]
    case .file(let path, let detail): ["\(path): \(detail)"]
    case .refused(let lines): lines
    case .declined: ["nothing was changed"]
    case .reported, .command: []
    }
  }

  /// The failure as JSON for programs: the daemon's problem with all its members, or an object of the same form. Nil if the failure is
  /// printed already.
  var wire: Value? {
    var object: ObjectValue
    switch self {
    case .reported, .command: return nil
    case .problem(let problem): object = problem.wire.objectValue ?? ObjectValue()
    default: object = ObjectValue([("code", .string(codeText)), ("detail", .string(lines.map(\.unescaped).joined(separator: "\n")))])
    }
    object["exit_status"] = .integer(Int64(status.rawValue))
    return .object(object)
  }

  private var codeText: String {
    switch self {
    case .usage: "USAGE"
    case .noDaemon: status == .notAllowed ? "NOT_ALLOWED" : "NO_DAEMON"
    case .problem(let problem): problem.codeText
    case .transport: "NO_ANSWER"
    case .unexpected: "UNEXPECTED_ANSWER"
    case .file: "FILE"
    case .refused: "REFUSED"
    case .declined, .reported, .command: "DECLINED"
    }
  }

  /// The advice if no daemon answers on any socket.
  static let startingLine: Sentence = "Start it with “systemctl start gameconfd”, or from the source tree with “make run”."

  /// The advice if a connection is accepted but no response comes. systemd may listen for a daemon that does not start.
  private static let silentLine: Sentence =
    "The daemon is busy or does not start: “systemctl status gameconfd” says which, and “gameconfd --check” names what refuses a start."

  private static func noDaemonLines(_ attempts: [SocketAttempt]) -> [Sentence] {
    let tried: [Sentence] = attempts.map { "  \($0.error)" }
    if attempts.contains(where: { $0.error.isPermission }) {
      return ["this user may not reach gameconfd; tried:"] + tried
        + ["Run it as root, or as a member of gameconf-admin, gameconf-publisher or gameconf-tester."]
    }
    return ["no gameconfd answers; tried:"] + tried + [
      startingLine,
      "Name another socket with --socket, GAMECONF_SOCKET or GAMECONF_ADMIN_SOCKET.",
    ]
  }

  private static func problemLines(_ problem: Problem) -> [Sentence] {
    var first: Sentence = "\(problem.detail.withOptions)"
    if problem.errors.count <= 1, let place = place(problem.pointer) { first += " (at \(place))" }
    if !problem.codeText.isEmpty { first += " [\(problem.codeText)]" }
    // If there is a single error, the problem's detail contains it already.
    let isInDetail = problem.errors.count == 1 && problem.detail.contains(problem.errors[0].detail)
    let rest: [Sentence] = (isInDetail ? [] : problem.errors).map { item in
      let place = item.pointer.map { $0.isEmpty ? "" : "\($0): " } ?? ""
      return "  \(place)\(item.detail.withOptions)\(item.code.map { " [\($0)]" } ?? "")"
    }
    return [first] + rest
  }

  /// The top-level members of the files that users send, such as templates. A JSON pointer that begins with one of them is a position in a
  /// file.
  private static let documentMembers: Set<Substring> = ["overrides", "parameters", "parameterGroups", "conditions", "flags", "$evaluators"]

  /// Returns the part of a JSON pointer that is a position in a file or a value. Returns nil for other pointers, because users do not know
  /// the members of requests.
  private static func place(_ pointer: String?) -> String? {
    guard let pointer else { return nil }
    let steps = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard let first = steps.first else { return nil }
    if documentMembers.contains(first) { return pointer }
    return ["value", "context"].contains(first) && steps.count > 1 ? "/" + steps.dropFirst().joined(separator: "/") : nil
  }
}

extension TransportError {
  var isPermission: Bool { if case .permissionDenied = self { true } else { false } }

  /// True if the daemon did not respond within the timeout.
  var isSilence: Bool { if case .timedOut = self { true } else { false } }

  /// True if the socket could not be reached, so that another socket may be tried.
  var isUnreached: Bool {
    switch self {
    case .noSocket, .refused, .permissionDenied, .pathTooLong: true
    case .system, .malformedRequest, .timedOut, .malformedAnswer, .answerTooLarge, .connectionClosed, .cancelled: false
    }
  }
}

extension String {
  /// The daemon's sentence with names of query parameters replaced by the command's options.
  var withOptions: String {
    ["force", "replace", "dry_run"].reduce(self) { $0.replacing("\($1)=true", with: "--" + $1.replacing("_", with: "-")) }
  }
}
