// Rules about imports: the module table must allow them, and the file must use them.

/// The rule that a file imports only modules that the module table allows to its module.
let arrowsPointDown = FileRule(name: "imports follow the table") { file in
  guard file.isSource, let module = file.module else { return [] }
  guard let moduleRule = ModuleTable.moduleRule(module) else {
    return [Finding(path: file.path, line: 1, says: "\(module) is not in the house's table")]
  }
  return file.imports.filter { !moduleRule.mayImport.contains($0.module) && $0.module != "Foundation" }.map {
    Finding(path: file.path, line: $0.line, says: "\(module) may not import \($0.module); it may import \(moduleRule.mayImport.sorted())")
  }
}

/// The rule that source files import FoundationEssentials instead of Foundation. All of Foundation would cost the daemon 10 MB and several
/// milliseconds at start.
let noWholeFoundation = FileRule(name: "no whole Foundation") { file in
  guard file.isSource else { return [] }
  return file.imports.filter { $0.module == "Foundation" }.map {
    Finding(path: file.path, line: $0.line, says: "import FoundationEssentials, in a module that may; or decide otherwise in a record")
  }
}

/// Returns the imports that the module table allows to a module but that no file of the module has. A module that does not exist yet is
/// skipped.
func unusedPermissions(_ moduleRules: [ModuleRule], files: [SourceFile]) -> [Finding] {
  var imported: [String: Set<String>] = [:]
  for file in files where file.isSource && file.path.hasSuffix(".swift") {
    if let module = file.module { imported[module, default: []].formUnion(file.imports.map(\.module)) }
  }
  return moduleRules.flatMap { moduleRule in
    guard let imported = imported[moduleRule.module] else { return [Finding]() }
    return moduleRule.own.union(moduleRule.outside).subtracting(imported).sorted().map {
      Finding(
        path: "Tests/ArchitectureTests/House.swift", line: 0, says: "\(moduleRule.module) may import \($0), and none of its files does")
    }
  }
}

/// Returns the problem codes that only their list and gameconfctl name. The daemon never responds with such a code.
func unansweredCodes(files: [SourceFile]) -> [Finding] {
  guard let list = files.first(where: { $0.path == "Sources/GameConfCore/Refusals/ProblemCode.swift" }) else { return [] }
  var names: Set<String> = []
  for file in files where file.isSource && file.path != list.path && file.module != "gameconfctl" {
    for (previous, token) in zip(file.tokens, file.tokens.dropFirst()) where previous.isMark(".") && token.isName {
      names.insert(token.text)
    }
  }
  let tokens = list.tokens
  return tokens.indices.dropLast(3).compactMap { at in
    let (name, code) = (tokens[at + 1], tokens[at + 3])
    guard tokens[at].isWord("case"), name.isName, tokens[at + 2].isMark("="), code.kind == .text else { return nil }
    if names.contains(name.text) { return nil }
    return Finding(path: list.path, line: name.line, says: "nobody is answered \(code.text)")
  }
}

/// The rule that tests use Swift Testing and not XCTest.
let noXCTest = FileRule(name: "no XCTest") { file in
  file.imports.filter { $0.module == "XCTest" }.map { Finding(path: file.path, line: $0.line, says: "tests are Swift Testing's") }
}

/// The rule that a file uses every module that it imports. It needs the exported names of all modules.
struct UnusedImports: Sendable {
  /// The names that each module exports, by module.
  private let exported: [String: Set<String>]
  /// The names that each module declares itself, by module. The use of such a name does not prove that an import is needed.
  private let declared: [String: Set<String>]

  init(files: [SourceFile]) {
    var exported: [String: Set<String>] = [:]
    var declared: [String: Set<String>] = [:]
    for file in files {
      guard file.path.hasSuffix(".swift"), let module = file.module else { continue }
      exported[module, default: []].formUnion(file.exportedNames)
      declared[module, default: []].formUnion(file.declaredNames)
    }
    self.exported = exported
    self.declared = declared
  }

  /// Returns the imports of a file that it does not use, because it mentions no name that the imported module exports.
  func check(_ file: SourceFile) -> [Finding] {
    guard file.isSource || file.isTest, let module = file.module else { return [] }
    let mentioned = file.mentionedNames
    return file.imports.filter { !uses($0, mentioned: mentioned, in: file, of: module) }.map {
      Finding(path: file.path, line: $0.line, says: "nothing of \($0.module) is used here; remove the import")
    }
  }

  private func uses(_ each: Import, mentioned: Set<String>, in file: SourceFile, of module: String) -> Bool {
    let imported = each.module
    if mentioned.contains(imported) { return true }
    if let names = each.isTestable ? declared[imported] : exported[imported] {
      return !names.subtracting(declared[module] ?? []).subtracting(Self.saysNothing).isDisjoint(with: mentioned)
        || file.isTest && !names.isDisjoint(with: mentioned)
    }
    if imported == "Glibc" { return usesGlibc(file, declared: declared[module] ?? []) }
    guard let marks = Self.marks[imported] else { return true }
    return mentioned.contains { name in marks.contains { name.hasPrefix($0) } }
  }

  /// True if the file uses Glibc. There is no list of C's names. A call of a function that the module does not declare counts as a use, and
  /// so does a constant in capitals or a C type.
  private func usesGlibc(_ file: SourceFile, declared: Set<String>) -> Bool {
    for (index, token) in file.tokens.enumerated() where token.kind == .word {
      if Self.glibcTypes.contains(token.text) || Self.isConstant(token.text) { return true }
      let isMember = index > 0 && (file.tokens[index - 1].isMark(".") || file.tokens[index - 1].isWord("func"))
      if isMember || declared.contains(token.text) || Self.swiftCalls.contains(token.text) { continue }
      if index + 1 < file.tokens.count, file.tokens[index + 1].isMark("("), file.tokens[index + 1].touchesPrevious,
        token.text.first?.isLowercase == true
      {
        return true
      }
    }
    return false
  }

  private static func isConstant(_ word: String) -> Bool {
    word.count > 3 && word.first?.isLetter == true && word.allSatisfy { $0.isUppercase || $0.isNumber || $0 == "_" }
  }

  private static let glibcTypes: Set<String> = [
    "errno", "stat", "timespec", "timeval", "tm", "passwd", "group", "sockaddr_un", "sockaddr_in", "sockaddr", "iovec", "pollfd", "FILE",
    "stderr", "stdout", "stdin", "environ", "pid_t", "uid_t", "gid_t", "mode_t", "off_t", "socklen_t", "ucred", "rlimit", "sigaction",
    "dirent", "DIR", "ssize_t", "time_t", "sigset_t", "pthread_t", "rusage", "utsname", "winsize", "termios",
  ]

  private static let swiftCalls: Set<String> = [
    "min", "max", "abs", "print", "debugPrint", "zip", "type", "stride", "swap", "repeatElement", "sequence", "assert", "init", "self",
    "super", "withUnsafeBytes", "withUnsafePointer", "withUnsafeMutablePointer", "withUnsafeMutableBytes", "unsafeBitCast", "readLine",
    "withTaskGroup", "withThrowingTaskGroup", "withDiscardingTaskGroup", "withThrowingDiscardingTaskGroup", "withCheckedContinuation",
    "withCheckedThrowingContinuation", "withUnsafeContinuation", "withTaskCancellationHandler", "withExtendedLifetime", "numericCast",
    "unsafeDowncast", "withUnsafeTemporaryAllocation", "os", "arch", "canImport", "available", "if", "switch", "while", "for", "in",
    "return", "case", "where", "let", "var", "guard", "catch", "throws", "await", "try", "private", "fileprivate", "internal", "swift",
    "compiler", "hasFeature", "set", "unowned", "isolated", "nonisolated", "each", "repeat", "some", "any", "is", "as", "and", "or",
  ]

  /// The names that are too common to prove the use of an imported module.
  private static let saysNothing: Set<String> = [
    "value", "name", "key", "id", "count", "first", "last", "description", "index", "text", "path", "line", "kind", "run", "none", "some",
    "let", "var", "self", "isEmpty", "init", "get", "set", "list", "error", "all",
  ]

  /// The prefixes by which the rule recognizes names of modules in other packages and of C modules, by module.
  private static let marks: [String: [String]] = [
    "Synchronization": ["Mutex", "Atomic", "WordPair"],
    "Yams": ["Yams", "Parser", "Node", "YAML", "YamlError", "Event", "Mark", "Tag", "Resolver", "Emitter", "compose", "serialize", "load"],
    "FoundationEssentials": [
      "URL", "Data", "FileManager", "Date", "UUID", "JSON", "Calendar", "TimeZone", "Locale", "ProcessInfo", "PropertyList", "Decimal",
      "LocalizedError", "CocoaError", "CustomNSError", "POSIXError", "replacingOccurrences", "contentsOf", "components",
      "trimmingCharacters",
      "write", "range", "formatted", "Predicate", "IndexPath", "ISO8601", "FormatStyle", "String",
    ],
    "Collections": ["Deque", "Ordered", "Tree", "Heap", "Bit"],
    "DequeModule": ["Deque"],
    "OrderedCollections": ["Ordered"],
    "HashTreeCollections": ["Tree"],
    "HeapModule": ["Heap"],
    "BitCollections": ["Bit"],
    "Metrics": ["Counter", "Timer", "Recorder", "Gauge", "Meter", "FloatingPointCounter", "Metrics", "TimeUnit"],
    "CoreMetrics": ["Counter", "Timer", "Recorder", "Gauge", "Meter", "FloatingPointCounter", "Metrics", "TimeUnit"],
    "Logging": ["Log", "MultiplexLogHandler", "StreamLogHandler", "SwiftLog"],
    "NIOCore": [
      "NIO", "ByteBuffer", "Channel", "EventLoop", "SocketAddress", "TimeAmount", "IOError", "Scheduled", "CircularBuffer",
      "MarkedCircularBuffer", "RepeatedTask", "SocketOption", "IOData",
    ],
    "NIOPosix": [
      "MultiThreadedEventLoopGroup", "ServerBootstrap", "ClientBootstrap", "NIOThreadPool", "NIOPipeBootstrap", "DatagramBootstrap",
      "NIOSingletons", "NIOPosix", "NonBlockingFileIO", "NIOTypedApplication",
    ],
    "NIOConcurrencyHelpers": ["NIOLock", "NIOAtomic", "ConditionLock", "Lock"],
    "ServiceLifecycle": [
      "Service", "withGracefulShutdown", "gracefulShutdown", "cancelWhenGracefulShutdown", "withTaskCancellationOr", "cancelOnGraceful",
    ],
    "UnixSignals": ["UnixSignal"],
    "Configuration": [
      "Config", "AbsoluteConfigKey", "Environment", "CommandLine", "YAML", "File", "InMemory", "SecretsSpecifier", "MultiProvider",
    ],
    "ArgumentParser": [
      "Parsable", "AsyncParsable", "Argument", "Option", "Flag", "Command", "ExitCode", "ValidationError", "Expressible", "Completion",
      "CleanExit", "Enumerable",
    ],
    "CSQLite": ["sqlite3", "SQLITE_", "csqlite"],
    "CPostgres": ["cpostgres", "CPOSTGRES", "CPostgres"],
    "CSystemd": ["sd_", "SD_", "mallinfo", "malloc_"],
    "AsyncHTTPClient": ["HTTPClient"],
    "JWTKit": ["JWT", "ES", "RSA"],
    "Testing": ["Test", "Suite", "expect", "require", "Issue", "confirmation", "Tag", "withKnownIssue", "CustomTest", "Trait"],
  ]
}
