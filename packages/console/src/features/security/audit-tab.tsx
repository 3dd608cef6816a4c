import type { AuditEntry, AuditEntryDetail } from '@bey/contract'
import { actorText, deniedReason } from '@bey/contract'
import type { ReactNode } from 'react'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { auditColumns } from '../../entities/audit/audit-columns.tsx'
import { AuditEntryPanel } from './audit-entry-panel.tsx'
import { auditHref } from '../../entities/audit/audit-href.ts'
import { targetText } from '../../entities/audit/audit-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Table } from '../../ui/table.tsx'
import { dateText } from '../../ui/time-text.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import { AuditExportMenu } from './audit-export-menu.tsx'
import { AuditChips, AuditFilters, auditFilterText } from './audit-filters.tsx'
import { auditFilters, useAuditLocation } from './audit-search.ts'
import { StreamButton, StreamLines } from './stream-lines.tsx'
import { VerifyLine } from './verify-line.tsx'

/** Who did what, when and from where, with proof that nothing was taken out or changed. */
export function AuditTab({ foot }: { foot: ReactNode }) {
  const reason = deniedReason(useRole(), 'audit.read')
  if (reason !== undefined) {
    return <EmptyState title="You may not read the audit log" description={reason} />
  }
  return <AuditLog foot={foot} />
}

function AuditLog({ foot }: { foot: ReactNode }) {
  const location = useAuditLocation()
  const { search, change, clear, isFiltered } = location
  const filters = auditFilters(search)
  const query = { ...filters, ...(search.after && { cursor: search.after }) }
  const list = useList('audit.list', { query }, { isEnabled: true })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch the audit log', list)
  const organizationId = useOrganizationId()
  usePageCommands([apiCommand('List these entries', 'audit.list', { query: filters }, organizationId)])
  const hrefOf = ({ id }: AuditEntry) =>
    auditHref(id === search.entry ? { ...search, entry: '' } : { ...search, entry: id })
  const entries = data?.entries
  const missing =
    search.entry !== undefined && entries !== undefined && !entries.some(({ id }) => id === search.entry)
  return (
    <>
      <VerifyLine
        actions={
          <>
            <AuditExportMenu filters={filters} />
            <StreamButton />
          </>
        }
      />
      <StreamLines />
      <Toolbar
        pages={<span className="text-small text-text-2">{data && countText(data, search.after)}</span>}
      >
        <AuditFilters location={location} entries={entries ?? []} />
      </Toolbar>
      <AuditChips location={location} />
      {missing && search.entry ? (
        <section aria-label="Entry" className="border-b border-line bg-sunken px-(--gutter) py-4">
          <AuditEntryPanel id={search.entry} links={linksOf} />
        </section>
      ) : null}
      {/* On a phone the page scrolls rather than leaving one row to the table. */}
      <div className="flex min-h-96 flex-1 flex-col">
        <Table
          label="Audit log"
          columns={auditColumns}
          rows={entries}
          rowKey={({ id }) => id}
          rowLabel={({ number }) => `entry ${number ?? ''}`}
          rowHref={hrefOf}
          expansion={{
            current: search.entry,
            content: ({ id }) => <AuditEntryPanel id={id} links={linksOf} />,
          }}
          group={({ at }) => {
            const day = dateText(new Date(at))
            return { key: day, heading: day }
          }}
          isRefreshing={isPlaceholderData}
          error={failure && <ErrorState {...failure} />}
          filter={isFiltered ? { query: auditFilterText(search), onClear: clear } : undefined}
          empty={
            <EmptyState title="No entries yet" description="Every change and every sign-in is listed here." />
          }
          isFilled
        />
      </div>
      <footer className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-(--gutter) py-2 text-small text-text-2">
        <span className="min-w-0 flex-1">{foot}</span>
        <span className="flex gap-2">
          <Button size="small" disabled={!search.after} onClick={() => change({ after: '' })}>
            Newest
          </Button>
          <Button
            size="small"
            disabled={!data?.nextCursor}
            onClick={() => change({ after: data?.nextCursor ?? '' })}
          >
            Older
          </Button>
        </span>
      </footer>
    </>
  )
}

function countText(
  {
    total,
    totalIsExact,
    entries,
  }: { total: number | null; totalIsExact?: boolean | undefined; entries: unknown[] },
  after: string | undefined,
): string {
  if (after !== undefined || total === null)
    return `${formatCount(entries.length, 'older entry', 'older entries')}`
  const all = formatCount(total, 'entry', 'entries')
  return totalIsExact === false ? `more than ${all}` : all
}

function linksOf(entry: AuditEntryDetail) {
  const { actor, target, object, ip } = entry
  const actorKey = actor.id ?? `name:${actor.name}`
  const sameTarget = target?.id && { targetType: target.type, targetId: target.id, ...(object && { object }) }
  return (
    <>
      <Link href={auditHref({ actor: actorKey })} className="underline">
        Everything {actorText(actor)} did
      </Link>
      {sameTarget ? (
        <Link href={auditHref(sameTarget)} className="underline">
          Everything about {targetText(entry)}
        </Link>
      ) : null}
      {ip ? (
        <Link href={auditHref({ ip })} className="underline">
          Everything from {ip}
        </Link>
      ) : null}
    </>
  )
}
