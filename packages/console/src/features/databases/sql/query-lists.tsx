import type { SavedQuery, SqlHistoryEntry } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useList, useRead } from '../../../data/use-read.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { toast } from '../../../ui/toast.ts'
import { formatMs } from './result-text.ts'

/** Saved statements; one click puts one into the editor. */
export function SavedQueries({
  databaseId,
  current,
  onOpen,
}: {
  databaseId: string
  current: string | undefined
  onOpen: (query: SavedQuery) => void
}) {
  const params = { id: databaseId }
  const { data } = useRead('databases.savedQueries.list', { params })
  const remove = useChange('databases.savedQueries.delete')
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'databases.manage')
  if (data === undefined || data.queries.length === 0) return null
  return (
    <section aria-label="Saved queries" className="mt-4">
      <h2 className="py-1 font-medium">Saved</h2>
      <ul>
        {data.queries.map((query) => (
          <li key={query.id} className="flex min-w-0 items-center gap-1">
            <button
              type="button"
              aria-current={query.id === current ? 'true' : undefined}
              title={query.isMine ? query.statement : `Saved by ${query.createdBy.name}\n${query.statement}`}
              onClick={() => onOpen(query)}
              className="flex min-w-0 flex-1 items-center gap-1.5 rounded-control px-1 py-1 text-left hover:bg-hover aria-[current]:bg-active"
            >
              <span className="truncate">{query.name}</span>
              {query.isShared ? (
                <>
                  <Users size={12} className="shrink-0 text-text-3" aria-hidden />
                  <span className="sr-only">shared</span>
                </>
              ) : null}
            </button>
            <IconButton
              size="small"
              icon={<Trash2 size={12} aria-hidden />}
              label={`Delete ${query.name}`}
              disabledReason={stale ?? (query.isMine ? undefined : denied)}
              onClick={() =>
                remove.mutate(
                  { params: { ...params, queryId: query.id } },
                  { onError: (error) => toast('error', `It was not deleted: ${causeOf(error)}`) },
                )
              }
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What one executed oneself in the last 30 days. */
export function SqlHistory({
  databaseId,
  onOpen,
}: {
  databaseId: string
  onOpen: (statement: string) => void
}) {
  const [search, setSearch] = useState('')
  const [limit, setLimit] = useState(10)
  const wanted = search.trim()
  const { data } = useList('databases.sqlHistory', {
    params: { id: databaseId },
    query: { limit, ...(wanted !== '' && { search: wanted }) },
  })
  if (data === undefined || (data.entries.length === 0 && wanted === '')) return null
  return (
    <section aria-label="History" className="mt-4">
      <h2 className="py-1 font-medium">History</h2>
      <Input
        type="search"
        aria-label="Find in your history"
        placeholder="Find in your history"
        value={search}
        maxLength={200}
        onChange={({ target }) => setSearch(target.value)}
      />
      <ul className="mt-1">
        {data.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} onOpen={onOpen} />
        ))}
      </ul>
      {data.entries.length === 0 ? (
        <p className="py-1 text-small text-text-2">No statement matches “{wanted}”.</p>
      ) : null}
      {data.nextCursor !== null && limit < 100 ? (
        <button
          type="button"
          className="rounded-control px-1 py-1 text-small text-text-2 underline"
          onClick={() => setLimit(100)}
        >
          Show up to 100
        </button>
      ) : null}
    </section>
  )
}

function Entry({ entry, onOpen }: { entry: SqlHistoryEntry; onOpen: (statement: string) => void }) {
  const { statement, at, durationMs, error } = entry
  return (
    <li>
      <button
        type="button"
        title={error === null ? statement : `${statement}\n\n${error}`}
        onClick={() => onOpen(statement)}
        className="w-full min-w-0 rounded-control px-1 py-1 text-left hover:bg-hover"
      >
        <span className="block truncate font-mono text-small">{statement.replaceAll(/\s+/g, ' ')}</span>
        <span className="block text-meta text-text-3">
          <RelativeTime at={at} />
          {error === null ? (durationMs === null ? '' : ` · ${formatMs(durationMs)}`) : ' · failed'}
        </span>
      </button>
    </li>
  )
}
