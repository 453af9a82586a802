// Hostile files on a thread with half a megabyte of stack: faults, never a crash. The frames of a debug build are larger, and every library that
// the tests link takes of a thread's stack what it keeps for each thread.

import GameConfCore
import GameConfFormats
import Glibc
import Synchronization
import Testing

/// Runs the work on a thread of that stack size and waits for it.
private func onThread(stackBytes: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
  final class Box: Sendable {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
  var attributes = pthread_attr_t()
  var thread = pthread_t()
  guard pthread_attr_init(&attributes) == 0, pthread_attr_setstacksize(&attributes, stackBytes) == 0 else { return false }
  defer { pthread_attr_destroy(&attributes) }
  let argument = Unmanaged.passRetained(Box(work)).toOpaque()
  let started = pthread_create(
    &thread, &attributes,
    { argument in
      if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work() }
      return nil
    }, argument)
  return started == 0 && pthread_join(thread, nil) == 0
}

@Suite("Catalogs on a small stack")
struct SmallStackTests {
  #if DEBUG
    private static let stackBytes = 768 << 10
  #else
    private static let stackBytes = 512 << 10
  #endif

  static let texts: [String] = [
    String(repeating: "[", count: 10_000), "a: " + String(repeating: "{a: ", count: 10_000),
    "a: " + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000),
    "a:\n  " + String(repeating: "- ", count: 10_000) + "x",
    (0..<2_500).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
    "parameters: {p: {type: list, section: s, description: d, default: " + String(repeating: "[", count: 61)
      + String(repeating: "]", count: 61)
      + "}}",
    "parameters: {p: {type: boolean, section: s, description: d, default: true, rules: [{value: true, when: "
      + String(repeating: "{\"!\": ", count: 58) + "1" + String(repeating: "}", count: 58) + "}]}}",
    "theme_schema: " + String(repeating: "{items: ", count: 62) + "{}" + String(repeating: "}", count: 62),
  ]

  @Test("ten thousand levels are a fault, sixty-four are read", arguments: texts.indices)
  func deep(index: Int) {
    let told = Mutex(-1)
    let done = onThread(stackBytes: Self.stackBytes) {
      let text = CatalogText(Self.texts[index])
      told.withLock { $0 = text.read().faults.count }
    }
    #expect(done)
    #expect(told.withLock { $0 } >= (index < 5 ? 1 : 0))
  }
}
