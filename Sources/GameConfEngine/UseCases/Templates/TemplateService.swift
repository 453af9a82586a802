// The dependencies of every change of a game's template.
package import GameConfStorage

/// A service that changes games' templates, each change in one database transaction.
///
/// A change is durable before it is in force, and every reader sees it when its method returns.
public struct TemplateService: Sendable {
  let store: any Store
  let present: CurrentWorld
  let documents: any TemplateDocuments

  /// Creates the service. `present` must follow the store's publications.
  package init(store: any Store, present: CurrentWorld, documents: any TemplateDocuments) {
    self.store = store
    self.present = present
    self.documents = documents
  }
}
