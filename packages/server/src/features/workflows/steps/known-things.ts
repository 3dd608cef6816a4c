import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'

import type { Database, Db } from '../../../platform/db/database.ts'
import { clusters } from '../../../tables/clusters.ts'
import { databases } from '../../../tables/databases.ts'
import { networks } from '../../../tables/networks.ts'
import { secrets } from '../../../tables/secrets.ts'
import { workflows } from '../../../tables/workflows.ts'
import { referencesOf } from '../definition/expressions/references.ts'
import { isTemplated } from '../definition/expressions/template.ts'

/** What exists in the organization; what is not looked up is taken to exist. */
export type KnownThings = {
  hasSecret?(name: string): boolean
  /** By id or name, as the four below. */
  hasCluster?(cluster: number | string): boolean
  hasDatabase?(database: string): boolean
  hasNetwork?(network: string): boolean
  hasWorkflow?(workflow: string): boolean
  /** Names of the outputs of a workflow of the organization's own; undefined where any may be there. */
  outputsOf?(workflow: string): readonly string[] | undefined
}

/** More names than this are not looked up, and taken to exist. */
const maxNames = 500

/** Which of the secrets, clusters, databases, networks and workflows that a definition may name exist in the organization. */
export async function knownThings(
  database: Pick<Database, 'readTenant'>,
  organizationId: number,
  definition: Readonly<Record<string, unknown>>,
): Promise<KnownThings> {
  const workflowNames = namesWithin(definition, 'workflow')
  const named = [
    ...new Set([
      ...namesWithin(definition, 'secret'),
      ...referencesOf(definition).secrets.map(({ name }) => name),
    ]),
  ]
  const names = [...new Set(named.flatMap(ownersOf))]
  return database.readTenant(organizationId, async (db) => {
    const isNamed = and(
      eq(secrets.organizationId, organizationId),
      inArray(secrets.name, names),
      ne(secrets.status, 'deleted'),
    )
    const foundSecrets =
      names.length === 0 || names.length > maxNames
        ? undefined
        : await db.select({ name: secrets.name }).from(secrets).where(isNamed)
    const foundClusters = await db
      .select({ id: clusters.id, title: clusters.title })
      .from(clusters)
      .where(and(eq(clusters.organizationId, organizationId), isNull(clusters.deletedAt)))
      .limit(maxNames)
    const foundDatabases = await db
      .select({ id: databases.id, name: databases.name })
      .from(databases)
      .where(and(eq(databases.organizationId, organizationId), isNull(databases.deletedAt)))
      .limit(maxNames)
    const foundNetworks = await db
      .select({ id: networks.id, name: networks.name })
      .from(networks)
      .where(and(eq(networks.organizationId, organizationId), isNull(networks.deletedAt)))
      .limit(maxNames)
    const foundWorkflows = await findWorkflows(db, organizationId, workflowNames)
    const secretNames = foundSecrets && new Set(foundSecrets.map(({ name }) => name))
    const databaseNames = new Set(foundDatabases.flatMap(({ id, name }) => [id, name]))
    const networkNames = new Set(foundNetworks.flatMap(({ id, name }) => [id, name]))
    const clusterNames = new Set(foundClusters.flatMap(({ id, title }) => [String(id), title]))
    return {
      ...(secretNames && {
        hasSecret: (name: string) => ownersOf(name).some((owner) => secretNames.has(owner)),
      }),
      ...(foundWorkflows && {
        hasWorkflow: (name: string) => name === definition['name'] || foundWorkflows.has(name),
        outputsOf: (name: string) => foundWorkflows.get(name),
      }),
      ...(foundClusters.length < maxNames && {
        hasCluster: (cluster: number | string) => clusterNames.has(String(cluster)),
      }),
      ...(foundDatabases.length < maxNames && {
        hasDatabase: (name: string) => databaseNames.has(name),
      }),
      ...(foundNetworks.length < maxNames && {
        hasNetwork: (name: string) => networkNames.has(name),
      }),
    }
  })
}

/** By name and by id, with the names of its outputs; undefined where they are too many to look up. */
async function findWorkflows(db: Db, organizationId: number, names: readonly string[]) {
  if (names.length > maxNames) return undefined
  const rows =
    names.length === 0
      ? []
      : await db
          .select({
            id: workflows.id,
            name: workflows.name,
            outputs: sql<object | null>`${workflows.definition} -> 'outputs'`,
          })
          .from(workflows)
          .where(
            and(
              eq(workflows.organizationId, organizationId),
              isNull(workflows.deletedAt),
              or(inArray(workflows.name, [...names]), inArray(sql`${workflows.id}::text`, [...names])),
            ),
          )
  return new Map(
    rows.flatMap(({ id, name, outputs }) =>
      [id, name].map((key) => [key, outputs === null ? undefined : Object.keys(outputs)] as const),
    ),
  )
}

/** Names that a config writes without a template under this name, such as `workflow`. */
function namesWithin(value: unknown, field: string, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return []
  const found = Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    key === field && typeof member === 'string' && !isTemplated(member)
      ? [member]
      : namesWithin(member, field, depth + 1),
  )
  return [...new Set(found)]
}

/** Steps, their configs and compensations. */
const maxDepth = 5

/** What a template may mean: a secret of this name, or the field of one whose name stands before a dot. */
function ownersOf(name: string): string[] {
  const parts = name.split('.')
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'))
}
