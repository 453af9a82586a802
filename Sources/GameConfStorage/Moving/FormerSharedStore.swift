// Prevents a host that lost its settings from creating an empty store of its own beside the fleet's.
import Glibc

/// The PostgreSQL store that was last served from a state directory.
public enum FormerSharedStore {
  /// Returns the reason why a daemon without the setting `store:` must not begin an empty store in a state directory; nil if it may.
  ///
  /// It may if the directory has a SQLite database, which is this host's own store. Otherwise `last-good.json` names the store that was
  /// served last, and a database that was moved to PostgreSQL is still there under its new name.
  public static func refusal(forStateAt path: String) -> String? {
    let database = path + "/gameconfd.db"
    guard (DatabaseFile(path: database).identity()?.bytesCount ?? 0) == 0 else { return nil }
    let moved = database + AbandonedDatabase.movedEnding
    let isMoved = access(moved, F_OK) == 0
    var known: LastGoodState?
    // A file that cannot be read is ignored here, because the daemon's start reports it.
    do throws(StateFault) { known = try LastGoodFile(path: path + "/last-good.json").load() } catch {}
    let former: String
    switch (known, known?.fleet) {
    case (_, let fleet?) where !isMoved: former = "the store was the PostgreSQL database of the fleet \(fleet)"
    case (nil, _) where isMoved, (_, .some): former = "the store was moved to PostgreSQL, and \(moved) is the old store"
    default: return nil
    }
    return former
      + "; the settings name no store. Name it with store: {postgres: …}, move it back with “gameconfctl store move --to sqlite”, "
      + "or start once with --abandon to begin an empty one"
  }
}
