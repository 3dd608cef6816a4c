import { deniedReason } from '@bey/contract'
import type { ReactNode } from 'react'
import type { Database } from '../../data/databases.ts'
import { useRole } from '../../data/session.ts'
import { databaseHref } from '../../entities/databases/database-text.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { sinceText } from '../../ui/time-text.ts'
import { QuotaNotice } from './quota-notice.tsx'

/**
 * What has to be known about the state of a database before the rest: a failure, or a run under way. `tab` says in more detail
 * what it is in trouble with: it is not said twice.
 */
export function StateNotice({ database, tab }: { database: Database; tab: string }) {
  const content = contentOf(database)
  const { reason } = database.health
  if (content === undefined && database.figures?.diskQuota && isOfQuota(reason)) {
    return <QuotaNotice database={database} />
  }
  if (content === undefined) return <TroubleNotice database={database} tab={tab} />
  const { tone, title, text } = content
  const { lastRun } = database
  return (
    <div className="px-(--gutter) py-4">
      <Notice
        tone={tone}
        title={title}
        actions={
          lastRun === null || database.status === 'unreachable' ? undefined : (
            <ButtonLink size="small" href={`/workflows/${lastRun.workflowId}/runs/${lastRun.runId}`}>
              Open the run
            </ButtonLink>
          )
        }
      >
        {text}
      </Notice>
    </div>
  )
}

const isOfQuota = (reason: string | null) => reason === 'QuotaFull' || reason === 'NearlyFull'

/** Where one looks at what a running server is in trouble with. */
const troubleTabs: Readonly<Record<string, { tab: string; label: string }>> = {
  Blocked: { tab: 'locks', label: 'Open Locks' },
  IdleInTransaction: { tab: 'locks', label: 'Open Locks' },
  Wraparound: { tab: 'advice', label: 'Open Advice' },
}

function TroubleNotice({ database, tab }: { database: Database; tab: string }) {
  const { id, health } = database
  const maySeeSessions = deniedReason(useRole(), 'databases.sessions') === undefined
  const place = troubleTabs[health.reason ?? '']
  if (place === undefined || place.tab === tab) return null
  // The overview names the session that holds the others up.
  if (health.reason === 'Blocked' && tab === 'overview' && maySeeSessions) return null
  return (
    <div className="px-(--gutter) py-4">
      <Notice
        tone="warn"
        title={health.detail}
        actions={
          <ButtonLink size="small" href={databaseHref(id, place.tab)}>
            {place.label}
          </ButtonLink>
        }
      />
    </div>
  )
}

type Content = { tone: 'info' | 'warn' | 'danger'; title: string; text?: ReactNode }

function contentOf({ status, reason, statusSince, provider }: Database): Content | undefined {
  switch (status) {
    case 'error':
      return { tone: 'danger', title: 'The last operation failed', text: reason }
    case 'unreachable':
      return {
        tone: 'danger',
        title: `Cannot be reached since ${sinceText(statusSince)}`,
        text: (
          <>
            {reason} <span>It is tried again every 15 s; the figures below are the last ones.</span>
          </>
        ),
      }
    case 'degraded':
      return provider === 'cnpg'
        ? { tone: 'warn', title: reason ?? 'The database is degraded' }
        : { tone: 'warn', title: 'The server does not run', text: reason }
    case 'hibernated':
      return {
        tone: reason === null ? 'info' : 'warn',
        title: reason ?? 'Hibernated: its data are kept, and its server takes no memory until it is resumed',
      }
    case 'pending':
    case 'provisioning':
      return { tone: 'info', title: 'The database is being created' }
    case 'restarting':
      return { tone: 'info', title: 'The server is being restarted' }
    case 'hibernating':
      return { tone: 'info', title: 'The server is being stopped' }
    case 'resuming':
      return { tone: 'info', title: 'The server is being started' }
    case 'deleting':
      return { tone: 'warn', title: 'The database is being deleted' }
    case 'updating':
      return { tone: 'info', title: reason ?? 'The database is being changed' }
    case 'scaling':
      return { tone: 'info', title: reason ?? 'Instances are added or removed' }
    case 'failing_over':
      return { tone: 'info', title: reason ?? 'Another instance becomes the primary' }
    case 'connecting':
      return { tone: 'info', title: 'The server is being asked for the first time' }
    default:
      return undefined
  }
}
