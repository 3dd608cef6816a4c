/** What is copied of an error: what failed, why, and the id by which the server's log knows it. */
export function errorReport(title: string, detail?: string | null, requestId?: string | null): string {
  return [title, detail, requestId ? `Request ${requestId}` : null].filter(Boolean).join('\n')
}
