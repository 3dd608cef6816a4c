import type { SavedQuery, SqlRelation } from '@bey/contract'
import { memo } from 'react'
import { failureOf } from '../../../lib/failed-query.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { SavedQueries, SqlHistory } from './query-lists.tsx'
import { RelationTree } from './relation-tree.tsx'

interface SqlSideProps {
  databaseId: string
  relations: Parameters<typeof failureOf>[1] & {
    data: { relations: SqlRelation[]; isTruncated: boolean } | undefined
  }
  /** The database can be asked. */
  isReady: boolean
  isAllowed: boolean
  /** The saved query of the current tab. */
  current: string | undefined
  onInsert: (name: string) => void
  onOpenSaved: (query: SavedQuery) => void
  onOpenText: (statement: string) => void
}

/** What stands beside the editor: the tables, saved queries, and what one executed before. */
export function SqlSide(props: SqlSideProps) {
  const { databaseId, relations, isReady, isAllowed, current, onInsert, onOpenSaved, onOpenText } = props
  const failure = failureOf('Failed to read the tables', relations)
  return (
    <aside
      aria-label="Tables"
      className="order-last min-w-0 px-(--gutter) py-3 lg:order-first lg:border-r lg:border-line"
    >
      {failure ? (
        <ErrorState {...failure} isCompact />
      ) : relations.data ? (
        <Tree
          relations={relations.data.relations}
          isTruncated={relations.data.isTruncated}
          onInsert={onInsert}
        />
      ) : isReady ? (
        <Skeleton className="h-40" />
      ) : null}
      {isAllowed ? (
        <>
          <SavedQueries databaseId={databaseId} current={current} onOpen={onOpenSaved} />
          <SqlHistory databaseId={databaseId} onOpen={onOpenText} />
        </>
      ) : null}
    </aside>
  )
}

/** Thousands of columns are not drawn again at each key in the editor: what inserts a name does the same each time. */
const Tree = memo(
  RelationTree,
  (before, now) => before.relations === now.relations && before.isTruncated === now.isTruncated,
)
