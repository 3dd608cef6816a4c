import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import type { AuditQuery } from '../../data/audit.ts'
import { useRole } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Table } from '../../ui/table.tsx'
import { dateText } from '../../ui/time-text.ts'
import { auditColumns } from './audit-columns.tsx'
import { auditHref } from './audit-href.ts'

type Subject = Pick<AuditQuery, 'targetType' | 'targetId' | 'object'>

/** What the audit log tells of one thing; each entry leads to the log. */
export function ActivityTable({ subject, empty }: { subject: Subject; empty: string }) {
  const reason = deniedReason(useRole(), 'audit.read')
  const [cursor, setCursor] = useState<string>()
  const list = useList(
    'audit.list',
    { query: { ...subject, ...(cursor && { cursor }) } },
    { isEnabled: reason === undefined },
  )
  if (reason !== undefined) {
    return (
      <EmptyState
        title="You may not see the activity"
        description={`It is a part of the audit log. ${reason}`}
      />
    )
  }
  const { data } = list
  const failure = failureOf('Failed to fetch the activity', list)
  return (
    <>
      <Table
        label="Activity"
        columns={auditColumns}
        rows={data?.entries}
        rowKey={({ id }) => id}
        rowHref={({ id }) => auditHref({ ...subject, entry: id })}
        group={({ at }) => {
          const day = dateText(new Date(at))
          return { key: day, heading: day }
        }}
        isRefreshing={list.isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={<EmptyState title="No activity" description={empty} />}
        isFilled
      />
      {cursor !== undefined || data?.nextCursor ? (
        <div className="flex shrink-0 gap-2 border-t border-line px-(--gutter) py-2">
          <Button size="small" disabled={cursor === undefined} onClick={() => setCursor(undefined)}>
            Newest
          </Button>
          <Button
            size="small"
            disabled={!data?.nextCursor}
            onClick={() => setCursor(data?.nextCursor ?? undefined)}
          >
            Older
          </Button>
        </div>
      ) : null}
    </>
  )
}
