// Log entries in the journal and on standard error, and the choice between the two.

import Glibc
import Logging
import Synchronization
import Testing

@testable import GameConfSystemd

@Suite("The daemon's log")
struct LogTests {
  private func record(
    _ level: Logger.Level = .warning, _ message: String = "refused", _ metadata: Logger.Metadata = [:], standing: [Logger.Metadata] = []
  ) -> LogRecord {
    let event = LogEvent(
      level: level, message: "\(message)", metadata: metadata, source: nil, file: "gameconfd/Wiring.swift", function: "run()", line: 42)
    return LogRecord(event, standing: standing) { "hash-of-\($0.count)" }
  }

  @Test("metadata of the declared log keys becomes journal fields beside message, priority and source location")
  func fields() {
    let metadata = Logger.Metadata.fields(
      .limitReached,
      [.game: "dartsscore", .key: "dart_size", .player: "p1", .revision: "7", .actorUID: "1000", .errorCode: "CATALOG_INVALID"])
    let fields = JournalEntry(record(.warning, "refused", metadata), identifier: "gameconfd").fields
    #expect(
      Set(fields) == [
        "MESSAGE=refused [actor_uid=1000 error_code=CATALOG_INVALID game=dartsscore key=dart_size player=hash-of-2 revision=7]",
        "PRIORITY=4", "SYSLOG_IDENTIFIER=gameconfd", "CODE_FILE=gameconfd/Wiring.swift", "CODE_LINE=42", "CODE_FUNC=run()",
        "MESSAGE_ID=20248c93efeb448dbe0e931db41d74be", "GAME=dartsscore", "KEY=dart_size", "PLAYER=hash-of-2", "REVISION=7",
        "ACTOR_UID=1000", "ERROR_CODE=CATALOG_INVALID",
      ])
  }

  @Test("a log level maps to syslog's priority", arguments: zip(Logger.Level.allCases, [7, 7, 6, 5, 4, 3, 2]))
  func priorities(level: Logger.Level, priority: Int) {
    #expect(level.journalPriority == priority)
  }

  @Test(
    "a metadata key outside the declared list cannot overwrite a field that the journal defines",
    arguments: [
      ("_uid", "GAMECONFD__UID"), ("MESSAGE", "GAMECONFD_MESSAGE"), ("a b=c\né", "GAMECONFD_A_B_C___"),
      (String(repeating: "x", count: 100), "GAMECONFD_" + String(repeating: "X", count: 48)),
    ])
  func otherKeys(key: String, name: String) {
    #expect(JournalEntry.otherName(key) == name)
  }

  @Test("a log entry's own metadata wins over the logger's, and the logger's over the provider's")
  func precedence() {
    let merged = record(.info, "m", ["a": "event"], standing: [["a": "provider", "b": "provider"], ["b": "logger", "c": "logger"]])
    #expect(merged.metadata.map(\.value) == ["event", "logger", "logger"])
  }

  @Test("messages and metadata values of the log are cut at whole characters, and surplus keys are dropped")
  func bounds() {
    let long = String(repeating: "é", count: LogRecord.messageBytesMax)
    let cut = record(.info, long, ["k": "\(long)"])
    #expect(cut.message.utf8.count == LogRecord.messageBytesMax)
    #expect(cut.metadata.first?.value.utf8.count == LogRecord.valueBytesMax)
    #expect("aé".cut(toBytes: 2) == "a")
    #expect("aé".cut(toBytes: 3) == "aé")
    #expect("a😀b".cut(toBytes: 4) == "a")
    #expect("a😀b".cut(toBytes: 5) == "a😀")
    let many = Logger.Metadata(uniqueKeysWithValues: (0...LogRecord.keysMax).map { ("k\($0)", "v") })
    #expect(record(.info, "m", many).metadata.count == LogRecord.keysMax)
  }

  @Test("a log line on standard error shows time, level, message and metadata, with control characters escaped")
  func line() {
    let hostile = record(.error, "a\nb\u{1B}[2J\u{9B}", ["game": "x\r"])
    #expect(
      StandardErrorLine(hostile, .timed(.init(count: 86_399))).text
        == "1970-01-01T23:59:59Z error: a\\nb\\u{1B}[2J\\u{9B} [game=x\\r]")
    #expect(StandardErrorLine(record(.critical, "m"), .prefixed).text == "<2>m")
    let reordered = record(.error, "a\u{202E}b\nc")
    #expect(StandardErrorLine(reordered, .prefixed).text == "<3>a\\u{202E}b\\nc")
    #expect(JournalEntry(reordered, identifier: "t").fields.first == "MESSAGE=a\\u{202E}b\nc")
  }

  @Test("a log line on standard error is written completely, with a line break")
  func writing() throws {
    var pair: [Int32] = [0, 0]
    try #require(pipe(&pair) == 0)
    StandardErrorLine(record(.info, "m", ["game": "x"]), .prefixed).write(to: pair[1])
    close(pair[1])
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(pair[0], &bytes, bytes.count)
    close(pair[0])
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "<6>m [game=x]\n")
  }

  @Test("a logger drops entries below its level, and hashes players' ids")
  func handler() {
    let written = Mutex<[String]>([])
    let write: @Sendable (LogRecord) -> Void = { record in written.withLock { $0.append(record.text) } }
    var logger = Logger(label: "test") { _ in JournalLogHandler(level: .notice, hashPlayer: { _ in "hashed" }, write: write) }
    logger[metadataKey: "game"] = "x"
    logger.info("too little")
    logger.notice("enough", metadata: .fields([.player: "secret"]))
    #expect(written.withLock { $0 } == ["enough [game=x player=hashed]"])
  }

  @Test("the log goes to the journal only if standard error is the journal's and its socket exists")
  func destination() throws {
    var pair: [Int32] = [0, 0]
    try #require(pipe(&pair) == 0)
    defer { pair.forEach { close($0) } }
    var file = stat()
    try #require(fstat(pair[1], &file) == 0)
    let stream = "\(file.st_dev):\(file.st_ino)"
    let socketPath = "/tmp/gameconfd-test-\(getpid()).sock"
    #expect(LogDestination.detect(journalStream: nil, output: pair[1], socket: "/dev/null") == .standardError)
    #expect(LogDestination.detect(journalStream: "1:2", output: pair[1], socket: "/dev/null") == .standardError)
    #expect(LogDestination.detect(journalStream: "", output: pair[1], socket: "/dev/null") == .standardError)
    #expect(LogDestination.detect(journalStream: stream, output: -1, socket: "/dev/null") == .standardError)
    #expect(LogDestination.detect(journalStream: stream, output: pair[1], socket: "/dev/null") == .journalStream)
    #expect(LogDestination.detect(journalStream: stream, output: pair[1], socket: socketPath) == .journalStream)

    let listener = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    defer {
      close(listener)
      unlink(socketPath)
    }
    try #require(bound == 0)
    #expect(LogDestination.detect(journalStream: stream, output: pair[1], socket: socketPath) == .journal)
  }
}
