import { databaseMetrics, engineFamily } from '@bey/contract'
import type { Database } from '../../data/databases.ts'
import { alertCreateHref } from '../../entities/alerts/alert-text.ts'

const m = databaseMetrics

/** Alerts that the charts of a database suggest, each as a form that is filled in. */
export function databaseAlerts({
  name,
  engine,
  figures,
}: Pick<Database, 'name' | 'engine' | 'figures'>): { label: string; href: string }[] {
  const of = `{database="${name}"}`
  const family = engineFamily(engine)
  const isRedis = family === 'redis'
  // As large again as it is now; a database without figures has no size to compare with.
  const size = figures === null ? undefined : 2 * figures.sizeBytes
  const alerts = [
    {
      label: 'Connections above 90 % of the limit',
      name: `${name}: connections`,
      expr: `100 * ${m.connections}${of} / ${m.connectionsMax}${of}`,
      limit: 90,
    },
    ...(isRedis
      ? []
      : [
          {
            label: 'A statement runs for 5 min',
            name: `${name}: long statement`,
            expr: `${m.longestQuery}${of}`,
            limit: 300_000,
          },
          {
            label: 'Sessions wait for a lock',
            name: `${name}: waits for locks`,
            expr: `${m.waiting}${of}`,
            limit: 0,
          },
        ]),
    ...(family === 'postgres'
      ? [{ label: 'Deadlocks', name: `${name}: deadlocks`, expr: `${m.deadlocks}${of}`, limit: 0 }]
      : []),
    {
      label: isRedis ? 'Fewer than 80 % of key reads hit' : 'Cache hits below 90 %',
      name: `${name}: cache hits`,
      expr: `${m.cacheHit}${of}`,
      limit: isRedis ? 80 : 90,
      side: 'below' as const,
    },
    ...(size === undefined
      ? []
      : [
          {
            label: isRedis ? 'Memory doubles' : 'Its size doubles',
            name: `${name}: ${isRedis ? 'memory' : 'size'}`,
            expr: `${m.size}${of}`,
            limit: size,
          },
        ]),
  ]
  return alerts.map(({ label, ...filled }) => ({ label, href: alertCreateHref(filled) }))
}
