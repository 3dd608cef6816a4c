import { type ParsedInput, sqlName } from '@bey/contract'
import { stringify } from 'yaml'

import type { Member } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { DatabaseServiceParts } from '../service.ts'
import { clusterPath, messageOf } from './cluster-object.ts'
import { openCluster } from './cluster-rights.ts'
import type { PersonCall } from './clusters.ts'
import { creationRights } from './create-on-cluster.ts'
import { clusterManifest, wantedOf } from './manifest.ts'
import { namespaceTrouble, storageTrouble } from './pod-trouble.ts'
import { requireClusterTarget } from './store-access.ts'
import { objectStore, storeOf, storeSecret } from './store-objects.ts'
import { methodOfCluster } from './store-step.ts'

type PreviewInput = ParsedInput<'databases.preview'>['body']

/** Shows what would be applied for a new database on a cluster, and what the cluster says against it. Throws AppError. */
export function createPreview({ database, providers }: DatabaseServiceParts) {
  return async function preview({ name, cluster: wish, backups, extensions }: PreviewInput, caller: Member) {
    const { clusterId, namespace } = wish
    const { organizationId } = caller
    const { call } = await openCluster(providers.cnpg.clusters, caller, clusterId, creationRights)
    const owner = sqlName(name)
    const id = uuidv7()
    const targetId = backups?.targetId
    const target =
      targetId == null
        ? undefined
        : await database.readTenant(organizationId, (db) =>
            requireClusterTarget(db, organizationId, targetId),
          )
    const method = target && (await methodOf(call, namespace))
    const store = target &&
      backups && {
        ...storeOf({ organizationId, databaseId: id, name }, target, backups.retentionDays),
        method: method?.name ?? null,
      }
    const wanted = wantedOf(wish, { extensions, store })
    const manifest = clusterManifest({
      id,
      name,
      namespace,
      databaseName: owner,
      username: owner,
      wanted,
    })
    const trouble =
      (await namespaceTrouble(call, namespace)) ??
      (await storageTrouble(call, wanted.storageClass)) ??
      method?.problem
    const dryRun = `${clusterPath(namespace, name)}?fieldManager=bey&dryRun=All`
    const answer =
      trouble === undefined
        ? await call('PATCH', dryRun, { body: manifest, contentType: 'application/apply-patch+yaml' })
        : undefined
    const exists = (await call('GET', clusterPath(namespace, name))).status === 200
    const said = answer === undefined || answer.status < 300 ? undefined : refusalText(answer)
    const taken = `A Cluster "${name}" exists already in the namespace "${namespace}". Manage that one, or choose another name.`
    const key = `the access key of the target ${target?.name ?? ''}`
    const secret = {
      accessKeyId: target?.accessKeyId ?? '',
      secretAccessKey: key,
      region: target?.region ?? '',
    }
    const objects = [
      ...(store ? [storeSecret({ id, namespace }, store, secret)] : []),
      ...(store?.method === 'plugin' ? [objectStore({ id, namespace }, store)] : []),
      manifest,
    ]
    return {
      yaml: objects
        .map((object) => stringify(object))
        .join('---\n')
        // It is known once the database is made.
        .replaceAll(id, 'ID-OF-THE-DATABASE'),
      problem: trouble ?? (exists ? taken : said) ?? null,
    }
  }
}

async function methodOf(call: PersonCall, namespace: string) {
  try {
    return { name: await methodOfCluster(call, namespace) }
  } catch (error) {
    if (error instanceof StepFailure) return { name: null, problem: error.message }
    throw error
  }
}

function refusalText(answer: { status: number; body: unknown }): string {
  if (answer.status === 404) {
    return 'The cluster has no CloudNativePG: the kind Cluster of postgresql.cnpg.io/v1 is missing. Install the operator there first.'
  }
  return `The cluster refuses the Cluster: ${messageOf(answer)}.`
}
