import { objectResourceId } from '@bey/contract/resources/kinds'
import type { DemoPart, DemoPersonKey } from '../../platform/demo.ts'
import { resourceTags } from '../../tables/resource-tags.ts'

const ownerOf: Readonly<Record<string, DemoPersonKey>> = {
  shop: 'noor',
  catalog: 'teo',
  payments: 'mara',
  insight: 'kaya',
}

/** Owners and teams of the namespaces of a demo. */
export const resourcesDemo: DemoPart = async (db, { organizationId, people, clusters }) => {
  const rows = clusters.flatMap(({ id, workloads }) =>
    [...new Set(workloads.map(({ namespace }) => namespace))].map((name) => ({
      organizationId,
      resourceId: objectResourceId({ kind: 'namespace', clusterId: id, namespace: '', name }),
      tags: [`team=${name}`],
      ownerId: people[ownerOf[name] ?? 'kaya'].id,
    })),
  )
  await db.insert(resourceTags).values(rows)
}
