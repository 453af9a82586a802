// Four threads share a list behind a lock, and with an argument also a number behind none: a race that a sanitizer has to find, and nothing else.

import Glibc
import Synchronization

final class Shared: Sendable {
  let list = Mutex<[Int]>([])
  nonisolated(unsafe) var unguarded = 0
}

let shared = Shared()
let isPlanted = CommandLine.arguments.count > 1
var threads: [pthread_t] = []
for _ in 0..<4 {
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { _ in
      for number in 0..<5_000 {
        shared.list.withLock { $0.append(number) }
        if isPlanted { shared.unguarded += 1 }
      }
      return nil
    }, nil)
  threads.append(thread)
}
for thread in threads { pthread_join(thread, nil) }
print(shared.list.withLock { $0.count })
