import type { CallOutput } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useRead } from '../../../data/use-read.ts'
import { restoreHref } from '../../../entities/databases/database-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { Truncated } from '../../../ui/truncated.tsx'

type Deleted = CallOutput<'databases.deletedBackups'>['databases'][number]

const limit = 10

/** Databases that were deleted and whose backups are kept, each of which can be restored. */
export function DeletedDatabases() {
  const [page, setPage] = useState(1)
  const list = useRead('databases.deletedBackups', { query: { page, limit } })
  const failure = failureOf('Failed to fetch backups of deleted databases', list)
  const role = useRole()
  const stale = useStaleReason()
  const denied = stale ?? deniedReason(role, 'databases.restore')
  if (failure) return <ErrorState {...failure} />
  if (list.data === undefined || list.data.total === 0) return null
  return (
    <Section title="Backups of deleted databases" isCard>
      <ul className="divide-y divide-line">
        {list.data.databases.map((database) => (
          <li key={database.id} className="flex items-center justify-between gap-4 py-2">
            <div className="min-w-0">
              <p className="font-medium">
                <Truncated>{database.name}</Truncated>
              </p>
              <p className="text-small text-text-2">
                {formatCount(database.backups, 'backup')}, {formatBytes(database.storedBytes)} · deleted{' '}
                <RelativeTime at={database.deletedAt} /> · <Kept database={database} />
              </p>
            </div>
            <ButtonLink
              href={restoreHref(database.id)}
              disabledReason={denied ?? (database.restorableUntil === null ? noMoment : undefined)}
            >
              Restore
            </ButtonLink>
          </li>
        ))}
      </ul>
      <Pagination page={page} limit={limit} total={list.data.total} onPageChange={setPage} />
    </Section>
  )
}

const noMoment = 'WAL of its backups is missing, so no moment of it can be restored.'

function Kept({ database: { expiresAt } }: { database: Deleted }) {
  if (expiresAt === null) return <>kept until it is unlocked</>
  return (
    <>
      expires <RelativeTime at={expiresAt} />
    </>
  )
}
