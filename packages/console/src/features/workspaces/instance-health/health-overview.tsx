import type { InstanceHealth } from '@bey/contract'
import { formatBytes, formatDuration, formatNumber, formatPercent } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { Section } from '../../../ui/section.tsx'
import { BackupsSection } from './backups-section.tsx'
import { FailedChecks, PassedChecks } from './check-list.tsx'
import { growthText, limitValue, reachedIn } from './health-sentences.ts'
import { PlainTable } from './plain-table.tsx'
import { RequestPath } from './request-path.tsx'

/** Sooner than this a limit is shown as near. */
const nearDays = 180

/** Everything that is measured of this server. */
export function HealthOverview({ health }: { health: InstanceHealth }) {
  const { checks, backups, database, counts } = health
  return (
    <div className="flex flex-col gap-8 px-(--gutter) py-6">
      <FailedChecks checks={checks} />
      <RequestPath health={health} />
      <div className="grid gap-8 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-8">
          <Limits limits={health.limits} />
          <Statements statements={health.statements} />
          <Tables tables={database.tables} />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <Queues queues={health.queues} />
          <BackupsSection backups={backups} isEmbedded={database.isEmbedded} />
        </div>
      </div>
      <PassedChecks checks={checks} />
      <p className="text-small text-text-2">
        Seen by operators only: {formatNumber(counts.organizations)}{' '}
        {counts.organizations === 1 ? 'organization' : 'organizations'}, {formatNumber(counts.people)}{' '}
        {counts.people === 1 ? 'person' : 'people'}. Version {health.version}.
      </p>
    </div>
  )
}

function Limits({ limits }: Pick<InstanceHealth, 'limits'>) {
  return (
    <Section title="What breaks first" aside="at the measured growth of up to 90 days">
      <PlainTable
        label="What breaks first"
        columns={[
          { label: 'Limit' },
          { label: 'Now', isFigure: true, isWhole: true },
          { label: 'Of', isFigure: true, isWhole: true },
          { label: 'Growth', isFigure: true, isWhole: true, isWide: true },
          { label: 'Reached in', isFigure: true, isWhole: true },
        ]}
        rows={limits.map((limit) => ({
          key: limit.id,
          cells: [
            <span key="title" className="block">
              {limit.title}
              <span className="block text-small font-normal text-text-2 max-sm:hidden">{limit.help}</span>
            </span>,
            limitValue(limit, limit.now),
            limitValue(limit, limit.of),
            growthText(limit),
            <span
              key="reached"
              className={cx(
                limit.daysLeft !== null && limit.daysLeft < nearDays && 'text-warn',
                limit.growthPerMonth === null && 'text-text-2',
              )}
            >
              {reachedIn(limit)}
            </span>,
          ],
        }))}
      />
    </Section>
  )
}

function Queues({ queues }: Pick<InstanceHealth, 'queues'>) {
  const isIdle = queues.every(({ oldestSeconds }) => oldestSeconds === null)
  return (
    <Section title="Queues" aside={isIdle ? 'nothing that is due waits' : undefined}>
      <PlainTable
        label="Queues"
        columns={[{ label: 'Queue' }, { label: 'Wait', isFigure: true }, { label: 'Oldest', isFigure: true }]}
        rows={queues.map(({ id, title, waiting, oldestSeconds }) => ({
          key: id,
          cells: [
            title,
            formatNumber(waiting),
            oldestSeconds === null ? '—' : formatDuration(oldestSeconds * 1000),
          ],
        }))}
      />
    </Section>
  )
}

function Statements({ statements }: Pick<InstanceHealth, 'statements'>) {
  return (
    <Section
      title="Slow statements"
      aside={statements === null ? undefined : 'by their share of database time'}
    >
      {statements === null ? (
        <p className="text-text-2">
          The database does not count statements. Load pg_stat_statements (shared_preload_libraries) and run{' '}
          <code className="font-mono text-small">create extension pg_stat_statements</code>.
        </p>
      ) : (
        <PlainTable
          label="Slow statements"
          columns={[
            { label: 'Statement' },
            { label: 'Mean', isFigure: true },
            { label: 'Calls', isFigure: true, isWide: true },
            { label: 'Share of time', isFigure: true },
          ]}
          rows={statements.map(({ text, meanMs, calls, share }) => ({
            key: text,
            cells: [
              <code key="text" className="line-clamp-2 font-mono text-small font-normal">
                {text}
              </code>,
              formatDuration(meanMs),
              formatNumber(calls),
              formatPercent(share),
            ],
          }))}
        />
      )}
    </Section>
  )
}

function Tables({ tables }: { tables: InstanceHealth['database']['tables'] }) {
  return (
    <Section title="Largest tables" aside="with indexes; rows are estimates">
      <PlainTable
        label="Largest tables"
        columns={[{ label: 'Table' }, { label: 'Rows', isFigure: true }, { label: 'Size', isFigure: true }]}
        rows={tables.map(({ name, rows, sizeBytes }) => ({
          key: name,
          cells: [name, formatNumber(rows), formatBytes(sizeBytes)],
        }))}
      />
    </Section>
  )
}
