import { type DatabaseBackupPolicy, deniedReason } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useRead } from '../../../data/use-read.ts'
import { cronText } from '../../../entities/kubernetes/panels/cron-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { PolicyDialog } from './policy-dialog.tsx'

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
            { label: 'Backed up', value: scheduleText(policy.schedule, 'when asked for', now) },
            { label: 'Kept', value: formatCount(policy.retentionDays, 'day') },
            {
              label: 'Changes between backups',
              value: policy.pitr ? 'kept, any second can be restored' : 'not kept',
            },
            { label: 'Where', value: policy.targetId === null ? 'this machine' : (target?.name ?? '…') },
            { label: 'Proven', value: scheduleText(policy.drillSchedule, 'when asked for', now) },
            { label: 'Checks', value: checksText(policy.checks) },
          ]}
        />
      )}
      {policy !== undefined && policy.targetId === null ? (
        <p className="mt-2 text-small text-text-3">
          If this machine is lost, the database and its backups are lost together.
        </p>
      ) : null}
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

function scheduleText(cron: string | null, otherwise: string, now: number): string {
  if (cron === null) return otherwise
  const text = cronText(cron, 'UTC', new Date(now))
  return 'words' in text ? `${text.words}, UTC` : cron
}

function checksText(checks: DatabaseBackupPolicy['checks']): string {
  return checks.length === 0 ? 'that it answers' : checks.map(({ name }) => name).join(', ')
}
