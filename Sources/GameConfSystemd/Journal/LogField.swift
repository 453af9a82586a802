// The metadata keys of the daemon's log, with their names as journal fields.

public import Logging

/// A metadata key of the daemon's log. Each key becomes a journal field.
public enum LogField: String, CaseIterable, Sendable, Hashable {
  /// The game's id; `GAME`.
  case game
  /// A parameter's key; `KEY`.
  case key
  /// A player's id. The log never contains the id: `PLAYER` is its hash.
  case player
  /// An event's name; `EVENT`.
  case event
  /// The game's revision; `REVISION`.
  case revision
  /// The uid of the user who made the request; `ACTOR_UID`.
  case actorUID = "actor_uid"
  /// The stable code of the problem, the same as in HTTP answers; `ERROR_CODE`.
  case errorCode = "error_code"
  /// The code of a degradation; `DEGRADATION`.
  case degradation
  /// The kind of event, a ``MessageID``; `MESSAGE_ID`.
  case messageID = "message_id"

  /// The name of the journal field: the raw value in capitals.
  public var journalName: String { rawValue.uppercased() }
}

extension Logger.Metadata {
  /// Returns log metadata with the fields' texts by the raw value of their ``LogField``, by which ``JournalLogHandler`` recognizes journal
  /// fields.
  public static func fields(_ fields: [LogField: String]) -> Logger.Metadata {
    Logger.Metadata(uniqueKeysWithValues: fields.map { ($0.key.rawValue, .string($0.value)) })
  }

  /// Returns metadata with these fields and the id of an event that an operator may act on.
  public static func fields(_ message: MessageID, _ fields: [LogField: String] = [:]) -> Logger.Metadata {
    Self.fields(message: message.rawValue, fields)
  }

  /// Returns metadata with these fields and a message id that is not a ``MessageID``, such as the id of a degradation.
  public static func fields(message id: String, _ fields: [LogField: String] = [:]) -> Logger.Metadata {
    var metadata = Self.fields(fields)
    metadata[LogField.messageID.rawValue] = .string(id)
    return metadata
  }
}
