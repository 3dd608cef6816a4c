import type { BackupTarget, CallOutput } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useOrganizationId, useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useRead } from '../../../data/use-read.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatBytes } from '../../../lib/format.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { apiCommand, usePageCommands } from '../../../lib/page-commands.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { BucketSection } from './bucket-section.tsx'
import { DeletedDatabases } from './deleted-databases.tsx'
import { DeleteTargetDialog } from './delete-target-dialog.tsx'
import { keptText } from './target-text.ts'

const TargetDialog = lazyPart(async () => ({
  default: (await import('./target-dialog.tsx')).TargetDialog,
}))

type Opened = { kind: 'create' } | { kind: 'change' | 'delete'; target: BackupTarget }

/** Where backups of databases are kept: the machine of Bey, and buckets. */
export function BackupTargetsPage() {
  const list = useRead('databases.backupTargets.list', {})
  const failure = failureOf('Failed to fetch backup targets', list)
  const [opened, setOpened] = useState<Opened>()
  const stale = useStaleReason()
  const role = useRole()
  const denied = stale ?? deniedReason(role, 'databases.backupTargets')
  usePageCommands([
    apiCommand('List backup targets', 'databases.backupTargets.list', {}, useOrganizationId()),
  ])
  const close = () => setOpened(undefined)
  return (
    <>
      <PageHeader
        title="Backup targets"
        description="Where backups of databases are kept, encrypted with a key of your organization."
        actions={
          <Button
            variant="primary"
            icon={<Plus size={14} aria-hidden />}
            disabledReason={denied}
            onClick={() => setOpened({ kind: 'create' })}
          >
            Add bucket
          </Button>
        }
      />
      <div className="flex max-w-3xl flex-col gap-8 px-(--gutter) py-6">
        {failure ? <ErrorState {...failure} /> : null}
        {list.data ? <MachineSection machine={list.data.machine} /> : null}
        {list.data?.targets.map((target) => (
          <BucketSection
            key={target.id}
            target={target}
            disabledReason={denied}
            onChange={() => setOpened({ kind: 'change', target })}
            onDelete={() => setOpened({ kind: 'delete', target })}
          />
        ))}
        {list.data?.targets.length === 0 ? (
          <p className="text-text-2">
            No bucket yet. One of Amazon S3 or of any service that speaks its protocol keeps backups when this
            machine is lost.
          </p>
        ) : null}
        {list.data ? <DeletedDatabases /> : null}
        {list.data === undefined && failure === undefined ? (
          <DelayedSkeleton>
            <Skeleton className="h-40 w-full" />
          </DelayedSkeleton>
        ) : null}
      </div>
      <Suspense fallback={null}>
        {opened && opened.kind !== 'delete' ? (
          <TargetDialog target={opened.kind === 'change' ? opened.target : undefined} onClose={close} />
        ) : null}
      </Suspense>
      {opened?.kind === 'delete' ? <DeleteTargetDialog target={opened.target} onClose={close} /> : null}
    </>
  )
}

type Machine = CallOutput<'databases.backupTargets.list'>['machine']

function MachineSection({ machine }: { machine: Machine }) {
  const { place, freeBytes } = machine
  return (
    <Section title="On this machine" isCard>
      <p className="mb-2 text-text-2">
        Always there, and quick. If this machine is lost, its databases and these backups are lost together.
      </p>
      <Facts
        facts={[
          { label: 'Directory', value: <code className="font-mono text-small">{place}</code> },
          { label: 'Free', value: formatBytes(freeBytes) },
          { label: 'Kept there', value: keptText(machine) },
        ]}
      />
    </Section>
  )
}
