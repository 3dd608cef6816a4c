import type { ConnectionTest } from '@bey/contract/clusters/import'
import { foreignKey, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

import { clusters } from './clusters.ts'
import { bytea, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'

export type ImportedConnection = {
  context: string
  credential: 'token' | 'client-certificate' | 'token-and-certificate' | 'none'
  isVerified: boolean
  tlsServerName: string | null
  /** Host of the proxy, without credentials. */
  proxy: string | null
  actsAs: string | null
  impersonates: boolean
  /** The context's own namespace. */
  namespace: string | null
  /** Namespaces that a member chose; null: those that the test found. */
  chosenNamespaces: string[] | null
  credentialsExpireAt: string | null
}

/** How the server reaches a cluster; `token_sealed` is encrypted with the organization's data key. */
export const clusterConnections = pgTable(
  'cluster_connections',
  {
    clusterId: integer('cluster_id').primaryKey(),
    organizationId: organizationId(),
    url: text('url'),
    caPem: text('ca_pem'),
    tokenSealed: bytea('token_sealed'),
    /** Everything secret of an imported cluster, as one encrypted JSON text. */
    credentialsSealed: bytea('credentials_sealed'),
    /** What of an imported cluster's connection is no secret. */
    imported: jsonb('imported').$type<ImportedConnection>(),
    /** Server and authority of an imported cluster as one text, by which it is known again. */
    serverKey: text('server_key'),
    /** What the last test of an imported cluster found. */
    test: jsonb('test').$type<ConnectionTest>(),
    /** Machine, directory, port and process of a sandbox; null for other providers. */
    machineId: text('machine_id'),
    dir: text('dir'),
    port: integer('port'),
    pid: integer('pid'),
    updatedAt: updatedAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.clusterId],
      foreignColumns: [clusters.organizationId, clusters.id],
    }).onDelete('cascade'),
    index('cluster_connections_organization_id_idx').on(t.organizationId),
    index('cluster_connections_machine_id_idx').on(t.machineId),
    index('cluster_connections_server_key_idx').on(t.organizationId, t.serverKey),
    tenantPolicy(),
    systemPolicy(),
  ],
)
