import type { Feature, Parts } from '../../feature.ts'
import { alertsDemo } from './demo.ts'
import type { AlertParts } from './parts.ts'
import { paletteAlerts } from './palette.ts'
import { alertRetention } from './retention.ts'
import { alertHandlers } from './service.ts'
import { watchAlerts } from './watch.ts'

export function alertsFeature(
  { database, clock, log, config }: Parts,
  {
    query,
    together,
    parse,
    notify,
    matches,
  }: Pick<AlertParts, 'query' | 'together' | 'parse' | 'notify' | 'matches'>,
) {
  const parts = { database, clock, log, query, together, parse, notify, matches }
  // A process that only serves requests leaves the evaluation to the others.
  const watch = config.role === 'web' ? undefined : watchAlerts(parts)
  return {
    handlers: alertHandlers(parts),
    palette: { alert: paletteAlerts },
    demo: alertsDemo,
    retention: alertRetention(database),
    close: async () => watch?.stop(),
  } satisfies Feature
}
