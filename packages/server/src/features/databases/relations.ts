import { entityResourceId, objectResourceId, partResourceId, type Relation } from '@bey/contract'
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import type { RelationSource } from '../../platform/inventory.ts'
import { databases } from '../../tables/databases.ts'
import { listTargetUses } from './backup-targets/target-rows.ts'

const maxRows = 10_000

/** Where databases run, the secrets that keep their passwords, and the targets that keep their backups. */
export function databaseRelations({ database }: { database: Database }): RelationSource {
  return {
    list: ({ organizationId }) =>
      database.readTenant(organizationId, async (db) => {
        const rows = await db
          .select({
            id: databases.id,
            clusterId: databases.clusterId,
            cnpg: databases.cnpg,
            secretId: databases.credentialSecretId,
          })
          .from(databases)
          .where(and(eq(databases.organizationId, organizationId), isNull(databases.deletedAt)))
          .limit(maxRows)
        const relations = rows.flatMap(({ id, clusterId, cnpg, secretId }): Relation[] => {
          const from = entityResourceId('database', id)
          return [
            ...(clusterId === null
              ? []
              : [{ from, to: entityResourceId('cluster', clusterId), verb: 'runs_on' as const }]),
            ...(clusterId === null || cnpg === null
              ? []
              : [
                  {
                    from,
                    to: objectResourceId({
                      kind: 'namespace',
                      clusterId,
                      namespace: '',
                      name: cnpg.namespace,
                    }),
                    verb: 'runs_on' as const,
                  },
                ]),
            ...(secretId === null
              ? []
              : [{ from, to: entityResourceId('secret', secretId), verb: 'reads_secret' as const }]),
          ]
        })
        // The operator names its pods after the cluster of the database: https://cloudnative-pg.io/documentation/current/labels_annotations/
        const labelled = rows.flatMap(({ id, clusterId, cnpg }) =>
          clusterId === null || cnpg === null
            ? []
            : [
                {
                  kind: 'pod',
                  clusterId,
                  namespace: cnpg.namespace,
                  labels: { 'cnpg.io/cluster': cnpg.name },
                  to: entityResourceId('database', id),
                  verb: 'owned_by' as const,
                },
              ],
        )
        const backups = (await listTargetUses(db, organizationId)).flatMap(({ targetId, id }): Relation[] =>
          targetId === null
            ? []
            : [
                {
                  from: entityResourceId('database', id),
                  to: partResourceId('backupTarget', targetId),
                  verb: 'backs_up_to',
                },
              ],
        )
        return { relations: [...relations, ...backups], gaps: [], labelled }
      }),
  }
}
