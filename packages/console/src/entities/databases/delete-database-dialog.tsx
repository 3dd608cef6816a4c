import type { Database } from '../../data/databases.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatBytes, formatCount } from '../../lib/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { isExternal } from './database-text.ts'

export interface DeleteDatabaseDialogProps {
  database: Database
  onClose: () => void
  onDeleted?: () => void
}

/** Asks for the name of the database after listing what goes with it. */
export function DeleteDatabaseDialog({ database, onClose, onDeleted }: DeleteDatabaseDialogProps) {
  const remove = useChange('databases.delete')
  const references = useRead('databases.references', { params: { id: database.id } })
  const isLeft = isExternal(database)
  const verb = isLeft ? 'disconnect' : 'delete'
  const failure = remove.error ? errorText(`Failed to ${verb} the database`, remove.error) : undefined
  const finish = () => {
    onClose()
    onDeleted?.()
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Are you sure you want to ${verb} this database?`}
      name={database.name}
      impactTitle={
        isLeft
          ? 'The server and its data stay as they are. Here, this goes:'
          : 'This goes with it and cannot be brought back, unless noted:'
      }
      impact={impactOf(database, references.data)}
      action={isLeft ? 'Disconnect database' : 'Delete database'}
      mustTypeName
      busy={remove.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() => remove.mutate({ params: { id: database.id } }, { onSuccess: finish })}
    />
  )
}

type References = {
  connections: number | null
  sizeBytes: number | null
  secrets: { name: string }[]
  runs: unknown[]
}

function impactOf(database: Database, references: References | undefined): string[] {
  if (references === undefined) return []
  const { connections, sizeBytes, secrets, runs } = references
  const ofServer = isExternal(database)
    ? []
    : [
        sizeBytes === null ? 'All data' : `${formatBytes(sizeBytes)} of data`,
        ...(connections === null || connections === 0
          ? []
          : [`${formatCount(connections, 'open connection')}, which end`]),
      ]
  return [
    ...ofServer,
    ...secrets.map(({ name }) => `Secret ${name}, which can be restored for 7 days`),
    ...(runs.length === 0
      ? []
      : [
          `${formatCount(runs.length, 'run')} under way, which ${runs.length === 1 ? 'is' : 'are'} cancelled`,
        ]),
  ]
}
