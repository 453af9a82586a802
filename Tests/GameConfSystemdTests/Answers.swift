// Event loops that answer when the test decides.

import Synchronization

/// Stores the closures that the watchdog scheduled on an event loop, until the test runs them.
final class Answers: Sendable {
  private let scheduled = Mutex<[@Sendable () -> Void]>([])
  private let noted = Mutex<[[Int]]>([])

  var notes: [[Int]] { noted.withLock { $0 } }

  func keep(_ answer: @escaping @Sendable () -> Void) { scheduled.withLock { $0.append(answer) } }
  func note(_ loops: [Int]) { noted.withLock { $0.append(loops) } }

  func answerAll() {
    let answers = scheduled.withLock { scheduled in
      defer { scheduled = [] }
      return scheduled
    }
    for answer in answers { answer() }
  }
}
