import { type CallOutput, relationLimits } from '@bey/contract'
import type { Database } from '../../platform/db/database.ts'
import type { Handlers, TenantCaller } from '../../platform/http/handlers.ts'
import type { InventoryAsk } from '../../platform/inventory.ts'
import type { MatchQueries } from '../resources/match-query.ts'
import { boxEdges, boxesOf } from './boxes.ts'
import { changedSince } from './changed-since.ts'
import { matching, relationsAmong } from './filter.ts'
import { presentImpact } from './impact-of.ts'
import { byPlace, byText, presentReading, presentResource } from './present.ts'
import { presentPath, presentRelationsOf } from './resource-relations.ts'
import type { ReadSnapshot } from './snapshot.ts'

const maxFound = 20

export function relationRoutes(
  read: ReadSnapshot,
  database: Pick<Database, 'readTenant'>,
  matches: MatchQueries,
): Handlers<`relations.${'graph' | 'list' | 'find' | 'of' | 'path' | 'impact'}`> {
  /** Ids of what the words of a query find; undefined without any. */
  async function selectedBy(caller: TenantCaller, query: string | undefined) {
    if (query === undefined || query === '') return undefined
    const { organizationId, role, user } = caller
    const { resources } = await matches({ organizationId, role, userId: user.id })(query, user.id)
    return new Set(resources.map(({ id }) => id))
  }

  return {
    async 'relations.graph'({ caller, query }): Promise<CallOutput<'relations.graph'>> {
      const { organizationId } = caller
      const { since, open, search } = query
      const [snapshot, recorded, selected] = await Promise.all([
        read(askOf(caller)),
        since === undefined
          ? new Map<string, string>()
          : database.readTenant(organizationId, (db) => changedSince(db, organizationId, new Date(since))),
        selectedBy(caller, query.query),
      ])
      const found = matching(snapshot, query, selected)
      const changes = new Map(recorded)
      if (since !== undefined)
        for (const { id, createdAt } of found)
          if (createdAt !== null && createdAt >= since && !changes.has(id)) changes.set(id, createdAt)
      const ids = new Set(found.map(({ id }) => id))
      const relations = relationsAmong(snapshot, ids, query.verb)
      const boxes = boxesOf(found, changes)
      const isSearched = nameTest(search)
      const opened = open === undefined ? [] : found.filter((each) => each.kind === open && isSearched(each))
      return {
        total: found.length,
        relationTotal: relations.length,
        failing: boxes.reduce((sum, box) => sum + box.failing, 0),
        changed: boxes.reduce((sum, box) => sum + box.changed, 0),
        boxes,
        edges: boxEdges(relations),
        opened:
          open === undefined
            ? null
            : {
                kind: open,
                total: opened.length,
                resources: opened.toSorted(byPlace).slice(0, relationLimits.rows).map(presentResource),
              },
        ...presentReading(snapshot),
      }
    },

    async 'relations.list'({ caller, query }): Promise<CallOutput<'relations.list'>> {
      const [snapshot, selected] = await Promise.all([read(askOf(caller)), selectedBy(caller, query.query)])
      const ids = new Set(matching(snapshot, query, selected).map(({ id }) => id))
      const all = relationsAmong(snapshot, ids, query.verb).toSorted(
        (a, b) => byText(a.from, b.from) || byText(a.verb, b.verb) || byText(a.to, b.to),
      )
      const { page, limit } = query
      const relations = all.slice((page - 1) * limit, page * limit).flatMap(({ from, to, verb }) => {
        const [one, other] = [snapshot.resources.get(from), snapshot.resources.get(to)]
        return one && other ? [{ from: presentResource(one), to: presentResource(other), verb }] : []
      })
      return { relations, total: all.length, page, limit, ...presentReading(snapshot) }
    },

    async 'relations.find'({ caller, query: { search, kinds } }) {
      const { resources } = await read(askOf(caller))
      const wanted = kinds && kinds.length > 0 ? new Set(kinds) : undefined
      const isSearched = nameTest(search)
      const found = [...resources.values()].filter(
        (each) => (!wanted || wanted.has(each.kind)) && isSearched(each),
      )
      const begins = search.toLowerCase()
      const order = ({ name }: { name: string }) => (name.toLowerCase().startsWith(begins) ? 0 : 1)
      found.sort((a, b) => order(a) - order(b) || a.name.length - b.name.length || byPlace(a, b))
      return { resources: found.slice(0, maxFound).map(presentResource), total: found.length }
    },

    'relations.of': async ({ caller, query: { id, depth } }) =>
      presentRelationsOf(await read(askOf(caller)), id, depth),
    'relations.path': async ({ caller, query: { from, to } }) =>
      presentPath(await read(askOf(caller)), from, to),
    'relations.impact': async ({ caller, query: { id, act } }) =>
      presentImpact(await read(askOf(caller)), id, act),
  }
}

function askOf({ organizationId, user, role }: TenantCaller): InventoryAsk {
  return { organizationId, userId: user.id, role }
}

function nameTest(search: string | undefined): (resource: { name: string }) => boolean {
  const text = search?.toLowerCase() ?? ''
  return text === '' ? () => true : ({ name }) => name.toLowerCase().includes(text)
}
