import { type ClusterWish, type ParsedInput, sqlName } from '@bey/contract'
import { stringify } from 'yaml'

import { act, type Member } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { insertNewDatabase, orNameTaken } from '../new-database.ts'
import { startDatabaseRun } from '../parts.ts'
import { databaseTarget, existing, presentDatabase } from '../present.ts'
import type { DatabaseServiceParts } from '../service.ts'
import { findDatabase } from '../store.ts'
import { orAdopted } from './adopt.ts'
import { clusterPath, messageOf } from './cluster-object.ts'
import { openCluster } from './cluster-rights.ts'
import { clusterManifest, wantedOf } from './manifest.ts'
import { namespaceTrouble, storageTrouble } from './pod-trouble.ts'

type Input = ParsedInput<'databases.create'>['body']
type PreviewInput = ParsedInput<'databases.preview'>['body']

const needed = ['kubernetes.write', 'kubernetes.secrets'] as const

/** Creates databases on clusters by a run that is queued with each, and shows what would be applied. Throws AppError. */
export function createOnCluster(parts: DatabaseServiceParts) {
  const { database, credentials, providers } = parts
  const { clusters } = providers.cnpg

  return {
    async create(input: Input, wish: ClusterWish, caller: Member) {
      const { name, description, isProtected } = input
      const { clusterId, namespace } = wish
      const { organizationId } = caller
      const { cluster } = await openCluster(clusters, caller, clusterId, needed)
      return orAdopted(name, () =>
        orNameTaken(name, () =>
          database.withTenant(organizationId, async (db) => {
            const values = {
              name,
              description,
              isProtected,
              provider: 'cnpg',
              status: 'pending',
              databaseName: sqlName(name),
              username: sqlName(name),
              tls: 'require',
              host: `${name}-rw.${namespace}.svc`,
              port: 5_432,
              clusterId,
              cnpg: { namespace, name, isAdopted: false, wanted: wantedOf(wish), observed: null },
            } as const
            // Its password is the operator's: it is kept once it is there.
            const id = await insertNewDatabase(credentials, db, values, null, caller)
            const row = existing(await findDatabase(db, organizationId, id))
            const run = await startDatabaseRun(parts, db, row, 'database.cluster_create', caller)
            await act(db, caller, {
              action: 'database.create',
              class: 'create',
              diff: { provider: 'cnpg', cluster: cluster.title, namespace, ...wantedOf(wish) },
              target: databaseTarget(row),
              runId: run.runId,
            })
            return keepReply(db, presentDatabase(existing(await findDatabase(db, organizationId, id))))
          }),
        ),
      )
    },

    async preview({ name, cluster: wish }: PreviewInput, caller: Member) {
      const { clusterId, namespace } = wish
      const { call } = await openCluster(clusters, caller, clusterId, needed)
      const owner = sqlName(name)
      const wanted = wantedOf(wish)
      const subject = { id: uuidv7(), name, namespace, databaseName: owner, username: owner, wanted }
      const manifest = clusterManifest(subject)
      const trouble =
        (await namespaceTrouble(call, namespace)) ?? (await storageTrouble(call, wanted.storageClass))
      const dryRun = `${clusterPath(namespace, name)}?fieldManager=bey&dryRun=All`
      const answer =
        trouble === undefined
          ? await call('PATCH', dryRun, { body: manifest, contentType: 'application/apply-patch+yaml' })
          : undefined
      const exists = (await call('GET', clusterPath(namespace, name))).status === 200
      const said = answer === undefined || answer.status < 300 ? undefined : refusalText(answer)
      const taken = `A Cluster "${name}" exists already in the namespace "${namespace}". Manage that one, or choose another name.`
      // The id of the database is known once it is made.
      const shown = {
        ...manifest,
        metadata: { ...manifest.metadata, labels: { 'app.kubernetes.io/managed-by': 'bey' } },
      }
      return {
        yaml: stringify(shown),
        problem: trouble ?? (exists ? taken : said) ?? null,
      }
    },
  }
}

function refusalText(answer: { status: number; body: unknown }): string {
  if (answer.status === 404) {
    return 'The cluster has no CloudNativePG: the kind Cluster of postgresql.cnpg.io/v1 is missing. Install the operator there first.'
  }
  return `The cluster refuses the Cluster: ${messageOf(answer)}.`
}
