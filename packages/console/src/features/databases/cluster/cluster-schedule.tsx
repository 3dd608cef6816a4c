import { type DatabaseClusterSchedule, deniedReason } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ScheduleField } from '../backups/schedule-field.tsx'

interface ClusterScheduleProps {
  database: Database
  schedule: DatabaseClusterSchedule
  /** Why no backup can be made of its Cluster; undefined where one can. */
  refusal: string | undefined
}

/** The button that sets the schedule of backups which Bey writes into the cluster. */
export function EditSchedule({ database, schedule, refusal }: ClusterScheduleProps) {
  const [isEditing, setEditing] = useState(false)
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'databases.backup')
  return (
    <>
      <Button
        size="small"
        disabledReason={stale ?? denied ?? (schedule.cron === null ? refusal : undefined)}
        onClick={() => setEditing(true)}
      >
        {schedule.cron === null ? 'Set…' : 'Change…'}
      </Button>
      {isEditing ? (
        <ScheduleDialog database={database} schedule={schedule} onClose={() => setEditing(false)} />
      ) : null}
    </>
  )
}

/** Says where the cluster differs from the schedule, and writes it again. */
export function ScheduleDrift({ database, schedule, refusal }: ClusterScheduleProps) {
  const set = useSchedule(database, schedule.cron, () => undefined)
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'databases.backup')
  if (schedule.drift === null) return null
  return (
    <Notice
      tone="warn"
      title="The schedule differs in the cluster"
      actions={
        <Button
          size="small"
          busy={set.isBusy}
          disabledReason={stale ?? denied ?? (schedule.cron === null ? undefined : refusal)}
          onClick={set.onSubmit}
        >
          {schedule.cron === null ? 'Remove it' : 'Put it right'}
        </Button>
      }
    >
      {schedule.drift}
      {set.refusal ? <span className="mt-1 block text-danger">{set.refusal}</span> : null}
    </Notice>
  )
}

function ScheduleDialog({
  database,
  schedule,
  onClose,
}: Pick<ClusterScheduleProps, 'database' | 'schedule'> & { onClose: () => void }) {
  const [cron, setCron] = useState(schedule.cron)
  const form = useSchedule(database, cron, onClose)
  return (
    <FormDialog title={`Schedule of ${database.name}`} form={form} submit="Save" onClose={onClose}>
      <ScheduleField
        label="Back up"
        value={cron}
        error={form.errors['schedule']}
        onChange={(next) => {
          setCron(next)
          form.onChange()
        }}
      />
      <p className="text-small text-text-2">
        Bey writes a ScheduledBackup into the cluster in your name, and CloudNativePG makes the backups,
        whether Bey runs or not.
      </p>
    </FormDialog>
  )
}

function useSchedule(database: Database, cron: string | null, onSaved: () => void) {
  return useSubmission({
    mutation: useChange('databases.clusterBackups.setSchedule'),
    invalid: {},
    input: { params: { id: database.id }, body: { schedule: cron } },
    lost: undefined,
    onSaved,
  })
}
