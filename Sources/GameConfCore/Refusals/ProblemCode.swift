// The error codes of the API, each with its HTTP status.

/// The code of an error response.
///
/// The daemon has a closed list, but clients treat the code as open text, so that an older client works with a newer daemon. A new code
/// is a new case. The compiler then reports the two switches that need it: ``status``, and the exit status in gameconfctl.
public enum ProblemCode: String, Sendable, Hashable, CaseIterable {
  // The request cannot be parsed.
  case malformedHTTP = "MALFORMED_HTTP"
  case malformedPath = "MALFORMED_PATH"
  case malformedJSON = "MALFORMED_JSON"
  case malformedRequest = "MALFORMED_REQUEST"
  case unknownQueryParameter = "UNKNOWN_QUERY_PARAMETER"
  case malformedQueryParameter = "MALFORMED_QUERY_PARAMETER"
  case malformedHeader = "MALFORMED_HEADER"
  case malformedPlayerID = "MALFORMED_PLAYER_ID"
  case playersDiffer = "PLAYERS_DIFFER"
  case twoIDs = "TWO_IDS"

  // The caller lacks the permission.
  case adminOnly = "ADMIN_ONLY"
  case notPermitted = "NOT_PERMITTED"
  case browserRefused = "BROWSER_REFUSED"
  case secretKey = "SECRET_KEY"

  // The requested resource does not exist.
  case notFound = "NOT_FOUND"
  case unknownGame = "UNKNOWN_GAME"
  case unknownKey = "UNKNOWN_KEY"
  case unknownID = "UNKNOWN_ID"
  case unknownPlay = "UNKNOWN_PLAY"
  case unknownWindow = "UNKNOWN_WINDOW"
  case unknownTheme = "UNKNOWN_THEME"
  case unknownPlacement = "UNKNOWN_PLACEMENT"
  case unknownDecision = "UNKNOWN_DECISION"
  case unknownLeaderboard = "UNKNOWN_LEADERBOARD"

  // The request violates HTTP or the limits of the server.
  case methodNotAllowed = "METHOD_NOT_ALLOWED"
  case requestTimeout = "REQUEST_TIMEOUT"
  case bodyTooLarge = "BODY_TOO_LARGE"
  case targetTooLong = "TARGET_TOO_LONG"
  case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
  case expectationFailed = "EXPECTATION_FAILED"
  case headerTooLarge = "HEADER_TOO_LARGE"
  case notImplemented = "NOT_IMPLEMENTED"
  case versionNotSupported = "VERSION_NOT_SUPPORTED"

  // The request conflicts with the present state.
  case overlap = "OVERLAP"
  case alreadyReverted = "ALREADY_REVERTED"
  case changedSince = "CHANGED_SINCE"
  case notQuarantined = "NOT_QUARANTINED"
  case themeLocked = "THEME_LOCKED"
  case decisionTooOld = "DECISION_TOO_OLD"
  case playClosed = "PLAY_CLOSED"
  case stateChanged = "STATE_CHANGED"
  case reportContradicts = "REPORT_CONTRADICTS"
  case adFree = "AD_FREE"
  case clockBackwards = "CLOCK_BACKWARDS"
  case limitReached = "LIMIT_REACHED"
  case heldByScenario = "HELD_BY_SCENARIO"
  case scenarioOver = "SCENARIO_OVER"
  case clientForgotten = "CLIENT_FORGOTTEN"
  case versionInForce = "VERSION_IN_FORCE"
  case leaderboardOff = "LEADERBOARD_OFF"
  case templateFromFile = "TEMPLATE_FROM_FILE"
  case noTemplateSource = "NO_TEMPLATE_SOURCE"
  case cursorGone = "CURSOR_GONE"
  case revisionChanged = "REVISION_CHANGED"
  case fileExists = "FILE_EXISTS"

  // The request is well-formed, but its content is not valid.
  case typeMismatch = "TYPE_MISMATCH"
  case outOfRange = "OUT_OF_RANGE"
  case notAllowed = "NOT_ALLOWED"
  case patternMismatch = "PATTERN_MISMATCH"
  case tooLong = "TOO_LONG"
  case valueTooLarge = "VALUE_TOO_LARGE"
  case schemaViolation = "SCHEMA_VIOLATION"
  case constraintViolated = "CONSTRAINT_VIOLATED"
  case windowEmpty = "WINDOW_EMPTY"
  case windowPast = "WINDOW_PAST"
  case duplicateRow = "DUPLICATE_ROW"
  case rowsRefused = "ROWS_REFUSED"
  case idReused = "ID_REUSED"
  case notRevertible = "NOT_REVERTIBLE"
  case notASetting = "NOT_A_SETTING"
  case backupRefused = "BACKUP_REFUSED"
  case unknownEvent = "UNKNOWN_EVENT"
  case unknownMode = "UNKNOWN_MODE"
  case modeMissing = "MODE_MISSING"
  case unknownReason = "UNKNOWN_REASON"
  case unknownDetail = "UNKNOWN_DETAIL"
  case detailMissing = "DETAIL_MISSING"
  case modeNotOfEvent = "MODE_NOT_OF_EVENT"
  case eventTooLarge = "EVENT_TOO_LARGE"
  case scoreNotCarried = "SCORE_NOT_CARRIED"
  case scoreNotWhole = "SCORE_NOT_WHOLE"
  case scoreNegative = "SCORE_NEGATIVE"
  case scoreOverflow = "SCORE_OVERFLOW"
  case occurredTooEarly = "OCCURRED_TOO_EARLY"
  case occursAhead = "OCCURS_AHEAD"
  case notRewarded = "NOT_REWARDED"
  case childDirected = "CHILD_DIRECTED"
  case answerTooLarge = "ANSWER_TOO_LARGE"
  case evaluationTooLong = "EVALUATION_TOO_LONG"

  // The simulated store, its clocks or a gate rejects the request.
  case purchasesAdminsOnly = "PURCHASES_ADMINS_ONLY"
  case purchasesNotSimulated = "PURCHASES_NOT_SIMULATED"
  case storeClosed = "STORE_CLOSED"
  case unknownProduct = "UNKNOWN_PRODUCT"
  case unknownTransaction = "UNKNOWN_TRANSACTION"
  case unknownGate = "UNKNOWN_GATE"
  case alreadyOwned = "ALREADY_OWNED"
  case purchaseOpen = "PURCHASE_OPEN"
  case notPending = "NOT_PENDING"
  case notInterrupted = "NOT_INTERRUPTED"
  case notPurchased = "NOT_PURCHASED"
  case alreadyFinished = "ALREADY_FINISHED"
  case alreadyRefunded = "ALREADY_REFUNDED"
  case alreadyRevoked = "ALREADY_REVOKED"
  case notRefundable = "NOT_REFUNDABLE"
  case notASubscription = "NOT_A_SUBSCRIPTION"
  case subscriptionEnded = "SUBSCRIPTION_ENDED"
  case renewalIsOff = "RENEWAL_IS_OFF"
  case renewalIsOn = "RENEWAL_IS_ON"
  case inBillingRetry = "IN_BILLING_RETRY"
  case notInBillingRetry = "NOT_IN_BILLING_RETRY"
  case noPriceChange = "NO_PRICE_CHANGE"
  case tooManyTransactions = "TOO_MANY_TRANSACTIONS"
  case tooManyTransfers = "TOO_MANY_TRANSFERS"
  case subscriptionConflict = "SUBSCRIPTION_CONFLICT"
  case samePlayer = "SAME_PLAYER"
  case unknownEntitlement = "UNKNOWN_ENTITLEMENT"
  case invalidPeriod = "INVALID_PERIOD"
  case invalidPrice = "INVALID_PRICE"
  case invalidCurrency = "INVALID_CURRENCY"
  case invalidBehaviour = "INVALID_BEHAVIOUR"
  case clockRate = "CLOCK_RATE"
  case clockTooFar = "CLOCK_TOO_FAR"
  case outsideCalendar = "OUTSIDE_CALENDAR"
  case missingArgument = "MISSING_ARGUMENT"
  case unknownArgument = "UNKNOWN_ARGUMENT"
  case argumentType = "ARGUMENT_TYPE"

  // The server cannot process the request, temporarily or permanently.
  case notTried = "NOT_TRIED"
  case rateLimited = "RATE_LIMITED"
  case tooManyConnections = "TOO_MANY_CONNECTIONS"
  case internalFault = "INTERNAL_FAULT"
  case degraded = "DEGRADED"
  case stopping = "STOPPING"
  case serverFull = "SERVER_FULL"
  case storeUnavailable = "STORE_UNAVAILABLE"
  case storeLate = "STORE_LATE"
  case outcomeUnknown = "OUTCOME_UNKNOWN"
  case storeElsewhere = "STORE_ELSEWHERE"
  case noSpace = "NO_SPACE"
  case playerUnreadable = "PLAYER_UNREADABLE"
  case rowUnreadable = "ROW_UNREADABLE"

  /// The HTTP status of responses with this code.
  public var status: Int {
    switch self {
    case .malformedHTTP, .malformedPath, .malformedJSON, .malformedRequest, .unknownQueryParameter, .malformedQueryParameter,
      .malformedHeader, .malformedPlayerID, .playersDiffer, .twoIDs:
      400
    case .adminOnly, .notPermitted, .browserRefused, .secretKey: 403
    case .notFound, .unknownGame, .unknownKey, .unknownID, .unknownPlay, .unknownWindow, .unknownTheme,
      .unknownPlacement, .unknownDecision, .unknownLeaderboard:
      404
    case .methodNotAllowed: 405
    case .requestTimeout: 408
    case .overlap, .alreadyReverted, .changedSince, .notQuarantined, .themeLocked, .decisionTooOld, .playClosed, .reportContradicts,
      .adFree,
      .clockBackwards, .limitReached, .heldByScenario, .scenarioOver, .clientForgotten, .versionInForce, .leaderboardOff, .fileExists,
      .storeElsewhere, .templateFromFile, .noTemplateSource:
      409
    case .cursorGone: 410
    case .revisionChanged, .stateChanged: 412
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .unsupportedMediaType: 415
    case .expectationFailed: 417
    case .typeMismatch, .outOfRange, .notAllowed, .patternMismatch, .tooLong, .valueTooLarge, .schemaViolation, .constraintViolated,
      .windowEmpty, .windowPast, .duplicateRow, .rowsRefused, .idReused, .notRevertible, .notASetting, .backupRefused, .unknownEvent,
      .unknownMode, .modeMissing, .unknownReason, .unknownDetail, .detailMissing, .modeNotOfEvent, .eventTooLarge,
      .scoreNotCarried, .scoreNotWhole, .scoreNegative, .scoreOverflow, .occurredTooEarly, .occursAhead,
      .notRewarded, .childDirected, .answerTooLarge, .evaluationTooLong:
      422
    case .purchasesAdminsOnly, .purchasesNotSimulated, .storeClosed: 403
    case .unknownProduct, .unknownTransaction, .unknownGate: 404
    case .alreadyOwned, .purchaseOpen, .notPending, .notInterrupted, .notPurchased, .alreadyFinished, .alreadyRefunded, .alreadyRevoked,
      .notRefundable, .notASubscription, .subscriptionEnded, .renewalIsOff, .renewalIsOn, .inBillingRetry, .notInBillingRetry,
      .noPriceChange, .tooManyTransactions, .tooManyTransfers, .subscriptionConflict, .samePlayer:
      409
    case .unknownEntitlement, .invalidPeriod, .invalidPrice, .invalidCurrency, .invalidBehaviour, .clockRate, .clockTooFar,
      .outsideCalendar, .missingArgument, .unknownArgument, .argumentType:
      422
    case .rateLimited, .tooManyConnections: 429
    case .headerTooLarge: 431
    case .internalFault: 500
    case .notImplemented: 501
    case .notTried, .degraded, .stopping, .serverFull, .storeUnavailable, .storeLate, .outcomeUnknown, .playerUnreadable, .rowUnreadable:
      503
    case .versionNotSupported: 505
    case .noSpace: 507
    }
  }

  /// The time in seconds after which the client may retry; nil if a retry cannot succeed by itself.
  ///
  /// Every code with status 429, 503 or 507 has such a time, except ``notTried``. That code is for an event that was not processed because
  /// an event before it in the list failed. The client waits for the retry time of the event that failed.
  public var retryAfterSeconds: Int64? {
    switch self {
    case .rateLimited, .tooManyConnections, .stopping, .serverFull, .storeUnavailable, .storeLate, .outcomeUnknown, .degraded: 1
    // The disk is full until an operator frees space.
    case .noSpace: 5
    // The row stays unreadable until an operator repairs or removes it.
    case .playerUnreadable, .rowUnreadable: 60
    default: nil
    }
  }

  /// The words that stay in capitals in a title, because they are acronyms.
  private static let abbreviations: Set<Substring> = ["HTTP", "JSON", "ID"]

  /// A short title for people, derived from the code. All errors with this code have the same title.
  public var title: String {
    let words = rawValue.split(separator: "_").map { Self.abbreviations.contains($0) ? String($0) : $0.lowercased() }.joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
