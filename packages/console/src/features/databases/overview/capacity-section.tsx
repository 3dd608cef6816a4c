import { databasePlans, recoveryMs } from '@bey/contract'
import type { Database } from '../../../data/databases.ts'
import { useRead } from '../../../data/use-read.ts'
import { DrillTicks } from '../drill-ticks.tsx'
import { databaseHref, isExternal, planLabels, sizeLabel } from '../../../entities/databases/database-text.ts'
import { formatBytes, formatCount, formatDuration, formatNumber } from '../../../lib/format.ts'
import { Facts, type Fact } from '../../../ui/facts.tsx'
import { Link } from '../../../ui/link.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { useGrowth } from '../use-growth.ts'
import { GrowthPlot } from './growth-plot.tsx'

type Figures = NonNullable<Database['figures']>

/** What a database uses of what it may use, when that is full, and what its last restore proved. */
export function CapacitySection({ database, figures }: { database: Database; figures: Figures }) {
  const { connections, maxConnections, sizeBytes, sizeLimitBytes, diskQuota } = figures
  const growth = useGrowth(database, figures)
  const limitBytes = diskQuota?.limitBytes ?? sizeLimitBytes
  const usedBytes = diskQuota?.usedBytes ?? sizeBytes
  const daysLeft = growth?.daysUntilFull ?? null
  return (
    <Section
      title="Capacity"
      aside={
        database.plan === null && database.cluster === null ? null : (
          <Link href={databaseHref(database.id, 'settings')} className="underline hover:text-accent-text">
            Grow…
          </Link>
        )
      }
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-text-2">{sizeLabel(database)}</span>
        <span className="text-right tabular-nums">
          {daysLeft === null ? null : (
            <strong className={`font-medium ${daysLeft < 30 ? 'text-warn' : ''}`} data-live-color="">
              {daysLeft === 0 ? 'full within a day' : `${formatCount(daysLeft, 'day')} left`}
              {' · '}
            </strong>
          )}
          {formatBytes(usedBytes)}
          {limitBytes === null ? '' : ` of ${formatBytes(limitBytes)}`}
        </span>
      </div>
      <GrowthPlot database={database} limitBytes={limitBytes} growth={growth} />
      {database.status === 'hibernated' ? null : (
        <div className="mt-3 mb-1.5">
          <Meter
            label="Connections"
            used={connections}
            total={maxConnections}
            format={formatNumber}
            warnAt={0.8}
          />
        </div>
      )}
      <Facts facts={[...planFacts(database), ...proofFacts(database)]} />
    </Section>
  )
}

function planFacts({ plan }: Database): Fact[] {
  if (plan === null) return []
  return [
    {
      label: 'Plan',
      value: `${planLabels[plan]}, ${formatBytes(databasePlans[plan].memoryBytes)} of memory`,
    },
  ]
}

function proofFacts(database: Database): Fact[] {
  if (isExternal(database)) return []
  return [
    { label: 'Restore drills', value: <DrillTicks drills={database.drills} /> },
    { label: 'Proven restore', value: <ProvenRestore database={database} /> },
  ]
}

/** What the newest drill that ended measured. */
function ProvenRestore({ database }: { database: Database }) {
  const hasDrills = database.drills.length > 0
  const { data } = useRead(
    'databases.restores.list',
    { params: { id: database.id }, query: { limit: 50 } },
    { isEnabled: hasDrills && database.cluster === null },
  )
  const last = database.drills.at(-1)
  const measured = data?.restores.find(({ id }) => id === last?.id)
  const backMs = measured === undefined ? null : recoveryMs(measured.durations)
  if (last === undefined) return 'never'
  return (
    <Link
      href={databaseHref(database.id, 'backups')}
      className="tabular-nums hover:text-accent-text hover:underline"
    >
      <RelativeTime at={last.at} />
      {last.proof === 'failed' ? <span className="text-danger">, failed</span> : null}
      {last.proof === 'could_not_run' ? ', could not run' : null}
      {backMs === null ? null : <strong className="font-medium">{`, ${formatDuration(backMs)}`}</strong>}
      {measured?.lostMs == null ? null : `, ${formatDuration(measured.lostMs)} lost`}
    </Link>
  )
}
