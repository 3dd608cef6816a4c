import type { Webhook } from '@bey/contract'
import { formatCount, formatNumber } from '../../lib/format.ts'

/** How far a webhook that streams the audit log is. */
export function streamText({ audit, status }: Webhook): string {
  if (audit === null) return ''
  const { sentThrough, behind } = audit
  const sent =
    sentThrough === 0 ? 'Nothing was delivered yet' : `Delivered up to entry ${formatNumber(sentThrough)}`
  if (behind === 0) return `${sent}: everything.`
  const waiting = `${formatCount(behind, 'entry', 'entries')} ${behind === 1 ? 'waits' : 'wait'}`
  return status === 'enabled'
    ? `${sent}; ${waiting}.`
    : `${sent}; ${waiting} in the log, and nothing is left out.`
}
