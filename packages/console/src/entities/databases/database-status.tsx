import { databaseStatusLabel } from '@bey/contract'
import type { Database } from '../../data/databases.ts'
import { Status } from '../../ui/status.tsx'
import { momentText } from '../../ui/time-text.ts'

/** What a running server is in trouble with, in a word or two. */
const troubles: Readonly<Record<string, string>> = {
  TooManyConnections: 'connections used up',
  Blocked: 'blocked',
  IdleInTransaction: 'idle transaction',
  Wraparound: 'vacuum overdue',
  NearlyFull: 'nearly full',
  QuotaFull: 'refuses to write',
}

/** How a database is doing: its status while that says more, else its health. */
export function DatabaseStatus({ database, variant }: { database: Database; variant?: 'badge' }) {
  const { status, health, statusSince } = database
  const isShown = status === 'available'
  const title = [health.detail, `since ${momentText(statusSince)}`].filter(Boolean).join(' · ')
  return (
    <Status
      status={isShown ? health.state : status}
      label={
        isShown
          ? health.state === 'healthy'
            ? 'healthy'
            : (troubles[health.reason ?? ''] ?? 'needs attention')
          : databaseStatusLabel(status)
      }
      title={title}
      {...(variant && { variant })}
    />
  )
}
