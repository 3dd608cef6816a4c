import { type Health, healthOfNetwork } from '@bey/contract'
import { networkLimits } from '@bey/contract/networks/rules'

import type { Database } from '../../platform/db/database.ts'
import { allNetworks } from './store.ts'

/** How one network is. */
export type NetworkHealth = { id: string; name: string; health: Health }

/** How the networks of an organization are, by name. */
export function networkHealthReader(database: Pick<Database, 'readTenant'>) {
  return (organizationId: number): Promise<NetworkHealth[]> =>
    database.readTenant(organizationId, async (db) => {
      const rows = await allNetworks(db, organizationId).limit(networkLimits.perOrganization)
      return rows.map(({ id, name, status, reason, statusSince }) => ({
        id,
        name,
        health: healthOfNetwork({ status, reason, statusSince: statusSince.toISOString() }),
      }))
    })
}
