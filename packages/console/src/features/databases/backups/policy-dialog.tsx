import type { DatabaseBackupPolicy } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { policyBody, type PolicyDraft, policyProblems } from './policy-draft.ts'
import { PolicyFields } from './policy-fields.tsx'

interface PolicyDialogProps {
  database: Database
  policy: DatabaseBackupPolicy
  /** Where backups can go beside this machine. */
  targets: readonly { id: string; name: string }[]
  onClose: () => void
}

/** Changes when a database is backed up and proven, and how long that is kept. */
export function PolicyDialog({ database, policy, targets, onClose }: PolicyDialogProps) {
  const { schedule, drillSchedule, targetId, pitr, checks, retentionDays, recoveryTimeMinutes } = policy
  const [draft, setDraft] = useState<PolicyDraft>({
    schedule,
    drillSchedule,
    targetId,
    pitr,
    checks,
    days: String(retentionDays),
    minutes: recoveryTimeMinutes === null ? '' : String(recoveryTimeMinutes),
  })
  const invalid = policyProblems(draft)
  const form = useSubmission({
    mutation: useChange('databases.backupPolicy.update'),
    invalid,
    input:
      Object.keys(invalid).length > 0
        ? undefined
        : { params: { id: database.id }, body: { ...policyBody(draft), expectedVersion: policy.version } },
    lost: undefined,
    onSaved: onClose,
  })
  return (
    <FormDialog title={`Backups of ${database.name}`} size="wide" form={form} submit="Save" onClose={onClose}>
      <PolicyFields
        draft={draft}
        targets={targets}
        errors={form.errors}
        onChange={(part) => {
          setDraft({ ...draft, ...part })
          form.onChange()
        }}
      />
    </FormDialog>
  )
}
