import { type DatabaseGrowth, engineFamily } from '@bey/contract'
import type { Database } from '../../data/databases.ts'
import { DatabaseFacts } from '../../entities/databases/database-facts.tsx'
import { rateLabel, ratePerSecond, sizeLabel } from '../../entities/databases/database-text.ts'
import { formatBytes, formatDuration, formatNumber, formatPercent } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Stat, StatBand } from '../../ui/stat.tsx'
import { growthText, useGrowth } from './use-growth.ts'
import { LoadPanel } from './insight/load-panel.tsx'
import { LoadStatements } from './insight/load-statements.tsx'

type Figures = NonNullable<Database['figures']>

/** State and figures of a database, as its server answered last. */
export function OverviewTab({ database }: { database: Database }) {
  const { figures, notes, engine } = database
  const isPostgres = engine === 'postgres'
  return (
    <>
      {figures ? <FigureBand database={database} figures={figures} /> : null}
      <div className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-6">
          {notes.map((note) => (
            <Notice key={note} tone="info" title={note} />
          ))}
          {figures && isPostgres ? <LoadPanel database={database} /> : null}
          {figures && isPostgres ? <LoadStatements databaseId={database.id} /> : null}
          {figures ? (
            <Sessions database={database} figures={figures} />
          ) : (
            <EmptyState
              title="No figures yet"
              description="They are measured every 15 s once the server answers."
            />
          )}
        </div>
        <Section title="Facts" isCard>
          <DatabaseFacts database={database} />
        </Section>
      </div>
    </>
  )
}

function FigureBand({ database, figures }: { database: Database; figures: Figures }) {
  const now = useNow(true)
  const { sizeBytes, sizeLimitBytes, diskQuota, connections, maxConnections, startedAt, cacheHit } = figures
  const perSecond = ratePerSecond(database)
  const growth = useGrowth(database, figures)
  return (
    <StatBand>
      <Stat
        label={sizeLabel(database)}
        value={formatBytes(sizeBytes)}
        detail={sizeDetail(diskQuota?.limitBytes ?? sizeLimitBytes, growth)}
      />
      <Stat
        label="Connections"
        value={formatNumber(connections)}
        detail={`of ${formatNumber(maxConnections)}`}
      />
      <Stat
        label={rateLabel(database)}
        value={perSecond === null ? null : rate(perSecond)}
        detail={
          figures.rollbacksPerSecond === null
            ? 'a second'
            : `a second, ${rate(figures.rollbacksPerSecond)} rolled back`
        }
      />
      <Stat
        label={engineFamily(database.engine) === 'redis' ? 'Hits' : 'Cache hits'}
        value={cacheHit === null ? null : formatPercent(cacheHit)}
        detail={engineFamily(database.engine) === 'redis' ? 'of key reads' : 'of block reads'}
      />
      <Stat label="Uptime" value={formatDuration(now - Date.parse(startedAt))} detail="of the server" />
    </StatBand>
  )
}

function Sessions({ database, figures }: { database: Database; figures: Figures }) {
  const { connections, maxConnections, active, idle, idleInTransaction, waiting, longestQueryMs, at } =
    figures
  return (
    <Section
      title="Connections"
      aside={
        <>
          measured <RelativeTime at={at} />
        </>
      }
    >
      <Meter label="In use" used={connections} total={maxConnections} format={formatNumber} warnAt={0.8} />
      <div className="mt-3">
        <Facts
          facts={[
            ...(active === null ? [] : [{ label: 'Active', value: formatNumber(active) }]),
            ...(waiting === null
              ? []
              : [
                  engineFamily(database.engine) === 'redis'
                    ? { label: 'In a command that blocks', value: formatNumber(waiting) }
                    : { label: 'Waiting for a lock', value: <Warned value={waiting} /> },
                ]),
            ...(idleInTransaction === null
              ? []
              : [{ label: 'Idle in a transaction', value: <Warned value={idleInTransaction} /> }]),
            ...(idle === null ? [] : [{ label: 'Idle', value: formatNumber(idle) }]),
            // Where the server does not say what its sessions do, it does not say how long either.
            ...(active === null
              ? []
              : [
                  {
                    label: 'Longest statement now',
                    value: longestQueryMs === null ? 'none runs' : formatDuration(longestQueryMs),
                  },
                ]),
          ]}
        />
      </div>
      <p className="mt-2 text-small text-text-3">
        {database.engine === 'postgres'
          ? 'Sessions of Bey itself do not count.'
          : 'The connection by which Bey asks does not count.'}
      </p>
    </Section>
  )
}

function Warned({ value }: { value: number }) {
  return <span className={value > 0 ? 'text-warn' : undefined}>{formatNumber(value)}</span>
}

const rate = (value: number) => formatNumber(Number(value.toFixed(value < 10 ? 1 : 0)))

/** "of 1 GiB · grows 12 MiB a day, full in 38 days" */
function sizeDetail(limitBytes: number | null, growth: DatabaseGrowth | undefined): string {
  const parts = [limitBytes === null ? '' : `of ${formatBytes(limitBytes)}`, growthText(growth)]
  return parts.filter((part) => part !== '').join(' · ')
}
