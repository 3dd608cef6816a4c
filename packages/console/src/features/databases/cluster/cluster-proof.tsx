import { type DatabaseBackupPolicy, deniedReason } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { useNow } from '../../../lib/now.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { CheckFields } from '../backups/check-fields.tsx'
import { checksText, nextFact, policyScheduleText } from '../backups/policy-text.tsx'
import { ScheduleField } from '../backups/schedule-field.tsx'

/** When the backups of a database on a cluster are proven by a restore, and what the copy is asked. */
export function ClusterProof({ database }: { database: Database }) {
  const { data: policy } = useRead('databases.backupPolicy.get', { params: { id: database.id } })
  const [isEditing, setEditing] = useState(false)
  const stale = useStaleReason()
  const role = useRole()
  const denied = stale ?? deniedReason(role, 'databases.backup')
  const now = useNow(policy !== undefined)
  return (
    <Section
      title="Proof by restore"
      isCard
      aside={
        <Button
          size="small"
          disabled={policy === undefined}
          disabledReason={denied}
          onClick={() => setEditing(true)}
        >
          Change…
        </Button>
      }
    >
      {policy === undefined ? (
        <Skeleton className="h-16 w-full" />
      ) : (
        <Facts
          facts={[
            { label: 'Proven', value: policyScheduleText(policy.drillSchedule, 'on request', now) },
            ...nextFact('Next drill', policy.nextDrillAt),
            { label: 'Checks', value: checksText(policy.checks) },
          ]}
        />
      )}
      {policy?.drillNote == null ? null : <p className="mt-2 text-small text-warn">{policy.drillNote}</p>}
      {isEditing && policy !== undefined ? (
        <ProofDialog database={database} policy={policy} onClose={() => setEditing(false)} />
      ) : null}
    </Section>
  )
}

function ProofDialog({
  database,
  policy,
  onClose,
}: {
  database: Database
  policy: DatabaseBackupPolicy
  onClose: () => void
}) {
  const [drillSchedule, setDrillSchedule] = useState(policy.drillSchedule)
  const [checks, setChecks] = useState(policy.checks)
  const isMissing = checks.some(({ name, sql }) => name.trim() === '' || sql.trim() === '')
  const { schedule, retentionDays, targetId, pitr, recoveryTimeMinutes, version: expectedVersion } = policy
  const form = useSubmission({
    mutation: useChange('databases.backupPolicy.update'),
    invalid: isMissing ? { checks: 'Give each check a name and a statement, or remove it.' } : {},
    input: isMissing
      ? undefined
      : {
          params: { id: database.id },
          body: {
            schedule,
            retentionDays,
            targetId,
            pitr,
            recoveryTimeMinutes,
            drillSchedule,
            checks,
            expectedVersion,
          },
        },
    lost: undefined,
    onSaved: onClose,
  })
  return (
    <FormDialog title={`Proof of ${database.name}`} size="wide" form={form} submit="Save" onClose={onClose}>
      <ScheduleField
        label="Prove by a restore"
        value={drillSchedule}
        error={form.errors['drillSchedule']}
        onChange={(next) => {
          setDrillSchedule(next)
          form.onChange()
        }}
      />
      <p className="text-small text-text-2">
        Each drill restores the newest backup into a Cluster beside this one, in your name, and removes it
        again. The namespace needs room for one more instance with its volume meanwhile.
      </p>
      <CheckFields
        checks={checks}
        error={form.errors['checks']}
        onChange={(next) => {
          setChecks([...next])
          form.onChange()
        }}
      />
    </FormDialog>
  )
}
