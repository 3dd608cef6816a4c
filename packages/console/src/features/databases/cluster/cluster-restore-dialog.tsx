import { type ClusterBackup, databaseNameRule, isValidDatabaseName } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { FormFoot } from '../../../ui/form-foot.tsx'
import { localFields, zoneText } from '../backups/moment-fields.ts'

/** A Backup, or any moment since the first that can be restored, in ms since 1970. */
export type ClusterRestorePoint = { backup: ClusterBackup } | { fromMs: number }

/** Makes a new Cluster of the backups of this one. Nothing changes in the one that it is made from. */
export function ClusterRestoreDialog({
  database,
  point,
  onClose,
}: {
  database: Database
  point: ClusterRestorePoint
  onClose: () => void
}) {
  const [name, setName] = useState(`${database.name}-restored`.slice(0, 50))
  const [moment, setMoment] = useState(() => localFields(Date.now()))
  const navigate = useNavigate()
  const atMs = Date.parse(moment)
  const momentProblem =
    'backup' in point
      ? undefined
      : Number.isNaN(atMs)
        ? 'Enter a date and a time.'
        : atMs < point.fromMs
          ? `The first moment is ${momentText(new Date(point.fromMs))}.`
          : undefined
  const invalid = {
    ...(isValidDatabaseName(name.trim()) ? {} : { name: databaseNameRule }),
    ...(momentProblem === undefined ? {} : { targetTime: momentProblem }),
  }
  const isValid = Object.keys(invalid).length === 0
  const form = useSubmission({
    mutation: useChange('databases.clusterBackups.restore'),
    invalid,
    input: isValid
      ? {
          params: { id: database.id },
          body: {
            name: name.trim(),
            ...('backup' in point
              ? { backup: point.backup.name }
              : { targetTime: new Date(atMs).toISOString() }),
          },
        }
      : undefined,
    lost: undefined,
    fieldOfCode: { name_taken: 'name' },
    onSaved: ({ id }) => {
      onClose()
      void navigate({ href: databaseHref(id) })
    },
  })
  const title =
    'backup' in point ? `Restore the backup ${point.backup.name}` : `Restore a moment of ${database.name}`
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={title}
      description="CloudNativePG makes a new Cluster with one instance. Nothing changes in this one."
      size="normal"
      isModalStrict
    >
      <form
        noValidate
        className="flex flex-col gap-4 pb-1"
        onSubmit={(event) => {
          event.preventDefault()
          form.onSubmit()
        }}
      >
        {'backup' in point ? null : (
          <Field label="Moment" required hint={zoneText()} error={form.errors['targetTime']}>
            {(control) => (
              <Input
                {...control}
                type="datetime-local"
                step={1}
                value={moment}
                onChange={(event) => {
                  setMoment(event.target.value)
                  form.onChange()
                }}
              />
            )}
          </Field>
        )}
        <Field label="Name of the new database" required error={form.errors['name']}>
          {(control) => (
            <Input
              {...control}
              value={name}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={(event) => {
                setName(event.target.value)
                form.onChange()
              }}
            />
          )}
        </Field>
        <p className="text-text-2">
          The new Cluster names no store of its own, so that it does not write over these backups: name one
          before you rely on it.
        </p>
        <FormFoot form={form} submit="Restore" onCancel={onClose} />
      </form>
    </Dialog>
  )
}
