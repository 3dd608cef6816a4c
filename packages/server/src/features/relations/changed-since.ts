import { entityResourceId, type ListedEntity, objectResourceId } from '@bey/contract'
import { and, eq, gte, inArray, isNotNull, max } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { auditEntries } from '../../tables/audit-entries.ts'
import { objectVersions } from '../../tables/object-versions.ts'

/** Objects and entities of which a change is looked up; the newest count. */
const maxChanges = 5_000

const kindOfResource: Readonly<Record<string, string>> = {
  nodes: 'node',
  namespaces: 'namespace',
  'deployments.apps': 'deployment',
  'statefulsets.apps': 'statefulset',
  'daemonsets.apps': 'daemonset',
  'jobs.batch': 'job',
  'cronjobs.batch': 'cronjob',
  services: 'service',
  'ingresses.networking.k8s.io': 'ingress',
  'networkpolicies.networking.k8s.io': 'networkpolicy',
  configmaps: 'configmap',
  persistentvolumeclaims: 'volumeclaim',
}

const entityOfTarget: Readonly<Record<string, ListedEntity>> = {
  cluster: 'cluster',
  workflow: 'workflow',
  secret: 'secret',
  database: 'database',
  network: 'network',
  api_key: 'apiKey',
  webhook: 'webhook',
}

/** When each resource that was changed since then last was, by its id: entities as audited, objects as recorded. */
export async function changedSince(
  db: Db,
  organizationId: number,
  since: Date,
): Promise<Map<string, string>> {
  const changes = new Map<string, string>()
  const objects = await db
    .select({
      clusterId: objectVersions.clusterId,
      resource: objectVersions.resource,
      namespace: objectVersions.namespace,
      name: objectVersions.name,
      at: max(objectVersions.at),
    })
    .from(objectVersions)
    .where(
      and(
        eq(objectVersions.organizationId, organizationId),
        gte(objectVersions.at, since),
        inArray(objectVersions.change, ['created', 'updated']),
        inArray(objectVersions.resource, Object.keys(kindOfResource)),
      ),
    )
    .groupBy(objectVersions.clusterId, objectVersions.resource, objectVersions.namespace, objectVersions.name)
    .limit(maxChanges)
  for (const { resource, at, ...place } of objects) {
    const kind = kindOfResource[resource]
    if (kind && at) changes.set(objectResourceId({ kind, ...place }), at.toISOString())
  }
  const entities = await db
    .select({ type: auditEntries.targetType, id: auditEntries.targetId, at: max(auditEntries.at) })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.organizationId, organizationId),
        gte(auditEntries.at, since),
        inArray(auditEntries.class, ['create', 'update']),
        eq(auditEntries.outcome, 'success'),
        inArray(auditEntries.targetType, Object.keys(entityOfTarget)),
        isNotNull(auditEntries.targetId),
      ),
    )
    .groupBy(auditEntries.targetType, auditEntries.targetId)
    .limit(maxChanges)
  for (const { type, id, at } of entities) {
    const entity = entityOfTarget[type ?? '']
    if (entity && id && at) changes.set(entityResourceId(entity, id), at.toISOString())
  }
  return changes
}
