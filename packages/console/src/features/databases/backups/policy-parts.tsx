import { backupLimits } from '@bey/contract'
import type { ReactNode } from 'react'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { CheckFields } from './check-fields.tsx'
import type { PolicyDraft } from './policy-draft.ts'
import { ScheduleField } from './schedule-field.tsx'

/** The fields of a policy that are the same wherever the database runs. */
export function PolicyParts({
  draft,
  errors,
  place,
  changes,
  onChange,
}: {
  draft: PolicyDraft
  errors: Readonly<Record<string, string | undefined>>
  /** The field that says where backups go; undefined: it stands elsewhere. */
  place?: ReactNode
  /** What is kept of the changes between backups. */
  changes: ReactNode
  onChange: (part: Partial<PolicyDraft>) => void
}) {
  const { schedule, drillSchedule, checks, days, minutes } = draft
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
        {place}
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
      {changes}
      <CheckFields
        checks={checks}
        error={errors['checks']}
        onChange={(next) => onChange({ checks: [...next] })}
      />
    </>
  )
}
