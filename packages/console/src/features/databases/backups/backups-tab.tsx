import { backupRefusal, type DatabaseBackup, deniedReason, drillRefusal } from '@bey/contract'
import { Archive } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { restoreHref } from '../../../entities/databases/database-text.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { ClusterBackups } from '../cluster/cluster-backups.tsx'
import { ArchiveCard } from './archive-card.tsx'
import { BackupTable } from './backup-table.tsx'
import { LatePromise } from './late-promise.tsx'
import { MeasuredSection } from './measured-section.tsx'
import { DumpCard } from './dump-card.tsx'
import { MomentBar } from './moment-bar.tsx'
import { PolicyCard } from './policy-card.tsx'
import { ProveNow } from './prove-now.tsx'
import { RecoveryPlot } from './recovery-plot.tsx'
import { RestoreTable } from './restore-table.tsx'
import { RowsWritten } from './rows-written.tsx'
import { WindowRuler } from './window-ruler.tsx'
import { latestMoment, provenText, windowText } from './window-text.ts'

const hourMs = 3_600_000
/** How often the archive of changes is looked at, which grows without an event. */
const archiveMs = 15_000
const spans = { '1h': hourMs, '24h': 24 * hourMs, '14d': 14 * 24 * hourMs } as const
type Span = keyof typeof spans

/** What can be restored of a database, how long it takes, and what is kept for it. */
export function BackupsTab({ database }: { database: Database }) {
  const { cluster } = database
  if (cluster !== null) return <ClusterBackups database={database} cluster={cluster} />
  if (database.provider !== 'embedded') {
    return (
      <div className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <EmptyState
          title="Backed up where it runs, if at all"
          description={backupRefusal(database) ?? 'Its server is not run by Bey.'}
        />
        <DumpCard database={database} />
      </div>
    )
  }
  return <Backups database={database} />
}

function Backups({ database }: { database: Database }) {
  const params = { id: database.id }
  const window = useRead('databases.window', { params }, { refreshMs: archiveMs })
  const backups = useRead('databases.backups.list', { params, query: { limit: 100 } })
  const restores = useRead('databases.restores.list', { params, query: { limit: 50 } })
  const policy = useRead('databases.backupPolicy.get', { params })
  const recoveryTimeMinutes = policy.data?.recoveryTimeMinutes ?? null
  const [span, setSpan] = useState<Span>()
  const [chosenMs, setChosenMs] = useState<number>()
  const navigate = useNavigate()
  const stale = useStaleReason()
  const role = useRole()
  const now = useNow(true)
  const failure =
    failureOf('Failed to fetch what can be restored', window) ??
    failureOf('Failed to fetch the backups', backups)
  const latestMs = window.data && latestMoment(window.data)
  const atMs = chosenMs ?? latestMs
  const first = window.data?.ranges[0]
  const shown = span ?? spanFor(first === undefined ? 0 : now - Date.parse(first.from))
  const restoreDenied = stale ?? deniedReason(role, 'databases.restore')
  if (failure) return <ErrorState {...failure} />
  return (
    <div className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-8">
        <Section
          title="What can be restored"
          aside={
            <span className="flex flex-wrap items-center gap-2">
              <Segmented
                label="Shown time"
                options={[
                  { value: '1h', label: '1 h' },
                  { value: '24h', label: '24 h' },
                  { value: '14d', label: '14 days' },
                ]}
                value={shown}
                onChange={setSpan}
              />
              <BackUpNow database={database} />
            </span>
          }
        >
          {window.data === undefined ? (
            <Skeleton className="h-40 w-full" />
          ) : (
            <div className="flex flex-col gap-3">
              <p className="text-pretty">
                <span className="font-medium">{windowText(window.data, new Date(now))}</span>{' '}
                {provenText(restores.data?.restores, new Date(now), recoveryTimeMinutes)}
              </p>
              {window.data.archive.problem === null ? null : (
                <Notice tone="warn" title="Changes are not being archived">
                  {window.data.archive.problem}
                </Notice>
              )}
              <RecoveryPlot
                window={window.data}
                range={{ fromMs: now - spans[shown], toMs: now }}
                atMs={atMs}
                recoveryTimeMinutes={recoveryTimeMinutes}
              />
              <LatePromise window={window.data} recoveryTimeMinutes={recoveryTimeMinutes} />
              <RowsWritten
                databaseId={database.id}
                range={{ fromMs: now - spans[shown], toMs: now }}
                atMs={atMs}
              />
              <WindowRuler
                window={window.data}
                backups={backups.data?.backups ?? []}
                restores={restores.data?.restores ?? []}
                range={{ fromMs: now - spans[shown], toMs: now }}
                atMs={atMs}
                onChoose={setChosenMs}
              />
              {atMs === undefined ? null : (
                <MomentBar
                  window={window.data}
                  backups={backups.data?.backups ?? []}
                  atMs={atMs}
                  onChoose={setChosenMs}
                  disabledReason={restoreDenied}
                  onRestore={() =>
                    void navigate({ href: restoreHref(database.id, { at: new Date(atMs).toISOString() }) })
                  }
                />
              )}
            </div>
          )}
        </Section>
        <Section title="Backups" aside={backups.data ? summaryText(backups.data.summary) : null}>
          <BackupTable
            database={database}
            backups={backups.data?.backups}
            onRestore={(backup: DatabaseBackup) =>
              void navigate({ href: restoreHref(database.id, { backup: backup.id }) })
            }
          />
        </Section>
        <Section
          title="Restores and drills"
          aside={<ProveNow database={database} refusal={drillRefusal(database)} />}
        >
          <RestoreTable restores={restores.data?.restores} />
        </Section>
      </div>
      <div className="flex min-w-0 flex-col gap-8">
        <PolicyCard database={database} />
        <MeasuredSection restores={restores.data?.restores} />
        {window.data ? <ArchiveCard archive={window.data.archive} /> : null}
        <DumpCard database={database} />
      </div>
    </div>
  )
}

/** The shortest span that shows all that can be restored. */
function spanFor(ageMs: number): Span {
  if (ageMs <= spans['1h']) return '1h'
  return ageMs <= spans['24h'] ? '24h' : '14d'
}

function summaryText({ total, storedBytes }: { total: number; storedBytes: number }): string {
  return total === 0 ? '' : `${formatCount(total, 'backup')}, ${formatBytes(storedBytes)} stored`
}

function BackUpNow({ database }: { database: Database }) {
  const create = useChange('databases.backups.create')
  const stale = useStaleReason()
  const role = useRole()
  const denied = stale ?? deniedReason(role, 'databases.backup')
  return (
    <Button
      size="small"
      icon={<Archive size={14} aria-hidden />}
      busy={create.isPending}
      disabledReason={denied ?? backupRefusal(database)}
      onClick={() =>
        create.mutate(
          { params: { id: database.id } },
          { onError: (error) => toast('error', `The backup was not started: ${causeOf(error)}`) },
        )
      }
    >
      Back up now
    </Button>
  )
}
