import type { InstanceLimit } from '@bey/contract'

import type { InstanceFacts } from './facts.ts'
import { type DailyValue, growthOf } from './growth.ts'
import type { LimitValues } from './samples.ts'

/** What limits stand at. */
export function limitValues({ database, disk, queues }: InstanceFacts): LimitValues {
  return {
    connections: database.usedConnections,
    disk: disk.totalBytes - disk.freeBytes,
    runs: queues.active_runs,
  }
}

/** The limits that are known, those that are reached first at their measured growth first; no limit is assumed. */
export function limitsOf(
  facts: InstanceFacts,
  days: Record<InstanceLimit['id'], DailyValue[]>,
): InstanceLimit[] {
  const now = limitValues(facts)
  const maxRuns = facts.processes.reduce((total, { maxRuns: each }) => total + each, 0)
  const known: Pick<InstanceLimit, 'id' | 'title' | 'unit' | 'of' | 'help'>[] = [
    {
      id: 'connections',
      title: 'Database connections',
      unit: 'count',
      of: facts.database.maxConnections,
      help: 'Raise max_connections, or run fewer processes.',
    },
    {
      id: 'disk',
      title: 'Disk space',
      unit: 'bytes',
      of: facts.disk.totalBytes,
      help: 'Enlarge the disk, or keep backups elsewhere.',
    },
    ...(maxRuns > 0
      ? [
          {
            id: 'runs' as const,
            title: 'Runs at once',
            unit: 'count' as const,
            of: maxRuns,
            help: 'Start another worker.',
          },
        ]
      : []),
  ]
  return known
    .map((limit) => ({ ...limit, now: now[limit.id], ...growthOf(days[limit.id], now[limit.id], limit.of) }))
    .toSorted((one, other) => rank(one) - rank(other) || other.now / other.of - one.now / one.of)
}

const rank = ({ daysLeft }: Pick<InstanceLimit, 'daysLeft'>) => daysLeft ?? Number.POSITIVE_INFINITY
