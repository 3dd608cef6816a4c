import { auditEntriesEvent, headerNameError, nameError, webhookBounds } from '@bey/contract'
import type { AuditClass, Webhook } from '@bey/contract'
import type { NewWebhook } from '../../data/webhooks.ts'
import type { FieldErrors } from '../../lib/use-submission.ts'

export interface WebhookDraft {
  name: string
  url: string
  events: readonly string[]
  filters: Webhook['filters']
  isOrdered: boolean
  /** Of the audit log; empty: every class. */
  auditClasses: readonly AuditClass[]
  /** A line each: `Authorization: Bearer …`. */
  headers: string
}

export const emptyDraft: WebhookDraft = {
  name: '',
  url: '',
  events: [],
  filters: { statuses: [], workflowIds: [], clusterIds: [] },
  isOrdered: false,
  auditClasses: [],
  headers: '',
}

export const draftOf = ({ name, url, events, filters, isOrdered, audit }: Webhook): WebhookDraft => ({
  name,
  url,
  events,
  filters,
  isOrdered,
  auditClasses: audit?.classes ?? [],
  headers: '',
})

/** What is sent for a draft, and what is wrong with it by the path of each field. */
export function readDraft(draft: WebhookDraft): { input: NewWebhook | undefined; invalid: FieldErrors } {
  const invalid: Record<string, string> = {}
  const name = draft.name.trim()
  const url = draft.url.trim()
  const wrongName = name === '' ? 'Enter a name for the webhook.' : nameError(name)
  if (wrongName !== undefined) invalid['name'] = wrongName
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) {
    invalid['url'] = 'Enter a whole URL, such as https://example.com/hooks/bey.'
  }
  if (draft.events.length === 0) invalid['events'] = 'Choose at least one event.'
  const headers = readHeaders(draft.headers)
  if ('error' in headers) invalid['headers'] = headers.error
  if (Object.keys(invalid).length > 0 || 'error' in headers) return { input: undefined, invalid }
  return {
    input: {
      name,
      url,
      events: [...draft.events],
      filters: draft.filters,
      isOrdered: draft.isOrdered,
      headers: headers.headers,
      ...(draft.events.includes(auditEntriesEvent) && { auditClasses: [...draft.auditClasses] }),
    },
    invalid,
  }
}

function readHeaders(text: string): { headers: Record<string, string> } | { error: string } {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > webhookBounds.maxHeaders)
    return { error: `Send at most ${webhookBounds.maxHeaders} headers.` }
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const at = line.indexOf(':')
    if (at < 1)
      return { error: `"${line.trim().slice(0, 40)}" is no header. Write its name, a colon and its value.` }
    const name = line.slice(0, at).trim()
    const wrong = headerNameError(name)
    if (wrong !== undefined) return { error: wrong }
    headers[name] = line.slice(at + 1).trim()
  }
  return { headers }
}
