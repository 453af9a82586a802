// Reads hostile files on a thread with a stack of 512 KiB. They must give faults and not a crash, even with the large frames of a debug
// build.

import GameConfCore
import GameConfFormats
import Glibc
import Synchronization
import Testing

/// Runs the work on a thread with a stack of this size, and waits for its end.
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

@Suite("Catalogs on a thread with a small stack")
struct SmallStackTests {
  private static let stackBytes = 512 << 10

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
    "parameters: {p: {type: boolean, section: s, description: d, default: true, rules: [{value: true, when: "
      + String(repeating: "{and: [", count: 29) + "1" + String(repeating: "]}", count: 29) + "}]}}",
    "theme_schema: " + String(repeating: "{items: ", count: 62) + "{}" + String(repeating: "}", count: 62),
  ]

  @Test("on a stack of 512 KiB a catalog of 64 nesting levels is read, and one of ten thousand is rejected", arguments: texts.indices)
  func deep(index: Int) {
    let faultCount = Mutex(-1)
    let done = onThread(stackBytes: Self.stackBytes) {
      let text = CatalogText(Self.texts[index])
      faultCount.withLock { $0 = text.read().faults.count }
    }
    #expect(done)
    #expect(faultCount.withLock { $0 } >= (index < 5 ? 1 : 0))
  }
  @Test("flagd evaluators nested up to the depth limit are compiled on a stack of 512 KiB, and deeper ones are rejected")
  func references() {
    let compiled = Mutex<[Bool]>([])
    let done = onThread(stackBytes: Self.stackBytes) {
      for count in [LogicLimits.depthMax / 2 - 1, LogicLimits.depthMax + 1] {
        let chain = (0..<count).map { ("e\($0)", $0 + 1 < count ? ["!": ["$ref": .string("e\($0 + 1)")]] as Value : 1) }
        let options = LogicOptions(evaluators: ObjectValue(chain))
        let isCompiled = (try? LogicExpression(compiling: ["$ref": "e0"], options: options)) != nil
        compiled.withLock { $0.append(isCompiled) }
      }
    }
    #expect(done)
    #expect(compiled.withLock { $0 } == [true, false])
  }
}
