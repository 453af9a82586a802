// Everything that can end a command early, what it says and how it exits.

import GameConfAPI
import GameConfCore
import GameConfTransport

enum CtlFailure: Error {
  /// A socket that was tried and what became of it.
  struct Attempt: Sendable {
    var path: String
    var error: TransportError
  }

  /// The command line does not fit together.
  case usage(Sentence)
  /// Nobody answers on any of these sockets.
  case noDaemon([Attempt])
  /// The daemon refused.
  case problem(Problem)
  /// The daemon began and did not end.
  case transport(TransportError, path: String)
  /// The daemon's answer is not one that this command knows.
  case unexpected(Fault, path: String)
  /// A file cannot be read or written.
  case file(path: String, detail: Sentence)
  /// The contents of a file or argument are not admitted.
  case refused([Sentence])
  /// Nothing was done since nobody said yes.
  case declined
  /// It was said already; only the status is left.
  case reported(ExitStatus)
  /// A command that was run ended with that status.
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

  /// The lines for standard error.
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

  /// The failure for programs: the daemon's own problem with all it has, else one of the same form; nil when it was said already.
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

  /// The advice for a user where no daemon answers.
  static let startingLine: Sentence = "Start it with “systemctl start gameconfd”, or from the source tree with “make run”."

  /// The advice where a daemon is reached and answers nothing: systemd listens for one that does not start.
  private static let silentLine: Sentence =
    "The daemon is busy or does not start: “systemctl status gameconfd” says which, and “gameconfd --check” names what refuses a start."

  private static func noDaemonLines(_ attempts: [Attempt]) -> [Sentence] {
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
    // A single one is reported in full by the detail already.
    let isTold = problem.errors.count == 1 && problem.detail.contains(problem.errors[0].detail)
    let rest: [Sentence] = (isTold ? [] : problem.errors).map { item in
      let place = item.pointer.map { $0.isEmpty ? "" : "\($0): " } ?? ""
      return "  \(place)\(item.detail.withOptions)\(item.code.map { " [\($0)]" } ?? "")"
    }
    return [first] + rest
  }

  /// The members at the top of a file, of which a pointer says where.
  private static let documentMembers: Set<Substring> = ["overrides", "parameters", "parameterGroups", "conditions", "flags", "$evaluators"]

  /// A place in a file or in a value; nil for what was typed by itself, whose name on the wire says nothing to who typed it.
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

  /// True if no answer came in time.
  var isSilence: Bool { if case .timedOut = self { true } else { false } }

  /// True if nobody was reached, so that another socket may be tried.
  var isUnreached: Bool {
    switch self {
    case .noSocket, .refused, .permissionDenied, .pathTooLong: true
    case .system, .malformedRequest, .timedOut, .malformedAnswer, .answerTooLarge, .connectionClosed, .cancelled: false
    }
  }
}

extension String {
  /// A sentence of the daemon with a command's options in the place of a call's query.
  var withOptions: String {
    ["force", "replace", "dry_run"].reduce(self) { $0.replacing("\($1)=true", with: "--" + $1.replacing("_", with: "-")) }
  }
}
