import type { Dashboard, EndingThing, Outlook } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { IngressHealth } from '../../ingress/health.ts'
import type { SinceReader } from '../since/since.ts'
import { endingCertificates, endingRows } from './ending.ts'
import { readFilling } from './filling.ts'

const maxEnding = 50

/** What fills up and what ends next, as far as the reader's role may know. */
export function createOutlook(parts: {
  database: Pick<Database, 'readTenant'>
  dashboard: (organizationId: number) => Promise<Dashboard>
  ingressHealth: (organizationId: number) => Promise<IngressHealth[]>
  metrics: Pick<Metrics, 'read'>
  clock: Clock
}) {
  return async (reader: SinceReader, figures?: Dashboard): Promise<Outlook> => {
    const { organizationId, role } = reader
    const now = parts.clock.now()
    const { clusterRows } = figures ?? (await parts.dashboard(organizationId))
    const [filling, rows, ingress] = await Promise.all([
      mayNow(role, 'clusters.read')
        ? readFilling(parts.metrics, organizationId, clusterRows, now.getTime())
        : [],
      parts.database.readTenant(organizationId, (db) => endingRows(db, reader, now)),
      mayNow(role, 'networks.read') ? parts.ingressHealth(organizationId) : [],
    ])
    const ending = [...endingCertificates(ingress), ...rows].toSorted((a, b) => endOf(a) - endOf(b))
    return { filling, ending: ending.slice(0, maxEnding), endingTotal: ending.length }
  }
}

/** A certificate that is listed is due now. */
const endOf = ({ at }: EndingThing) => (at === null ? 0 : Date.parse(at))
