// Waits for a condition by events of the daemon and of folders, without polling.

import Glibc

/// The events of a daemon and of folders: each change in an admin's watch, with its heartbeats, and each file that is written, renamed or removed.
final class DaemonEvents {
  private let stream: StreamReader?
  private let watch: Int32

  /// - Parameter folders: The folders whose files are watched.
  init(_ daemon: RunningDaemon, folders: [String]) {
    // A starting daemon, or one without its store, may refuse the watch. Then its files show the change.
    stream = try? StreamReader(daemon.adminSocket, "/v1/watch")
    watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    let changes = IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_CREATE | IN_DELETE
    for folder in folders { _ = inotify_add_watch(watch, folder, UInt32(changes)) }
  }

  deinit { close(watch) }

  /// Waits for the next event, and takes all that have come.
  /// - Returns: False if none came in that time.
  func next(seconds: Int) -> Bool {
    var sources = [pollfd(fd: watch, events: Int16(POLLIN), revents: 0)]
    if let stream { sources.append(pollfd(fd: stream.descriptor, events: Int16(POLLIN), revents: 0)) }
    guard poll(&sources, nfds_t(sources.count), Int32(seconds) * 1_000) > 0 else { return false }
    stream?.drain()
    var events = [UInt8](repeating: 0, count: 4_096)
    while read(watch, &events, events.count) > 0 {}
    return true
  }
}

extension RunningDaemon {
  /// Evaluates a condition now and after each event, until it is true.
  /// - Parameter folders: Folders to watch in addition to the daemon's own.
  /// - Returns: False if the condition is not true after that time.
  func waits(seconds: Int = 20, watching folders: [String] = [], until holds: () throws -> Bool) rethrows -> Bool {
    let end = time(nil) + seconds
    let events = DaemonEvents(self, folders: [folder.path, folder.path + "/state", folder.path + "/games"] + folders)
    while try !holds() {
      let left = end - time(nil)
      if left <= 0 || !events.next(seconds: left) { return try holds() }
    }
    return true
  }
}
