import { relationRules } from '@bey/contract'
import type { RelatedResource, RelationRow } from '../../data/relations.ts'
import { relationRefreshMs } from '../../data/relations.ts'
import { useList } from '../../data/use-read.ts'
import { placeText } from '../../entities/relations/relation-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'

const limit = 100

interface RelationTableProps {
  /** The filters of the graph. */
  filters: Record<string, string | number | undefined>
  page: number
  onPage: (page: number) => void
}

/** Every relation in a row of its own. */
export function RelationTable({ filters, page, onPage }: RelationTableProps) {
  const list = useList(
    'relations.list',
    { query: { ...filters, page, limit } },
    { refreshMs: relationRefreshMs },
  )
  const failure = failureOf('Failed to fetch the relationships', list)
  return (
    <>
      <Table
        label="Relationships"
        isFilled
        columns={columns}
        rows={list.data?.relations}
        rowKey={({ from, verb, to }) => `${from.id} ${verb} ${to.id}`}
        isRefreshing={list.isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={
          <EmptyState
            title="No relationship"
            description="Nothing that is drawn here leads to anything else."
          />
        }
      />
      {list.data && list.data.total > limit ? (
        <div className="shrink-0 border-t border-line px-(--gutter) py-2">
          <Pagination page={page} limit={limit} total={list.data.total} onPageChange={onPage} />
        </div>
      ) : null}
    </>
  )
}

const columns: readonly Column<RelationRow>[] = [
  { key: 'from', header: 'Resource', width: '38%', cell: ({ from }) => <End resource={from} /> },
  { key: 'verb', header: 'Relation', width: '9rem', cell: ({ verb }) => relationRules[verb].text },
  { key: 'to', header: 'Needed resource', cell: ({ to }) => <End resource={to} /> },
]

function End({ resource }: { resource: RelatedResource }) {
  return (
    <span className="flex min-w-0 items-baseline gap-x-2 max-sm:flex-col">
      <Link href={resource.href} className="max-w-full truncate">
        {resource.name}
      </Link>
      <span className="max-w-full truncate text-small text-text-3">{placeText(resource)}</span>
    </span>
  )
}
