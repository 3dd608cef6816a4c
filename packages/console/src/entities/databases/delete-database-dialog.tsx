import { entityResourceId } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../data/databases.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatBytes, formatCount } from '../../lib/format.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useNetworkImpact } from '../networks/network-membership.tsx'
import { DeleteImpact } from '../relations/delete-impact.tsx'
import { useDeleteImpact } from '../relations/use-delete-impact.ts'
import { isLetGo } from './database-text.ts'

export interface DeleteDatabaseDialogProps {
  database: Database
  onClose: () => void
  onDeleted?: () => void
}

/** Asks for the name of the database after listing what goes with it. */
export function DeleteDatabaseDialog({ database, onClose, onDeleted }: DeleteDatabaseDialogProps) {
  const remove = useChange('databases.delete')
  const references = useRead('databases.references', { params: { id: database.id } })
  const ofNetworks = useNetworkImpact({ databaseId: database.id })
  const { state, confirm, isChecking } = useDeleteImpact(entityResourceId('database', database.id))
  const [chosen, setChosen] = useState<boolean>()
  const final = references.data?.finalBackup
  const isBackedUp = final?.refusal === null && (chosen ?? final.isDefault)
  const isLeft = isLetGo(database)
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
          ? 'The server and its data stay as they are. Bey removes:'
          : 'This is deleted with it and cannot be restored, unless noted:'
      }
      impact={[...impactOf(database, references.data), ...ofNetworks]}
      action={isLeft ? 'Disconnect database' : 'Delete database'}
      mustTypeName
      busy={remove.isPending || isChecking}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() =>
        void confirm(() =>
          remove.mutate(
            { params: { id: database.id }, query: { finalBackup: isBackedUp ? 'true' : 'false' } },
            { onSuccess: finish },
          ),
        )
      }
    >
      <DeleteImpact {...state} />
      {isLeft ? null : (
        <Checkbox
          label="Back it up first"
          hint={final === undefined ? 'Checking whether it can be backed up …' : finalBackupText(final)}
          checked={isBackedUp}
          disabled={final === undefined || final.refusal !== null}
          onChange={(event) => setChosen(event.target.checked)}
        />
      )}
    </ConfirmDialog>
  )
}

type FinalBackup = {
  refusal: string | null
  target: string | null
  retentionDays: number
}

function finalBackupText({ refusal, target, retentionDays }: FinalBackup): string {
  if (refusal !== null) return refusal
  const place = target === null ? 'on the machine of Bey' : `in ${target}`
  return `Kept ${place} for ${formatCount(retentionDays, 'day')}, under Backup targets. If it fails, nothing is deleted.`
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
  const ofServer = isLetGo(database)
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
