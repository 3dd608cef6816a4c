import type { InstanceHealth, InstanceLimit } from '@bey/contract'
import type { ReactNode } from 'react'
import { formatBytes, formatCount, formatPercent } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { Section } from '../../../ui/section.tsx'
import { limitValue, reachedIn } from './health-sentences.ts'

/** Above it a part is shown as tight. */
const tightShare = 0.66

/** The parts that a request passes, each with how full it is where its limit is known. */
export function RequestPath({ health }: { health: InstanceHealth }) {
  const { counts, processes, database, limits, queues } = health
  const limitOf = (id: InstanceLimit['id']) => limits.find((each) => each.id === id)
  const outside = queues.filter(({ id }) => id !== 'runs')
  return (
    <Section title="How a request goes, and how full each part is">
      <ol className="grid gap-x-8 gap-y-3 lg:grid-cols-5">
        <Part title="Browsers, CLI, keys">
          <p>{formatCount(counts.people, 'person', 'people')}</p>
          <p className="text-small">
            {counts.sockets === null
              ? 'sockets are not counted here'
              : formatCount(counts.sockets, 'open socket')}
          </p>
        </Part>
        <Part
          title={
            processes.length === 1 ? 'One process' : formatCount(processes.length, 'process', 'processes')
          }
          limit={limitOf('runs')}
          of="runs at once"
        >
          {processes.length === 0 ? <p>none executes runs</p> : null}
        </Part>
        <Part title={`PostgreSQL ${database.version}`} limit={limitOf('connections')} of="connections">
          <p className="text-small">
            {formatBytes(database.sizeBytes)}
            {database.isEmbedded ? ', embedded' : ''}
          </p>
        </Part>
        <Part title="Disk" limit={limitOf('disk')} of="used" />
        <Part title="Outside" isLast>
          {outside.map(({ id, title, waiting }) => (
            <p key={id}>
              {title}: {waiting === 0 ? 'none waits' : `${waiting} wait`}
            </p>
          ))}
        </Part>
      </ol>
    </Section>
  )
}

function Part({
  title,
  limit,
  of,
  isLast = false,
  children,
}: {
  title: string
  limit?: InstanceLimit | undefined
  of?: string
  isLast?: boolean
  children?: ReactNode
}) {
  const share = limit === undefined || limit.of === 0 ? undefined : Math.min(1, limit.now / limit.of)
  const isTight = share !== undefined && share >= tightShare
  return (
    <li
      className={cx(
        'relative rounded-card border px-3 py-2.5 text-text-2',
        isTight ? 'border-warn' : 'border-line',
        // The way to the next part.
        !isLast &&
          'lg:after:absolute lg:after:top-1/2 lg:after:left-full lg:after:w-8 lg:after:border-t lg:after:border-control',
      )}
    >
      <div className="flex items-baseline justify-between gap-2 text-text">
        <h3 className="font-semibold">{title}</h3>
        {share === undefined ? null : (
          <span className={cx('text-small tabular-nums', isTight && 'text-warn')}>
            {formatPercent(share)}
          </span>
        )}
      </div>
      {limit === undefined || share === undefined ? null : (
        <>
          <p className="tabular-nums">
            {limitValue(limit, limit.now)} of {limitValue(limit, limit.of)} {of}
          </p>
          <div aria-hidden className="my-1.5 h-1 overflow-hidden rounded-full bg-active">
            <div
              className={cx('h-full rounded-full', isTight ? 'bg-warn' : 'bg-chart-1')}
              style={{ width: `${share * 100}%` }}
            />
          </div>
          {limit.daysLeft === null ? null : <p className="text-small">full in {reachedIn(limit)}</p>}
        </>
      )}
      {children}
    </li>
  )
}
