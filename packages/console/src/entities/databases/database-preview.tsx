import { Eye, History, Plug, Trash } from 'lucide-react'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PreviewSkeleton } from '../../ui/preview-skeleton.tsx'
import type { PreviewActionsProps, PreviewProps } from '../preview.ts'
import type { Database } from '../../data/databases.ts'
import { DatabaseFacts } from './database-facts.tsx'
import { databaseHref, isExternal, restoreHref } from './database-text.ts'
import { DeleteDatabaseDialog } from './delete-database-dialog.tsx'
import { useDatabaseActions } from './use-database-actions.ts'

export function DatabaseDetails({ id }: PreviewProps) {
  const query = useRead('databases.get', { params: { id } })
  if (query.data) {
    return (
      <>
        {query.data.reason ? <p className="text-text-2">{query.data.reason}</p> : null}
        <DatabaseFacts database={query.data} />
      </>
    )
  }
  const failure = failureOf('Failed to fetch the database', query)
  return failure ? <ErrorState {...failure} isCompact /> : <PreviewSkeleton />
}

export function DatabaseActions({ id, onChoose, onOpen, onAsk }: PreviewActionsProps) {
  const { data } = useRead('databases.get', { params: { id } })
  return (
    <>
      <Button variant="primary" icon={<Eye size={14} aria-hidden />} onClick={onChoose}>
        View database
      </Button>
      {data ? <LoadedActions database={data} onOpen={onOpen} onAsk={onAsk} /> : null}
    </>
  )
}

function LoadedActions({
  database,
  onOpen,
  onAsk,
}: { database: Database } & Pick<PreviewActionsProps, 'onOpen' | 'onAsk'>) {
  const { deleteReason } = useDatabaseActions(database)
  return (
    <>
      <Button
        icon={<Plug size={14} aria-hidden />}
        onClick={() => onOpen(databaseHref(database.id, 'connect'))}
      >
        Connect
      </Button>
      {database.provider === 'embedded' ? (
        <Button icon={<History size={14} aria-hidden />} onClick={() => onOpen(restoreHref(database.id))}>
          Restore…
        </Button>
      ) : null}
      <Button
        icon={<Trash size={14} aria-hidden />}
        disabledReason={deleteReason}
        onClick={() => onAsk((close) => <DeleteDatabaseDialog database={database} onClose={close} />)}
      >
        {isExternal(database) ? 'Disconnect' : 'Delete database'}
      </Button>
    </>
  )
}
