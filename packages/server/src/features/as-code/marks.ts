import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { asCodeMarks } from '../../tables/as-code-marks.ts'
import { entityTables } from '../../tables/entity-tables.ts'
import type { Kind } from './kinds.ts'

/** Labels on things of kinds that the inventory does not list. */
export type Marks = {
  /** Everything that has a label, as `alert:0198…`. */
  labelled(label: string): Promise<string[]>
  add(kind: Kind, id: string | number, label: string): Promise<void>
}

export function openMarks(database: Database, organizationId: number): Marks {
  return {
    labelled: (label) =>
      database.readTenant(organizationId, async (db) => {
        const rows = await db
          .select({ kind: asCodeMarks.kind, thingId: asCodeMarks.thingId })
          .from(asCodeMarks)
          .where(and(eq(asCodeMarks.organizationId, organizationId), eq(asCodeMarks.label, label)))
        return rows.map(({ kind, thingId }) => `${kind}:${thingId}`)
      }),
    add: (kind, id, label) =>
      database.withTenant(organizationId, async (db) => {
        const { name, id: column = 'id' } = entityTables[kind.type]
        // Things are deleted on many ways, which know nothing of marks; ids are never given again.
        await db.execute(sql`
          delete from as_code_marks m where m.organization_id = ${organizationId} and m.kind = ${kind.kind}
            and not exists (select 1 from ${sql.raw(name)} t
              where t.organization_id = m.organization_id and t.${sql.raw(column)}::text = m.thing_id)`)
        await db
          .insert(asCodeMarks)
          .values({ organizationId, kind: kind.kind, thingId: String(id), label })
          .onConflictDoNothing()
      }),
  }
}
