import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { bytes, millicores } from '@bey/contract/kubernetes-quantity'

type Container = { name?: string; resources?: { requests?: { cpu?: string; memory?: string } } }
type Kept = { apiVersion?: string; spec?: { template?: { spec?: { containers?: Container[] } } } }

const resources: Readonly<Record<string, string>> = {
  Deployment: 'deployments.apps',
  StatefulSet: 'statefulsets.apps',
  DaemonSet: 'daemonsets.apps',
}

/** The newest version of a workload that Bey has seen; undefined for other kinds and where none was seen. */
export async function readWorkload(
  db: Db,
  organizationId: number,
  { clusterId, kind, namespace, name }: { clusterId: number; kind: string; namespace: string; name: string },
): Promise<Kept | undefined> {
  const resource = resources[kind]
  if (resource === undefined) return undefined
  const { rows } = await db.execute<{ object: Kept | null }>(sql`
    select object from object_versions
    where organization_id = ${organizationId} and cluster_id = ${clusterId} and resource = ${resource}
      and namespace = ${namespace} and name = ${name}
    order by at desc, id desc limit 1`)
  return rows[0]?.object ?? undefined
}

/**
 * A strategic merge patch that multiplies the requests of each container by a share, as YAML; null where the containers
 * are not known. CPU is rounded up to 10 m and memory to 16 Mi, so that nothing is asked for too little.
 */
export function requestPatch(
  object: Kept | undefined,
  place: { kind: string; namespace: string; name: string },
  share: { cpu: number; memory: number },
): string | null {
  const containers = object?.spec?.template?.spec?.containers ?? []
  const lines = containers.flatMap(({ name, resources: wanted }) => {
    const { cpu, memory } = wanted?.requests ?? {}
    if (name === undefined || (cpu === undefined && memory === undefined)) return []
    const milli = Math.max(10, Math.ceil((millicores(cpu) * share.cpu) / 10) * 10)
    const mebi = Math.max(16, Math.ceil((bytes(memory) * share.memory) / 2 ** 20 / 16) * 16)
    return [
      `        - name: ${JSON.stringify(name)}`,
      '          resources:',
      '            requests:',
      ...(cpu === undefined ? [] : [`              cpu: ${milli}m`]),
      ...(memory === undefined ? [] : [`              memory: ${mebi}Mi`]),
    ]
  })
  if (lines.length === 0) return null
  return [
    'apiVersion: apps/v1',
    `kind: ${place.kind}`,
    'metadata:',
    `  name: ${JSON.stringify(place.name)}`,
    `  namespace: ${JSON.stringify(place.namespace)}`,
    'spec:',
    '  template:',
    '    spec:',
    '      containers:',
    ...lines,
    '',
  ].join('\n')
}
