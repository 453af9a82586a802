// Opens an address in the browser of this desktop.

import Glibc

enum Browser {
  /// Opens an address with `xdg-open`. Every user of the host can read its arguments, so the code in the address works only once and for a
  /// short time.
  static func open(_ address: String) {
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(address), nil]
    defer { for word in words { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    var process: pid_t = 0
    // The browser outlives the panel, so the panel does not wait for it. The init process reaps it.
    _ = posix_spawnp(&process, "xdg-open", &actions, nil, &words, environ)
  }
}
