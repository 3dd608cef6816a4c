import { backupLimits, type DatabaseBackupPolicy } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { CheckFields } from './check-fields.tsx'
import { ScheduleField } from './schedule-field.tsx'

interface PolicyDialogProps {
  database: Database
  policy: DatabaseBackupPolicy
  /** Where backups can go beside this machine. */
  targets: readonly { id: string; name: string }[]
  onClose: () => void
}

/** Changes when a database is backed up and proven, and how long that is kept. */
export function PolicyDialog({ database, policy, targets, onClose }: PolicyDialogProps) {
  const [draft, setDraft] = useState({
    ...policy,
    days: String(policy.retentionDays),
    minutes: policy.recoveryTimeMinutes === null ? '' : String(policy.recoveryTimeMinutes),
  })
  const change = (part: Partial<typeof draft>) => {
    setDraft({ ...draft, ...part })
    form.onChange()
  }
  const { schedule, drillSchedule, targetId, pitr, checks, days, minutes } = draft
  const recoveryTimeMinutes = minutes.trim() === '' ? null : Number(minutes)
  const retentionDays = Number(days)
  const isWhole = Number.isInteger(retentionDays) && retentionDays >= 1
  const invalid = {
    ...(isWhole && retentionDays <= backupLimits.retentionDays
      ? {}
      : { retentionDays: `Enter 1 to ${backupLimits.retentionDays} days.` }),
    ...(recoveryTimeMinutes === null ||
    (Number.isInteger(recoveryTimeMinutes) &&
      recoveryTimeMinutes >= 1 &&
      recoveryTimeMinutes <= backupLimits.recoveryTimeMinutes)
      ? {}
      : { recoveryTimeMinutes: `Enter 1 to ${backupLimits.recoveryTimeMinutes} minutes, or nothing.` }),
    ...(checks.some(({ name, sql }) => name.trim() === '' || sql.trim() === '')
      ? { checks: 'Give each check a name and a statement, or remove it.' }
      : {}),
  }
  const form = useSubmission({
    mutation: useChange('databases.backupPolicy.update'),
    invalid,
    input:
      Object.keys(invalid).length > 0
        ? undefined
        : {
            params: { id: database.id },
            body: {
              schedule,
              drillSchedule,
              targetId,
              pitr,
              checks,
              retentionDays,
              recoveryTimeMinutes,
              expectedVersion: policy.version,
            },
          },
    lost: undefined,
    onSaved: onClose,
  })
  const { errors } = form
  return (
    <FormDialog title={`Backups of ${database.name}`} size="wide" form={form} submit="Save" onClose={onClose}>
      <div className="grid gap-4 sm:grid-cols-2">
        <ScheduleField
          label="Back up"
          value={schedule}
          error={errors['schedule']}
          onChange={(next) => change({ schedule: next })}
        />
        <Field label="Kept for, in days" required error={errors['retentionDays']}>
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={backupLimits.retentionDays}
              value={days}
              onChange={(event) => change({ days: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Where"
          error={errors['targetId']}
          hint={targetId === null ? 'Lost together with the machine.' : undefined}
        >
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={targetId ?? ''}
              options={[
                { value: '', label: 'This machine' },
                ...targets.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(event) => change({ targetId: event.target.value || null })}
            />
          )}
        </Field>
        <ScheduleField
          label="Prove by a restore"
          value={drillSchedule}
          error={errors['drillSchedule']}
          onChange={(next) => change({ drillSchedule: next })}
        />
        <Field
          label="Promised to be back within, in minutes"
          error={errors['recoveryTimeMinutes']}
          hint="Drills are measured against it; empty promises nothing."
        >
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={backupLimits.recoveryTimeMinutes}
              value={minutes}
              onChange={(event) => change({ minutes: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Switch
        label="Keep the changes between backups"
        hint="Any second can be restored then; it takes room for everything that is written."
        checked={pitr}
        onChange={(event) => change({ pitr: event.target.checked })}
      />
      <CheckFields
        checks={checks}
        error={errors['checks']}
        onChange={(next) => change({ checks: [...next] })}
      />
    </FormDialog>
  )
}
