// What tests share whose clients go on while the daemon is killed: how far they are, sending until answered, threads and kills.

import Glibc
import Synchronization
import TestSupport
import Testing

/// How far the clients have come.
final class ClientProgress: Sendable {
  private let state = WaitedState((answered: 0, isOver: false))
  let repeated = Atomic(0)
  let faults = Mutex<[String]>([])

  var answered: Int { state.change { $0.answered } }
  var isOver: Bool { state.change { $0.isOver } }

  func noteAnswers(_ count: Int = 1) { state.change { $0.answered += count } }
  func end() { state.change { $0.isOver = true } }
  /// Waits until so many answers have come, or nothing more is sent.
  func wait(forAnswers count: Int) { state.wait { $0.answered >= count || $0.isOver } }

  func fault(_ words: String) {
    faults.withLock { $0.append(words) }
    end()
  }
}

/// Sends each request until it is answered, over as many connections as that takes.
final class PatientSender {
  private let socket: String
  private let serving: WaitedState<Bool>
  private var connection: RawConnection?

  /// - Parameter serving: true while the daemon is there.
  init(_ socket: String, _ serving: WaitedState<Bool>) { (self.socket, self.serving) = (socket, serving) }

  /// The answer to a request; nil when none comes within a minute.
  func send(_ request: String) -> RawConnection.Answer? {
    let end = time(nil) + 60
    while time(nil) < end {
      if connection == nil { connection = try? RawConnection(socket) }
      if let connection, connection.send(request), let answer = connection.answer() {
        // Said while it drains or starts; nothing has been done then.
        if answer.status != 503, answer.status != 429 { return answer }
      }
      connection = nil
      serving.wait { $0 }
    }
    return nil
  }
}

/// Clients that block, each on a thread of its own.
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

  /// Waits until every client has come to its end.
  func join() { for thread in threads { pthread_join(thread, nil) } }
}

extension RunningDaemon {
  /// Lets clients send until all is answered, and kills the daemon at moments spread over that.
  /// - Parameter total: how many answers there will be, repeats aside.
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
