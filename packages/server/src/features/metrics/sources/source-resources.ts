import { entityResourceId, partResourceId, partResourceKinds, type Relation } from '@bey/contract'

import type { Database } from '../../../platform/db/database.ts'
import {
  healthOfTry,
  type InventorySource,
  type RelationSource,
  rowSource,
} from '../../../platform/inventory.ts'
import { listSources } from './source-rows.ts'

/** Data sources for the inventory. */
export function sourceResources(database: Pick<Database, 'readTenant'>): InventorySource {
  return rowSource(database, partResourceKinds.dataSource, async (db, { organizationId }) =>
    (await listSources(db, organizationId)).map((row) => ({
      id: row.id,
      name: row.name,
      createdBy: row.createdBy,
      createdByName: row.createdByName,
      createdAt: row.createdAt,
      health: healthOfTry(row.testedAt, row.problem, 'TestFailed'),
      href: '/analytics/metrics/sources',
    })),
  )
}

/** The secrets whose values data sources are asked with, and the clusters that they are reached through. */
export function sourceRelations(database: Pick<Database, 'readTenant'>): RelationSource {
  return {
    list: ({ organizationId }) =>
      database.readTenant(organizationId, async (db) => ({
        relations: (await listSources(db, organizationId)).flatMap(({ id, target }): Relation[] => {
          const from = partResourceId('dataSource', id)
          if (target.kind === 'cluster')
            return [{ from, to: entityResourceId('cluster', target.clusterId), verb: 'runs_on' }]
          if (target.auth.kind === 'none') return []
          return [{ from, to: entityResourceId('secret', target.auth.secretId), verb: 'reads_secret' }]
        }),
        gaps: [],
      })),
  }
}
