// What tests share whose clients go on while the daemon is killed: how far they are, sending until answered, threads and kills.

import Glibc
import Synchronization
import Testing

/// How far the clients have come.
final class ClientProgress: Sendable {
  let answered = Atomic(0)
  let repeated = Atomic(0)
  let isOver = Atomic(false)
  let faults = Mutex<[String]>([])

  func fault(_ words: String) {
    faults.withLock { $0.append(words) }
    isOver.store(true, ordering: .relaxed)
  }
}

/// Sends each request until it is answered, over as many connections as that takes.
final class PatientSender {
  private let socket: String
  private var connection: RawConnection?

  init(_ socket: String) { self.socket = socket }

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
      poll(nil, 0, 2)
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
          let isReached = waits(seconds: 300) {
            progress.answered.load(ordering: .relaxed) >= due || progress.isOver.load(ordering: .relaxed)
          }
          try #require(isReached)
          try restart(killing: true)
        }
      } catch {
        progress.isOver.store(true, ordering: .relaxed)
        throw error
      }
    }
    #expect(progress.faults.withLock { $0 } == [])
    #expect(progress.answered.load(ordering: .relaxed) == total)
  }
}
