import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import type { SavingPlan } from './facts.ts'
import { bytes, millicores } from '@bey/contract/kubernetes/quantity'

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

/** Requests of a container as they are and as they would be. */
type Change = { name: string; before: Requests; after: Requests }
type Requests = { cpu?: string; memory?: string }

/**
 * Requests of each container multiplied by a share. CPU is rounded up to 10 m and memory to 16 Mi, so that nothing is
 * asked for too little.
 */
function changesOf(object: Kept | undefined, share: { cpu: number; memory: number }): Change[] {
  const containers = object?.spec?.template?.spec?.containers ?? []
  return containers.flatMap(({ name, resources: wanted }) => {
    const { cpu, memory } = wanted?.requests ?? {}
    if (name === undefined || (cpu === undefined && memory === undefined)) return []
    const milli = Math.max(10, Math.ceil((millicores(cpu) * share.cpu) / 10) * 10)
    const mebi = Math.max(16, Math.ceil((bytes(memory) * share.memory) / 2 ** 20 / 16) * 16)
    const after = {
      ...(cpu !== undefined && { cpu: `${milli}m` }),
      ...(memory !== undefined && { memory: `${mebi}Mi` }),
    }
    return [{ name, before: { ...(cpu && { cpu }), ...(memory && { memory }) }, after }]
  })
}

type Place = { kind: string; namespace: string; name: string }

/** A strategic merge patch that lowers the requests of each container, as YAML; null where the containers are not known. */
export function requestPatch(
  object: Kept | undefined,
  place: Place,
  share: { cpu: number; memory: number },
): string | null {
  const lines = changesOf(object, share).flatMap(({ name, after: { cpu, memory } }) => [
    `        - name: ${JSON.stringify(name)}`,
    '          resources:',
    '            requests:',
    ...(cpu === undefined ? [] : [`              cpu: ${cpu}`]),
    ...(memory === undefined ? [] : [`              memory: ${memory}`]),
  ])
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

/** The same patch as it is sent, with the one that takes it back; null where the containers are not known. */
export function patchPlan(
  object: Kept | undefined,
  { kind, namespace, name }: Place,
  share: { cpu: number; memory: number },
): SavingPlan | null {
  const resource = resources[kind]?.split('.')[0]
  const changes = changesOf(object, share)
  if (resource === undefined || changes.length === 0) return null
  const patchWith = (of: 'before' | 'after') => {
    const containers = changes.map((each) => ({ name: each.name, resources: { requests: each[of] } }))
    return { spec: { template: { spec: { containers } } } }
  }
  return {
    kind: 'patch',
    path: `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/${resource}/${encodeURIComponent(name)}`,
    patch: patchWith('after'),
    undo: patchWith('before'),
    changes: changes.flatMap((each) =>
      (['cpu', 'memory'] as const).flatMap((field) => {
        const [before, after] = [each.before[field], each.after[field]]
        const isSame = before === undefined || after === undefined || before === after
        return isSame ? [] : [{ field: `${each.name}: ${field} requested`, before, after }]
      }),
    ),
    text: `The requests of ${kind} ${namespace}/${name} were lowered.`,
  }
}
