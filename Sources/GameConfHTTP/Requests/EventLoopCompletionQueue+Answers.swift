// Makes the server's completion queue usable by the store, so that a write's answer goes directly to its event loop.

import GameConfStorage
internal import GameConfServer

extension EventLoopCompletionQueue: CompletionQueue {}
