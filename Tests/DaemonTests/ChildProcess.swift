// Runs programs for tests, with output that can be read line by line, and ends them with the test.

import Glibc

/// A child process whose output can be read while it runs.
final class ChildProcess {
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// The end of a process: its status and its output.
  struct Ending {
    let status: Int32
    let output: String
    let errors: String
  }

  private(set) var pid: pid_t = 0
  /// The value of `F_SETPIPE_SZ`, which Glibc does not export to Swift.
  private static let setPipeSize: Int32 = 1_031
  private static let pipeBytes: Int32 = 1 << 20
  private var outputDescriptor: Int32 = -1
  private var errorsDescriptor: Int32 = -1
  private var pendingErrors: [UInt8] = []
  private var hasEnded = false

  /// Starts a program with the test's environment and these changes.
  /// - Parameters:
  ///   - terminal: The path of a terminal that receives all output instead of the pipes.
  ///   - isTyped: True if the program also reads from that terminal.
  ///   - isNonBlocking: True if its output goes to a small non-blocking pipe, as in an event loop.
  init(
    _ path: String, _ arguments: [String], environment: [String: String] = [:], terminal: String? = nil, isTyped: Bool = false,
    isNonBlocking: Bool = false
  ) throws {
    var output: [Int32] = [-1, -1]
    var errors: [Int32] = [-1, -1]
    guard Self.closedOnExec(&output), Self.closedOnExec(&errors) else { throw Failure(description: "no pipe") }
    if isNonBlocking {
      _ = fcntl(output[1], Self.setPipeSize, 4_096)
      _ = fcntl(output[1], F_SETFL, fcntl(output[1], F_GETFL) | O_NONBLOCK)
    }
    outputDescriptor = output[0]
    errorsDescriptor = errors[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(
      &actions, 0, isTyped ? terminal ?? "/dev/null" : "/dev/null", isTyped ? O_RDWR | O_NOCTTY : O_RDONLY, 0)
    if let terminal {
      posix_spawn_file_actions_addopen(&actions, 1, terminal, O_RDWR | O_NOCTTY, 0)
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    } else {
      posix_spawn_file_actions_adddup2(&actions, output[1], 1)
      posix_spawn_file_actions_adddup2(&actions, errors[1], 2)
    }
    defer {
      posix_spawn_file_actions_destroy(&actions)
      close(output[1])
      close(errors[1])
    }
    var variables: [String: String] = [:]
    var at = environ
    while let entry = at.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") { variables[String(text[..<equals])] = String(text[text.index(after: equals)...]) }
      at += 1
    }
    for name in ["NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "JOURNAL_STREAM"] { variables[name] = nil }
    variables.merge(environment) { $1 }
    let argv = ([path] + arguments).map { strdup($0) } + [nil]
    let envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    // A shell without job control lets background processes ignore SIGINT, which the program would inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let result = posix_spawn(&pid, path, &actions, &attributes, argv, envp)
    guard result == 0 else { throw Failure(description: "cannot start \(path): \(String(cString: strerror(result)))") }
  }

  private static func closedOnExec(_ ends: inout [Int32]) -> Bool {
    guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else { return false }
    // A larger pipe than the default of 64 KiB: a daemon that logs a thousand changes would block on a full pipe that no one reads.
    _ = fcntl(ends[1], Self.setPipeSize, Self.pipeBytes)
    return true
  }

  deinit {
    if !hasEnded {
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
    }
    close(outputDescriptor)
    close(errorsDescriptor)
  }

  /// Reads standard error until a line contains the text, and returns all lines read; nil if the process ended before.
  func waitForLine(containing text: String, timeoutSeconds: Int32 = 60) -> [String]? {
    var lines: [String] = []
    while true {
      while let newline = pendingErrors.firstIndex(of: 10) {
        let line = String(decoding: pendingErrors[..<newline], as: UTF8.self)
        pendingErrors.removeSubrange(...newline)
        lines.append(line)
        if line.contains(text) { return lines }
      }
      var poller = pollfd(fd: errorsDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, timeoutSeconds * 1000) > 0 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(errorsDescriptor, &buffer, buffer.count)
      if count <= 0 {
        print("ended without saying “\(text)”:", lines.joined(separator: "\n"), String(decoding: pendingErrors, as: UTF8.self))
        return nil
      }
      pendingErrors.append(contentsOf: buffer[..<count])
    }
  }

  /// Reads one line of standard output, and blocks until it is there; nil at the end of the output.
  func outputLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(outputDescriptor, &byte, 1) == 1 {
      if byte == 10 { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  /// Waits until the process has printed something, without reading it.
  func waitForOutput() {
    var poller = pollfd(fd: outputDescriptor, events: Int16(POLLIN), revents: 0)
    poll(&poller, 1, -1)
  }

  func signal(_ number: Int32) { kill(pid, number) }

  /// Waits for the end, and returns the output that has not been read yet.
  func waitForEnd() -> Ending {
    // Reads both pipes alternately, because a full pipe would block the child.
    var texts: [Int32: [UInt8]] = [outputDescriptor: [], errorsDescriptor: pendingErrors]
    var open = Set([outputDescriptor, errorsDescriptor])
    while !open.isEmpty {
      var pollers = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&pollers, nfds_t(pollers.count), -1)
      for poller in pollers where poller.revents != 0 {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(poller.fd, &buffer, buffer.count)
        if count > 0 { texts[poller.fd]?.append(contentsOf: buffer[..<count]) } else { open.remove(poller.fd) }
      }
    }
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    hasEnded = true
    let code = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    return Ending(
      status: code, output: String(decoding: texts[outputDescriptor] ?? [], as: UTF8.self),
      errors: String(decoding: texts[errorsDescriptor] ?? [], as: UTF8.self))
  }
}

/// The folder of the built programs, beside the test bundle.
enum Built {
  static let folder: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    // The test runner loads the bundle as a library; its path is the first argument that ends in .xctest.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    if let bundle { return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") }
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }()

  static var daemon: String { folder + "/gameconfd" }
  static var control: String { folder + "/gameconfctl" }
  static var fetch: String { folder + "/gameconf-fetch" }

  /// The root folder of the source tree.
  static let tree: String = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
}
