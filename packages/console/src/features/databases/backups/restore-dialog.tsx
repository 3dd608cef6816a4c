import {
  type DatabaseBackup,
  databaseNameRule,
  type DatabasePlanId,
  databasePlanIds,
  isValidDatabaseName,
} from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { databaseHref, planLabels } from '../../../entities/databases/database-text.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { FormFoot } from '../../../ui/form-foot.tsx'

/** A moment in ms since 1970, or a backup without what came after it. */
export type RestorePoint = { atMs: number } | { backup: DatabaseBackup }

/** Makes a new database as this one was at a moment. Nothing changes in the one that it is made from. */
export function RestoreDialog({
  database,
  point,
  isDeleted = false,
  onClose,
}: {
  database: Pick<Database, 'id' | 'name' | 'plan'>
  point: RestorePoint
  /** Only its backups are left. */
  isDeleted?: boolean
  onClose: () => void
}) {
  const [name, setName] = useState(`${database.name}-restored`.slice(0, 63))
  const [plan, setPlan] = useState<DatabasePlanId>(database.plan ?? 'small')
  const navigate = useNavigate()
  const moment =
    'atMs' in point
      ? momentText(new Date(point.atMs).toISOString())
      : momentText(point.backup.consistentAt ?? point.backup.createdAt)
  const isValid = isValidDatabaseName(name.trim())
  const form = useSubmission({
    mutation: useChange('databases.restore'),
    invalid: isValid ? {} : { name: databaseNameRule },
    input: isValid
      ? {
          params: { id: database.id },
          body: {
            name: name.trim(),
            plan,
            ...('atMs' in point
              ? { targetTime: new Date(point.atMs).toISOString() }
              : { backupId: point.backup.id }),
          },
        }
      : undefined,
    lost: undefined,
    fieldOfCode: { name_taken: 'name' },
    onSaved: ({ newDatabase }) => {
      onClose()
      if (newDatabase !== null) void navigate({ href: databaseHref(newDatabase.id) })
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Restore ${database.name} as of ${moment}`}
      description={
        isDeleted
          ? 'A new database is made of its backups, which stay until they expire.'
          : 'A new database is made beside it. Nothing changes in this one, and you can put the copy in its place afterwards.'
      }
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
        <Field label="Size" error={form.errors['plan']}>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={plan}
              options={databasePlanIds.map((value) => ({ value, label: planLabels[value] }))}
              onChange={(event) => {
                const chosen = databasePlanIds.find((each) => each === event.target.value)
                if (chosen !== undefined) setPlan(chosen)
                form.onChange()
              }}
            />
          )}
        </Field>
        <div>
          <p className="font-medium">What will happen</p>
          <ol className="mt-1.5 list-decimal pl-5 text-text-2">
            <li>The files of the backup are fetched and their checksum is compared.</li>
            <li>
              {'atMs' in point
                ? `A new server replays the changes recorded until ${moment}.`
                : 'A new server replays what makes the backup consistent, and nothing after it.'}
            </li>
            <li>Its owner gets a password of its own, and the checks of {database.name} are asked.</li>
          </ol>
        </div>
        <FormFoot form={form} submit="Restore" onCancel={onClose} />
      </form>
    </Dialog>
  )
}
