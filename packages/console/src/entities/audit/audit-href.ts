/** What of the audit log is shown: every filter, the page and the open entry are in the address. */
export interface AuditSearch {
  tab?: string
  q?: string
  /** Id of the actor, or `name:` and the name of one without an id. */
  actor?: string
  action?: string
  class?: string
  targetType?: string
  targetId?: string
  object?: string
  outcome?: string
  ip?: string
  request?: string
  from?: string
  to?: string
  /** Cursor of the page. */
  after?: string
  /** Id of the open entry. */
  entry?: string
}

/** The address of the audit log with some filters. */
export function auditHref(search: AuditSearch): string {
  const text = new URLSearchParams(Object.entries(givenValues({ ...search, tab: 'audit' })))
  return `/workspaces/settings/security?${text.toString()}`
}

/** Without what is empty. */
export function givenValues(search: AuditSearch): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''))
}
