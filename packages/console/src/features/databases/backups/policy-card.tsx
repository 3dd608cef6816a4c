import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useRead } from '../../../data/use-read.ts'
import { formatCount } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Link } from '../../../ui/link.tsx'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { PolicyDialog } from './policy-dialog.tsx'
import { checksText, nextFact, policyScheduleText } from './policy-text.tsx'

/** When a database is backed up and proven, and how long that is kept. */
export function PolicyCard({ database }: { database: Database }) {
  const params = { id: database.id }
  const { data: policy } = useRead('databases.backupPolicy.get', { params })
  const targets = useRead('databases.backupTargets.list', {})
  const [isEditing, setEditing] = useState(false)
  const stale = useStaleReason()
  const role = useRole()
  const denied = stale ?? deniedReason(role, 'databases.backup')
  const now = useNow(policy !== undefined)
  const target = targets.data?.targets.find(({ id }) => id === policy?.targetId)
  return (
    <Section
      title="Policy"
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
        <Skeleton className="h-36 w-full" />
      ) : (
        <Facts
          facts={[
            { label: 'Backed up', value: policyScheduleText(policy.schedule, 'on request', now) },
            ...nextFact('Next backup', policy.nextBackupAt),
            { label: 'Kept', value: formatCount(policy.retentionDays, 'day') },
            {
              label: 'Changes between backups',
              value: policy.pitr ? 'kept, any second can be restored' : 'not kept',
            },
            {
              label: 'Promised',
              value:
                policy.recoveryTimeMinutes === null
                  ? 'nothing'
                  : `back within ${policy.recoveryTimeMinutes} min`,
            },
            {
              label: 'Where',
              value: (
                <Link href="/databases/backup-targets" className="underline">
                  {policy.targetId === null ? 'this machine' : (target?.name ?? '…')}
                </Link>
              ),
            },
            { label: 'Proven', value: policyScheduleText(policy.drillSchedule, 'on request', now) },
            ...nextFact('Next drill', policy.nextDrillAt),
            { label: 'Checks', value: checksText(policy.checks) },
          ]}
        />
      )}
      {policy !== undefined && policy.targetId === null ? (
        <p className="mt-2 text-small text-text-3">
          If this machine is lost, the database and its backups are lost together.
        </p>
      ) : null}
      {[policy?.backupNote, policy?.drillNote].map((note) =>
        note == null ? null : (
          <p key={note} className="mt-2 text-small text-warn">
            {note}
          </p>
        ),
      )}
      {isEditing && policy !== undefined ? (
        <PolicyDialog
          database={database}
          policy={policy}
          targets={targets.data?.targets ?? []}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </Section>
  )
}
