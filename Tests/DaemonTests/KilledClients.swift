// Common parts of tests whose clients continue while the daemon is killed: progress, retries, threads and kills.

import Glibc
import Synchronization
import TestSupport
import Testing

/// The number of answers that the clients have received.
final class ClientProgress: Sendable {
  private let state = WaitedState((answered: 0, isOver: false))
  let repeated = Atomic(0)
  let faults = Mutex<[String]>([])

  var answered: Int { state.change { $0.answered } }
  var isOver: Bool { state.change { $0.isOver } }

  func noteAnswers(_ count: Int = 1) { state.change { $0.answered += count } }
  func end() { state.change { $0.isOver = true } }
  /// Waits until the clients have received this many answers, or have ended.
  func wait(forAnswers count: Int) { state.wait { $0.answered >= count || $0.isOver } }

  func fault(_ words: String) {
    faults.withLock { $0.append(words) }
    end()
  }
}

/// Sends each request until it is answered, over as many connections as that needs.
final class RetryingSender {
  private let socket: String
  private let serving: WaitedState<Bool>
  private var connection: RawConnection?

  /// - Parameter serving: True while the daemon runs.
  init(_ socket: String, _ serving: WaitedState<Bool>) { (self.socket, self.serving) = (socket, serving) }

  /// Returns the answer to a request; nil if none comes within a minute.
  func send(_ request: String) -> RawConnection.Answer? {
    let end = time(nil) + 60
    while time(nil) < end {
      if connection == nil { connection = try? RawConnection(socket) }
      if let connection, connection.send(request), let answer = connection.answer() {
        // A starting or stopping daemon answers 503 or 429, and has changed nothing.
        if answer.status != 503, answer.status != 429 { return answer }
      }
      connection = nil
      serving.wait { $0 }
    }
    return nil
  }
}

/// Clients with blocking calls, each on its own thread.
struct ClientThreads {
  private final class Client {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    func run() { body() }
  }

  private let threads: [pthread_t]

  init(_ count: Int, _ client: @escaping @Sendable (Int) -> Void) throws {
    var threads: [pthread_t] = []
    for number in 0..<count {
      let each = Unmanaged.passRetained(Client { client(number) })
      var thread = pthread_t()
      let result = pthread_create(
        &thread, nil,
        { each in
          if let each { Unmanaged<Client>.fromOpaque(each).takeRetainedValue().run() }
          return nil
        }, each.toOpaque())
      try #require(result == 0)
      threads.append(thread)
    }
    self.threads = threads
  }

  /// Waits until all clients have ended.
  func join() { for thread in threads { pthread_join(thread, nil) } }
}

extension RunningDaemon {
  /// Runs clients until everything is answered, and kills the daemon at times spread over that.
  /// - Parameter total: The expected number of answers, without repeats.
  func serve(_ clients: Int, _ progress: ClientProgress, total: Int, kills: Int, _ client: @escaping @Sendable (Int) -> Void) throws {
    let threads = try ClientThreads(clients, client)
    do {
      defer { threads.join() }
      do {
        for kill in 1...kills {
          let due = total * kill / (kills + 1)
          progress.wait(forAnswers: due)
          try restart(killing: true)
        }
      } catch {
        progress.end()
        throw error
      }
    }
    #expect(progress.faults.withLock { $0 } == [])
    #expect(progress.answered == total)
  }
}
