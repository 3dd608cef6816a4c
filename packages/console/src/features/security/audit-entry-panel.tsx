import type { AuditEntryDetail } from '@bey/contract'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { failureOf } from '../../lib/failed-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DiffLines } from '../../ui/diff-lines.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { absoluteTime } from '../../ui/time-text.ts'
import { browserText, outcomeText } from '../../entities/audit/audit-text.ts'
import { auditDiffLines } from './diff-lines.ts'
import { useRead } from '../../data/use-read.ts'

/** What an entry says: what changed, the request, what allowed it, and its link in the chain. */
export function AuditEntryPanel({
  id,
  links,
}: {
  id: string
  /** Under what changed: more of the same actor or thing. */
  links?: (entry: AuditEntryDetail) => ReactNode
}) {
  const query = useRead('audit.get', { params: { id } })
  const failure = failureOf('Failed to fetch the entry', query)
  if (failure) return <ErrorState {...failure} />
  const entry = query.data
  if (entry === undefined) {
    return (
      <DelayedSkeleton>
        <Skeleton className="h-40" />
      </DelayedSkeleton>
    )
  }
  return (
    <div className="grid gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Changes entry={entry} links={links?.(entry)} />
      <Facts facts={factsOf(entry)} />
    </div>
  )
}

function Changes({ entry, links }: { entry: AuditEntryDetail; links: ReactNode }) {
  const lines = auditDiffLines(entry.diff)
  return (
    <div className="min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-medium">What changed</h2>
        <span className="text-small text-text-3">secret values never appear here</span>
      </div>
      {lines.length === 0 ? (
        <p className="text-text-2">This entry has no further details.</p>
      ) : (
        <DiffLines label="What changed" lines={lines} />
      )}
      {links ? <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1">{links}</p> : null}
    </div>
  )
}

function factsOf(entry: AuditEntryDetail): Fact[] {
  const { requestId, role, permission, link, counterpart, runId, userAgent, ip } = entry
  const browser = browserText(userAgent)
  return [
    { label: 'Time', value: absoluteTime(new Date(entry.at)) },
    { label: 'Outcome', value: outcomeText(entry) },
    ...(requestId === null
      ? []
      : [{ label: 'Request', value: <Copied text={requestId} label="Copy the request id" /> }]),
    ...(userAgent === null
      ? []
      : [{ label: 'Program', value: <span data-tooltip={userAgent}>{browser ?? userAgent}</span> }]),
    ...(ip === null ? [] : [{ label: 'Address', value: ip }]),
    ...(role === null
      ? []
      : [{ label: 'Allowed by', value: `role ${role}${permission === null ? '' : `, ${permission}`}` }]),
    ...(runId === null ? [] : [{ label: 'Run', value: <Copied text={runId} label="Copy the run's id" /> }]),
    ...(counterpart === null
      ? []
      : [
          {
            label: entry.outcome === 'unknown' ? 'Ended by' : 'Announced by',
            value: counterpart.number === null ? 'an entry' : `entry ${formatNumber(counterpart.number)}`,
          },
        ]),
    { label: 'Entry', value: <ChainLink link={link} /> },
  ]
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="truncate font-mono text-small">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  )
}

function ChainLink({ link }: { link: AuditEntryDetail['link'] }) {
  if (link === null) return 'added to the chain within a second'
  const { hash, previousHash, isIntact } = link
  return (
    <>
      <span className="font-mono text-small" data-tooltip={hash}>
        {short(hash)} {previousHash === '' ? 'is the first' : `after ${short(previousHash)}`}
      </span>
      {isIntact ? (
        <span className="mt-1 flex items-center justify-end gap-1.5 text-text-2">
          <Check size={14} aria-hidden className="text-ok" />
          joins the entries before and after it
        </span>
      ) : (
        <span className="mt-1 flex items-center justify-end gap-1.5 text-danger">
          <StatusMark glyph="triangle" />
          does not fit the chain
        </span>
      )}
    </>
  )
}

function short(hash: string): string {
  return `${hash.slice(0, 6)}…${hash.slice(-2)}`
}
