import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { CnpgStore } from '../../../tables/databases.ts'
import type { DatabaseRow } from '../store.ts'
import { lockDatabase, updateDatabase } from '../store.ts'
import { asCluster, type ClusterObject, clusterPath, messageOf } from './cluster-object.ts'
import { type ClusterStepParts, clusterSteps } from './cluster-steps.ts'
import type { PersonCall } from './clusters.ts'
import { clusterManifest, isOfDatabase } from './manifest.ts'
import { readTargetAccess } from './store-access.ts'
import { objectStore, objectStorePath, secretPath, storeSecret } from './store-objects.ts'

const apply = 'application/apply-patch+yaml'

/** Makes what the Cluster needs for its backups before it is made itself, so that its changes are archived from the first one on. */
export function storeStep(parts: ClusterStepParts) {
  const step = clusterSteps(parts)
  return step(
    'backup_store',
    'Prepare the store of its backups',
    async (context, { row, namespace, call }) => {
      const wanted = row.cnpg?.wanted?.store
      if (wanted === undefined) {
        context.log('No backups were asked for.')
        return undefined
      }
      const store = { ...wanted, method: await methodOfCluster(call, namespace) }
      if (store.method === 'barmanObjectStore') await requireOwnStore(call, row, store)
      const access = await readTargetAccess(parts, context.run.organizationId, store.targetId)
      const owner = { id: row.id, namespace }
      const secret = secretPath(namespace, store.objectName)
      await applyOwn(
        call,
        owner,
        secret,
        `The Secret "${store.objectName}"`,
        storeSecret(owner, store, access),
      )
      if (store.method === 'plugin') {
        const path = objectStorePath(namespace, store.objectName)
        await applyOwn(call, owner, path, `The ObjectStore "${store.objectName}"`, objectStore(owner, store))
      }
      await keepStore(parts, row, store)
      context.log(
        `Its backups go to ${store.destinationPath}, ${store.method === 'plugin' ? 'by the Barman Cloud plugin' : 'by CloudNativePG itself'}.`,
      )
      return { method: store.method }
    },
  )
}

/** How a cluster backs up to a bucket: by the plugin where that is installed. Throws StepFailure where that cannot be seen. */
export async function methodOfCluster(
  call: PersonCall,
  namespace: string,
): Promise<NonNullable<CnpgStore['method']>> {
  const found = await call('GET', `${objectStorePath(namespace)}?limit=1`)
  if (found.status === 404) return 'barmanObjectStore'
  if (found.status < 300) return 'plugin'
  throw new StepFailure(
    `Whether the Barman Cloud plugin is installed cannot be seen: ${messageOf(found)}. Without that its backups cannot be set up.`,
  )
}

/** A version of CloudNativePG that has no store of its own drops the field: a dry run shows that. Throws StepFailure. */
async function requireOwnStore(call: PersonCall, row: DatabaseRow, store: CnpgStore): Promise<void> {
  const { id, databaseName, username, cnpg } = row
  if (cnpg?.wanted == null) throw new Error('Nothing is known of what was asked for')
  const { namespace, name } = cnpg
  const wanted = { ...cnpg.wanted, store }
  const answer = await call('PATCH', `${clusterPath(namespace, name)}?fieldManager=bey&dryRun=All`, {
    body: clusterManifest({ id, name, namespace, databaseName, username, wanted }),
    contentType: apply,
  })
  // What else is against the Cluster is said when it is applied.
  if (answer.status >= 300 || asCluster(answer.body).spec?.backup?.barmanObjectStore !== undefined) return
  throw new StepFailure(
    'This version of CloudNativePG backs up by its Barman Cloud plugin alone, which the cluster does not have. Install the plugin, then create the database again.',
  )
}

/** Applies an object that is of this database alone. Throws StepFailure where somebody else's has its name. */
async function applyOwn(
  call: PersonCall,
  { id, namespace }: { id: string; namespace: string },
  path: string,
  what: string,
  body: object,
): Promise<void> {
  const found = await call('GET', path)
  if (found.status === 200 && !isOfDatabase(found.body as ClusterObject, id)) {
    throw new StepFailure(
      `${what} exists already in the namespace "${namespace}" and is not of this database. Remove it there first.`,
    )
  }
  const answer = await call('PATCH', `${path}?fieldManager=bey&force=true`, { body, contentType: apply })
  if (answer.status >= 300) throw new StepFailure(`${what} was refused: ${messageOf(answer)}.`)
}

/** Removes what `storeStep` made; what was backed up stays in the bucket. Throws StepFailure with the cluster's reason. */
export async function removeStore(
  call: PersonCall,
  { id, namespace }: { id: string; namespace: string },
  { objectName, method }: CnpgStore,
): Promise<void> {
  const secret = [secretPath(namespace, objectName), `the Secret "${objectName}"`] as const
  const plugin = [objectStorePath(namespace, objectName), `the ObjectStore "${objectName}"`] as const
  for (const [path, what] of method === 'plugin' ? [plugin, secret] : [secret]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const found = await call('GET', path)
    if (found.status === 404 || !isOfDatabase(found.body as ClusterObject, id)) continue
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = await call('DELETE', path)
    if (answer.status >= 300 && answer.status !== 404) {
      throw new StepFailure(`The cluster refuses to delete ${what}: ${messageOf(answer)}.`)
    }
  }
}

/** Keeps how the store is named, which the Cluster is applied with. */
async function keepStore(
  { database }: Pick<ClusterStepParts, 'database'>,
  { organizationId, id }: DatabaseRow,
  store: CnpgStore,
): Promise<void> {
  await database.withTenant(organizationId, async (db) => {
    const row = await lockDatabase(db, organizationId, id)
    if (row?.cnpg?.wanted == null) return
    const cnpg = { ...row.cnpg, wanted: { ...row.cnpg.wanted, store } }
    await updateDatabase(db, organizationId, id, { cnpg })
  })
}
