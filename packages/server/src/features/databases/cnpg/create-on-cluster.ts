import { type ClusterWish, type ParsedInput, sqlName } from '@bey/contract'

import { act, type Member } from '../../../platform/act.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { whyNotNow } from '../../../platform/keys/key-rights.ts'
import { changePolicy } from '../backups/change-policy.ts'
import { clusterDrillRights } from '../backups/start-drill.ts'
import { insertNewDatabase, orNameTaken } from '../new-database.ts'
import { startDatabaseRun } from '../parts.ts'
import { databaseTarget, existing, presentDatabase } from '../present.ts'
import type { DatabaseServiceParts } from '../service.ts'
import { findDatabase, updateDatabase } from '../store.ts'
import { orAdopted } from './adopt.ts'
import { openCluster } from './cluster-rights.ts'
import { wantedOf } from './manifest.ts'
import { requireClusterTarget } from './store-access.ts'
import { storeOf } from './store-objects.ts'

type Input = ParsedInput<'databases.create'>['body']

export const creationRights = ['kubernetes.write', 'kubernetes.secrets'] as const

/** Creates databases on clusters by a run that is queued with each. Throws AppError. */
export function createOnCluster(parts: DatabaseServiceParts) {
  const { database, credentials, providers } = parts
  const { clusters } = providers.cnpg

  return async function create(input: Input, wish: ClusterWish, caller: Member) {
    const { name, description, isProtected, backups, extensions } = input
    const { clusterId, namespace } = wish
    const { organizationId } = caller
    const rights = backups == null || backups.drillSchedule === null ? creationRights : clusterDrillRights
    const { cluster } = await openCluster(clusters, caller, clusterId, rights)
    // Whoever reads secrets in the namespace learns the key of the bucket.
    const refusal = backups && whyNotNow(caller.role, 'databases.backupTargets')
    if (refusal) throw new AppError('forbidden', refusal)
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
          const target =
            backups?.targetId == null
              ? undefined
              : await requireClusterTarget(db, organizationId, backups.targetId)
          const store =
            target &&
            backups &&
            storeOf({ organizationId, databaseId: id, name }, target, backups.retentionDays)
          const wanted = wantedOf(wish, { extensions, store })
          await updateDatabase(db, organizationId, id, { cnpg: { ...values.cnpg, wanted } })
          const row = existing(await findDatabase(db, organizationId, id))
          const run = await startDatabaseRun(parts, db, row, 'database.cluster_create', caller)
          await act(db, caller, {
            action: 'database.create',
            class: 'create',
            diff: { provider: 'cnpg', cluster: cluster.title, namespace, ...wantedOf(wish, { extensions }) },
            target: databaseTarget(row),
            runId: run.runId,
          })
          if (backups) await changePolicy(db, row, backups, { caller, now: parts.clock.now(), isNew: true })
          return keepReply(db, presentDatabase(existing(await findDatabase(db, organizationId, id))))
        }),
      ),
    )
  }
}
