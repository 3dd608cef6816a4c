/** The text of a tab that was left is here when one comes back to it, and nowhere after a reload. */
const drafts = new Map<string, string>()
/** Databases whose console opens with writing allowed, for a statement that was prepared elsewhere. */
const writing = new Set<string>()

export const draftOf = (databaseId: string): string | undefined => drafts.get(databaseId)

export function keepDraft(databaseId: string, text: string): void {
  drafts.set(databaseId, text)
}

/** Puts a statement into the console of a database, which is opened next. */
export function prepareStatement(databaseId: string, text: string, isWriting: boolean): void {
  drafts.set(databaseId, text)
  if (isWriting) writing.add(databaseId)
  else writing.delete(databaseId)
}

/** Whether the console opens with writing allowed; asked when it is opened. */
export const opensWriting = (databaseId: string): boolean => writing.has(databaseId)

/** Whoever leaves the console or forbids writing has to allow it again. */
export function forgetWriting(databaseId: string): void {
  writing.delete(databaseId)
}
