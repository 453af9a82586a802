// Opens an address in the browser of this desktop.

import Glibc

enum Browser {
  /// Starts `xdg-open`, whose arguments every user of the host may read: the code in the address works once and not for long.
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
    // The browser goes on when the panel ends; init collects it.
    _ = posix_spawnp(&process, "xdg-open", &actions, nil, &words, environ)
  }
}
