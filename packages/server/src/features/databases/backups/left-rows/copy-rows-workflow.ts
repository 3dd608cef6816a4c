import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { StepContext, WorkflowDefinition } from '../../../workflows/definition/definition.ts'
import { type Admin, withSession } from '../../manage/open-admin.ts'
import { databaseIdOf } from '../../run-moves.ts'
import type { BackupParts } from '../backup-parts.ts'
import { stepsOf } from '../steps.ts'
import { TooLarge } from './compare-keys.ts'
import { copyTable } from './copy-table.ts'
import { whyNotCompared, withPair } from './left-rows.ts'
import { findPair, type Pair } from './swapped-pair.ts'
import { quotedTable, readShapes, tableKey, type TableShape, textSettings } from './table-shape.ts'

type TableName = { schema: string; name: string }
type Subject = Pair & { tables: readonly TableName[] }

/** Copies rows that a swap left behind, table by table, those that others refer to first. */
export function copyRowsWorkflow(parts: BackupParts): WorkflowDefinition {
  const { database } = parts
  const step = stepsOf(async ({ run }: StepContext): Promise<Subject> => {
    const pair = await database.readTenant(run.organizationId, (db) =>
      findPair(db, run.organizationId, databaseIdOf(run)),
    )
    // Written by the request, whose body was parsed.
    return { ...pair, tables: run.input['tables'] as TableName[] }
  })

  const copy = step('copy', 'Copy the rows', (context, subject) =>
    withClients(parts, subject, async (clients) => {
      const { old, current } = clients
      const [before, now] = [await readShapes(old), await readShapes(current)]
      const inPlace = new Map(now.map((shape) => [tableKey(shape), shape]))
      const wanted = new Set(subject.tables.map(tableKey))
      const shapes = before.filter((shape) => wanted.has(tableKey(shape)))
      const refused: string[] = []
      for (const shape of await inOrderOfReferences(current, shapes)) {
        if (whyNotCompared(shape, inPlace.get(tableKey(shape))) !== null)
          throw new StepFailure(`${quotedTable(shape)} cannot be compared any more.`)
        const { copied, refused: count, refusal } = await copyTable(clients, shape).catch(tooLarge(shape))
        context.log(`${quotedTable(shape)}: ${copied} rows copied.`)
        if (count === 0) continue
        const sentence = `${quotedTable(shape)}: ${count} rows refused. ${refusal ?? ''}`
        context.log(sentence)
        refused.push(sentence)
      }
      if (refused.length > 0) throw new StepFailure(refused.slice(0, 3).join(' '))
      return undefined
    }),
  )

  return {
    key: 'database.copy_rows',
    name: 'Copy rows that a swap left behind',
    description: 'Copies rows whose keys only the old database has into the one in its place.',
    type: 'maintenance',
    cancelPermission: 'databases.restore',
    steps: [copy],
  }
}

/** Reads both as a role that may do nothing else, and writes with the rights of the owner of the current one. */
function withClients<T>(
  parts: BackupParts,
  pair: Pair,
  work: (clients: { old: Admin; current: Admin; writer: Admin }) => Promise<T>,
): Promise<T> {
  return withPair(parts, pair, (old, current) =>
    withSession(parts, pair.current, 'write', async (writer) => {
      await writer.query(textSettings)
      return work({ old, current, writer })
    }),
  )
}

const tooLarge =
  (shape: TableShape) =>
  (error: unknown): never => {
    if (error instanceof TooLarge)
      throw new StepFailure(`${quotedTable(shape)} is too large to be compared.`, { cause: error })
    throw error
  }

/** Tables that others refer to come before those; in a circle they stay as they are. */
async function inOrderOfReferences(current: Admin, shapes: readonly TableShape[]): Promise<TableShape[]> {
  const { rows } = await current.query<{ schema: string; name: string; of: TableName }>(
    `select n.nspname as schema, c.relname as name, json_build_object('schema', fn.nspname, 'name', f.relname) as of
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
      where k.contype = 'f' and k.conrelid <> k.confrelid`,
  )
  const ordered: TableShape[] = []
  const seen = new Set<string>()
  const add = (shape: TableShape) => {
    const key = tableKey(shape)
    if (seen.has(key)) return
    seen.add(key)
    const needed = new Set(rows.filter((row) => tableKey(row) === key).map(({ of }) => tableKey(of)))
    for (const other of shapes) if (needed.has(tableKey(other))) add(other)
    ordered.push(shape)
  }
  for (const shape of shapes) add(shape)
  return ordered
}
