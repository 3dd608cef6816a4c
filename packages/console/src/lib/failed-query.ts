import type { ErrorText } from './error-text.ts'
import { causeOf, errorText, isForbiddenByCluster, isNotFound } from './error-text.ts'

/** What is asked of a query to say that it failed. */
interface Query {
  data: unknown
  error: unknown
  isFetching: boolean
  refetch: () => Promise<unknown>
}

export interface Failure extends ErrorText {
  onRetry: () => void
  isRetrying: boolean
}

/** What an error state says and does of a query that failed; undefined while there is something to show all the same. */
export function failureOf(title: string, { data, error, isFetching, refetch }: Query): Failure | undefined {
  if (!error || data !== undefined) return undefined
  const text = isForbiddenByCluster(error) ? refusalText(title, error) : errorText(title, error)
  return { ...text, onRetry: () => void refetch(), isRetrying: isFetching }
}

/** "Failed to fetch nodes" of what the account at a cluster may not read: "No right to read nodes". */
function refusalText(title: string, error: unknown): ErrorText {
  const what = title.replace(/^Failed to (fetch|read) /, '')
  return { title: `No right to read ${what}`, detail: causeOf(error), isRefusal: true }
}

/** Whether the server answered that there is no such thing, and nothing was read before. */
export function isMissing({ data, error }: Pick<Query, 'data' | 'error'>): boolean {
  return data === undefined && isNotFound(error)
}
