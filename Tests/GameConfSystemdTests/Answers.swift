// Event loops that answer when the test says so.

import Synchronization

/// Keeps what loops were asked to run until asked to run it.
final class Answers: Sendable {
  private let kept = Mutex<[@Sendable () -> Void]>([])
  private let noted = Mutex<[[Int]]>([])

  var notes: [[Int]] { noted.withLock { $0 } }

  func keep(_ answer: @escaping @Sendable () -> Void) { kept.withLock { $0.append(answer) } }
  func note(_ loops: [Int]) { noted.withLock { $0.append(loops) } }

  func answerAll() {
    let answers = kept.withLock { kept in
      defer { kept = [] }
      return kept
    }
    for answer in answers { answer() }
  }
}
