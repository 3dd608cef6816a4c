import { backupLimits } from '@bey/contract'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { CheckFields } from './check-fields.tsx'
import type { PolicyDraft } from './policy-draft.ts'
import { ScheduleField } from './schedule-field.tsx'

/** When a database is backed up and proven, and how long that is kept. */
export function PolicyFields({
  draft,
  targets,
  errors,
  onChange,
}: {
  draft: PolicyDraft
  /** Where backups can go beside this machine. */
  targets: readonly { id: string; name: string }[]
  errors: Readonly<Record<string, string | undefined>>
  onChange: (part: Partial<PolicyDraft>) => void
}) {
  const { schedule, drillSchedule, targetId, pitr, checks, days, minutes } = draft
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <ScheduleField
          label="Back up"
          value={schedule}
          error={errors['schedule']}
          onChange={(next) => onChange({ schedule: next })}
        />
        <Field label="Kept for, in days" required error={errors['retentionDays']}>
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={backupLimits.retentionDays}
              value={days}
              onChange={(event) => onChange({ days: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="To"
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
              onChange={(event) => onChange({ targetId: event.target.value || null })}
            />
          )}
        </Field>
        <ScheduleField
          label="Prove by a restore"
          value={drillSchedule}
          error={errors['drillSchedule']}
          onChange={(next) => onChange({ drillSchedule: next })}
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
              onChange={(event) => onChange({ minutes: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Switch
        label="Keep the changes between backups"
        hint="Any second can be restored then; it takes room for everything that is written."
        checked={pitr}
        onChange={(event) => onChange({ pitr: event.target.checked })}
      />
      <CheckFields
        checks={checks}
        error={errors['checks']}
        onChange={(next) => onChange({ checks: [...next] })}
      />
    </>
  )
}
