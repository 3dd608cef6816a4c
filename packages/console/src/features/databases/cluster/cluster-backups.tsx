import {
  type ClusterBackup,
  clusterBackupMethodLabels,
  type DatabaseCluster,
  deniedReason,
} from '@bey/contract'
import { Archive, History } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { cronText } from '../../../entities/kubernetes/panels/cron-text.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatDuration } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Status } from '../../../ui/status.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { TableCard } from '../../../ui/table-card.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { toast } from '../../../ui/toast.ts'
import { DumpCard } from '../backups/dump-card.tsx'
import { ProveNow } from '../backups/prove-now.tsx'
import { RestoreTable } from '../backups/restore-table.tsx'
import { ClusterProof } from './cluster-proof.tsx'
import { EditSchedule, ScheduleDrift } from './cluster-schedule.tsx'
import { ClusterRestoreDialog, type ClusterRestorePoint } from './cluster-restore-dialog.tsx'

/** Backups change while the operator works, without an event. */
const refreshMs = 10_000

/** What CloudNativePG has backed up of a database, and new Clusters that are made of it. */
export function ClusterBackups({ database, cluster }: { database: Database; cluster: DatabaseCluster }) {
  const query = useRead('databases.clusterBackups.list', { params: { id: database.id } }, { refreshMs })
  const restores = useRead('databases.restores.list', {
    params: { id: database.id },
    query: { limit: 50, kind: 'drill' },
  })
  const [point, setPoint] = useState<ClusterRestorePoint>()
  const role = useRole()
  const stale = useStaleReason()
  const now = useNow(false)
  const { data } = query
  const failure = failureOf('Failed to read the backups in the cluster', query)
  if (failure) return <ErrorState {...failure} />
  if (data === undefined) return <Skeleton className="m-6 h-64" />
  const denied = stale ?? deniedReason(role, 'databases.restore')
  const noMethod =
    data.method === null
      ? `The Cluster "${cluster.name}" names no store and no plugin for backups.`
      : undefined
  const noWindow =
    noMethod !== undefined
      ? noMethod
      : data.recoverableFrom === null
        ? 'CloudNativePG names no moment that can be restored yet.'
        : undefined
  return (
    <div className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-6">
        {data.method === null ? (
          <Notice tone="warn" title="No backup is configured">
            The Cluster “{cluster.name}” names no store and no plugin for backups, so CloudNativePG makes
            none. Name one in its specification.
          </Notice>
        ) : null}
        <ScheduleDrift database={database} schedule={data.schedule} refusal={noMethod} />
        {data.archiveProblem === null ? null : (
          <Notice tone="warn" title="Changes are not being archived">
            {data.archiveProblem}
          </Notice>
        )}
        <Section
          title="Backups"
          aside={
            <span className="flex flex-wrap gap-2">
              <Button
                size="small"
                icon={<History size={14} aria-hidden />}
                disabledReason={denied ?? noWindow}
                onClick={() => setPoint({ fromMs: Date.parse(data.recoverableFrom ?? '') })}
              >
                Restore a moment…
              </Button>
              <BackUpNow database={database} hasMethod={data.method !== null} />
            </span>
          }
        >
          <TableCard>
            <Table
              label="Backups"
              columns={columnsOf(denied, (backup) => setPoint({ backup }))}
              rows={data.backups}
              rowKey={({ name }) => name}
              rowLabel={({ name }) => name}
              empty={
                <EmptyState
                  title="No backup yet"
                  description="This database could not be restored. What CloudNativePG backs up is listed here."
                />
              }
            />
          </TableCard>
        </Section>
        <Section title="Restore drills" aside={<ProveNow database={database} refusal={noMethod} />}>
          <RestoreTable restores={restores.data?.restores} />
        </Section>
      </div>
      <div className="flex flex-col gap-6">
        <Section title="What can be restored" isCard>
          <Facts
            facts={[
              { label: 'Kept in', value: data.store ?? 'nowhere' },
              {
                label: 'From',
                value: data.recoverableFrom === null ? '—' : momentText(data.recoverableFrom),
              },
              {
                label: 'Archive',
                value: data.isArchiving === null ? 'not said' : data.isArchiving ? 'up to date' : 'failing',
              },
            ]}
          />
        </Section>
        <Section
          title="Schedules"
          isCard
          aside={<EditSchedule database={database} schedule={data.schedule} refusal={noMethod} />}
        >
          {data.schedules.length === 0 ? (
            <p className="text-text-2">The Cluster has no ScheduledBackup.</p>
          ) : (
            <ul className="flex flex-col gap-3">
              {data.schedules.map(({ name, schedule, isSuspended, nextAt }) => (
                <li key={name}>
                  <p className="flex flex-wrap justify-between gap-2">
                    <span className="font-medium">{name}</span>
                    <code className="text-small">{schedule}</code>
                  </p>
                  <p className="text-small text-text-2">{scheduleText(schedule, new Date(now))}</p>
                  <p className="text-small text-text-2">
                    {isSuspended ? (
                      'Suspended'
                    ) : nextAt === null ? (
                      'Not run yet'
                    ) : (
                      <>
                        Next <RelativeTime at={nextAt} />
                      </>
                    )}
                  </p>
                </li>
              ))}
            </ul>
          )}
        </Section>
        <ClusterProof database={database} />
        <DumpCard database={database} />
      </div>
      {point ? (
        <ClusterRestoreDialog database={database} point={point} onClose={() => setPoint(undefined)} />
      ) : null}
    </div>
  )
}

/** "Every day at 02:30": CloudNativePG's first field is of seconds, which is 0 in what people write. */
function scheduleText(schedule: string, now: Date): string | null {
  const text = schedule.startsWith('0 ') ? cronText(schedule.slice(2), 'UTC', now) : undefined
  return text && 'words' in text ? text.words : null
}

function BackUpNow({ database, hasMethod }: { database: Database; hasMethod: boolean }) {
  const create = useChange('databases.clusterBackups.create')
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'databases.backup')
  const refusal = hasMethod ? undefined : 'Its Cluster names no store and no plugin for backups.'
  return (
    <Button
      size="small"
      variant="primary"
      icon={<Archive size={14} aria-hidden />}
      busy={create.isPending}
      disabledReason={stale ?? denied ?? refusal}
      onClick={() =>
        create.mutate(
          { params: { id: database.id } },
          {
            onSuccess: () => toast('success', `The backup of ${database.name} started`),
            onError: (error) => toast('error', `The backup was not started: ${causeOf(error)}`),
          },
        )
      }
    >
      Back up now
    </Button>
  )
}

/** Phases of CloudNativePG in the words of the console's states. */
const looks: Readonly<Record<string, string>> = {
  completed: 'completed',
  failed: 'failed',
  walArchivingFailing: 'failed',
}

function columnsOf(
  denied: string | undefined,
  onRestore: (backup: ClusterBackup) => void,
): readonly Column<ClusterBackup>[] {
  return [
    { key: 'name', header: 'Backup', cell: ({ name }) => name },
    {
      key: 'phase',
      header: 'State',
      width: '8rem',
      isVital: true,
      cell: ({ phase, error }) => (
        <Status
          status={looks[phase] ?? 'running'}
          of="run"
          label={phase || 'asked for'}
          {...(error !== null && { title: error })}
        />
      ),
    },
    {
      key: 'method',
      header: 'By',
      width: '8rem',
      isExtra: true,
      cell: ({ method }) => clusterBackupMethodLabels[method],
    },
    {
      key: 'started',
      header: 'Started',
      width: '7rem',
      cell: ({ startedAt }) => (startedAt === null ? '—' : <RelativeTime at={startedAt} />),
    },
    {
      key: 'took',
      header: 'Took',
      width: '5rem',
      align: 'end',
      isExtra: true,
      cell: ({ startedAt, stoppedAt }) =>
        startedAt === null || stoppedAt === null
          ? '—'
          : formatDuration(Date.parse(stoppedAt) - Date.parse(startedAt)),
    },
    {
      key: 'scheduledBy',
      header: 'Asked for by',
      width: '8rem',
      isExtra: true,
      cell: ({ scheduledBy }) => scheduledBy ?? 'a person',
    },
    {
      key: 'restore',
      header: 'Restore',
      width: '6.5rem',
      align: 'end',
      isVital: true,
      cell: (backup) => (
        <Button
          size="small"
          aria-label={`Restore ${backup.name}`}
          disabledReason={denied ?? backup.restoreRefusal ?? undefined}
          onClick={() => onRestore(backup)}
        >
          Restore…
        </Button>
      ),
    },
  ]
}
