// The metadata keys of the daemon's log, and the journal fields they become.

public import Logging

/// The one list of metadata keys; in the journal each is a field of its own.
public enum LogField: String, CaseIterable, Sendable, Hashable {
  /// The game's id; `GAME`.
  case game
  /// A parameter's key; `KEY`.
  case key
  /// A player's id, which never reaches the log itself: `PLAYER` is a hash of it.
  case player
  /// An event's name; `EVENT`.
  case event
  /// The game's revision; `REVISION`.
  case revision
  /// The uid of who asked for it; `ACTOR_UID`.
  case actorUID = "actor_uid"
  /// The stable code of the problem, as on the wire; `ERROR_CODE`.
  case errorCode = "error_code"
  /// The code of a degradation; `DEGRADATION`.
  case degradation
  /// Identifies what happened, see ``MessageID``; `MESSAGE_ID`.
  case messageID = "message_id"

  /// The field's name in the journal.
  public var journalName: String { rawValue.uppercased() }
}

extension Logger.Metadata {
  /// Metadata from the one list of keys.
  public static func fields(_ fields: [LogField: String]) -> Logger.Metadata {
    Logger.Metadata(uniqueKeysWithValues: fields.map { ($0.key.rawValue, .string($0.value)) })
  }

  /// Metadata of something an operator may act on.
  public static func fields(_ message: MessageID, _ fields: [LogField: String] = [:]) -> Logger.Metadata {
    Self.fields(message: message.rawValue, fields)
  }

  /// Metadata of something whose message id is declared elsewhere.
  public static func fields(message id: String, _ fields: [LogField: String] = [:]) -> Logger.Metadata {
    var metadata = Self.fields(fields)
    metadata[LogField.messageID.rawValue] = .string(id)
    return metadata
  }
}
