/** Statements that were prepared elsewhere, by database, for its console that is opened next. */
const prepared = new Map<string, string>()
/** Databases whose console opens with writing allowed, for a statement that was prepared elsewhere. */
const writing = new Set<string>()

/** Puts a statement into the console of a database, which is opened next. */
export function prepareStatement(databaseId: string, text: string, isWriting: boolean): void {
  prepared.set(databaseId, text)
  if (isWriting) writing.add(databaseId)
  else writing.delete(databaseId)
}

/** What was prepared for a console that opens now. */
export const preparedStatement = (databaseId: string): string | undefined => prepared.get(databaseId)

/** Whether the console opens with writing allowed; asked when it is opened. */
export const opensWriting = (databaseId: string): boolean => writing.has(databaseId)

/** The statement has its tab. */
export function forgetPrepared(databaseId: string): void {
  prepared.delete(databaseId)
}

/** Whoever leaves the console or forbids writing has to allow it again. */
export function forgetWriting(databaseId: string): void {
  writing.delete(databaseId)
}
