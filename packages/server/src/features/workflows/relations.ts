import { entityResourceId, type ListedEntity, type Relation } from '@bey/contract'
import { and, eq, isNotNull, isNull, ne } from 'drizzle-orm'
import type { Database, Db } from '../../platform/db/database.ts'
import type { RelationSource } from '../../platform/inventory.ts'
import { clusters } from '../../tables/clusters.ts'
import { databases } from '../../tables/databases.ts'
import { networks } from '../../tables/networks.ts'
import { secrets } from '../../tables/secrets.ts'
import { workflows } from '../../tables/workflows.ts'
import { referencesOf } from './definition/expressions/references.ts'

const maxRows = 10_000
/** Steps, their configs and compensations. */
const maxDepth = 6

/** Fields of a config by which steps name things, by id or by name. */
const namedEntities = ['cluster', 'database', 'network', 'workflow', 'secret'] as const
type Named = (typeof namedEntities)[number] & ListedEntity

type Ids = Record<Named, ReadonlyMap<string, string>>

/** The clusters, databases, networks, workflows and secrets that the steps of workflows name without a template. */
export function workflowRelations({ database }: { database: Database }): RelationSource {
  return {
    list: ({ organizationId }) =>
      database.readTenant(organizationId, async (db) => {
        const rows = await db
          .select({ id: workflows.id, definition: workflows.definition })
          .from(workflows)
          .where(
            and(
              eq(workflows.organizationId, organizationId),
              isNull(workflows.deletedAt),
              isNotNull(workflows.definition),
            ),
          )
          .limit(maxRows)
        if (rows.length === 0) return { relations: [], gaps: [] }
        const ids = await idsOf(db, organizationId)
        const relations = rows.flatMap(({ id, definition }) =>
          namesOf(definition).flatMap(({ type, name }): Relation[] => {
            const found = ids[type].get(name)
            if (found === undefined) return []
            const verb = type === 'secret' ? 'reads_secret' : 'connects_to'
            return [{ from: entityResourceId('workflow', id), to: entityResourceId(type, found), verb }]
          }),
        )
        return { relations, gaps: [] }
      }),
  }
}

function namesOf(definition: unknown): { type: Named; name: string }[] {
  return [
    ...fieldsWithin(definition, 0),
    ...referencesOf(definition).secrets.flatMap(({ name }) =>
      // The name may end with a field of the value.
      name.split('.').map((_, index, parts) => ({
        type: 'secret' as const,
        name: parts.slice(0, index + 1).join('.'),
      })),
    ),
  ]
}

function fieldsWithin(value: unknown, depth: number): { type: Named; name: string }[] {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const type = namedEntities.find((each) => each === key)
    return type !== undefined && (typeof member === 'string' || typeof member === 'number')
      ? [{ type, name: String(member) }]
      : fieldsWithin(member, depth + 1)
  })
}

/** Ids of things by their ids and names. */
async function idsOf(db: Db, organizationId: number): Promise<Ids> {
  const byBoth = (rows: readonly { id: string | number; name: string }[]) =>
    new Map(rows.flatMap(({ id, name }) => [String(id), name].map((key) => [key, String(id)] as const)))
  return {
    cluster: byBoth(
      await db
        .select({ id: clusters.id, name: clusters.title })
        .from(clusters)
        .where(and(eq(clusters.organizationId, organizationId), isNull(clusters.deletedAt)))
        .limit(maxRows),
    ),
    database: byBoth(
      await db
        .select({ id: databases.id, name: databases.name })
        .from(databases)
        .where(and(eq(databases.organizationId, organizationId), isNull(databases.deletedAt)))
        .limit(maxRows),
    ),
    network: byBoth(
      await db
        .select({ id: networks.id, name: networks.name })
        .from(networks)
        .where(and(eq(networks.organizationId, organizationId), isNull(networks.deletedAt)))
        .limit(maxRows),
    ),
    workflow: byBoth(
      await db
        .select({ id: workflows.id, name: workflows.name })
        .from(workflows)
        .where(and(eq(workflows.organizationId, organizationId), isNull(workflows.deletedAt)))
        .limit(maxRows),
    ),
    secret: byBoth(
      await db
        .select({ id: secrets.id, name: secrets.name })
        .from(secrets)
        .where(and(eq(secrets.organizationId, organizationId), ne(secrets.status, 'deleted')))
        .limit(maxRows),
    ),
  }
}
