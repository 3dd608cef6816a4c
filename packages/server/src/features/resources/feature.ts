import { resourceKindOf, resourceLimits } from '@bey/contract'
import type { Feature, Parts } from '../../feature.ts'
import { act } from '../../platform/act.ts'
import { AppError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answer.ts'
import type { Handlers, TenantCaller } from '../../platform/http/handlers.ts'
import type { InventoryAsk, InventorySource } from '../../platform/inventory.ts'
import { ownedResources } from './belongings.ts'
import { createCompletion } from './complete.ts'
import { csvOf } from './csv.ts'
import { resourcesDemo } from './demo.ts'
import { forgetMissing } from './forget-missing.ts'
import { inventoryReader, present } from './inventory.ts'
import { type MatchQueries, matchQueries } from './match-query.ts'
import { firstInOrder, orderOf } from './order.ts'
import { createSearch, matchesOf, termsOf } from './search.ts'
import { createTagging } from './tag.ts'
import { createViews } from './views.ts'

type Names =
  | 'resources.list'
  | 'resources.complete'
  | 'resources.export'
  | 'resources.tag'
  | 'resources.views'
  | 'resources.createView'
  | 'resources.deleteView'
  | 'resources.get'

const askOf = ({ organizationId, user, role }: TenantCaller): InventoryAsk => ({
  organizationId,
  userId: user.id,
  role,
})

/** The inventory: everything the organization has. `sources` is asked at each reading: features are still being made. */
export function resourcesFeature({ database, clock }: Parts, sources: () => readonly InventorySource[]) {
  const read = inventoryReader(database, sources)
  const search = createSearch(read, clock)
  const complete = createCompletion(read, clock)
  const tag = createTagging(database, read)
  const views = createViews(database)
  const handlers: Handlers<Names> = {
    'resources.list': ({ caller, query }) => search(askOf(caller), query),
    'resources.complete': ({ caller, query }) => complete(askOf(caller), query),
    'resources.tag': ({ caller, body }) => tag(caller, body),
    'resources.views': ({ caller }) => views.list(caller),
    'resources.createView': ({ caller, body }) => views.create(caller, body),
    'resources.deleteView': ({ caller, params }) => views.remove(caller, params.id),
    'resources.get': async ({ caller, params: { id } }) => {
      const kind = id.slice(0, id.indexOf(':'))
      const inventory = await read(askOf(caller), new Set([kind]))
      const found = inventory.resources.find((each) => each.id === id)
      if (found) {
        return {
          ...present(found, inventory),
          gaps: [...inventory.gaps],
          asOf: clock.now().toISOString(),
        }
      }
      const { singular = 'resource' } = resourceKindOf(kind) ?? {}
      const [gap] = inventory.gaps
      throw new AppError(
        'not_found',
        gap
          ? `This ${singular} is not known at the moment. ${gap.reason}`
          : `This ${singular} is gone, or never was in this organization.`,
      )
    },
    'resources.export': async ({ caller, query: { query } }) => {
      const { organizationId } = caller
      const terms = termsOf(query)
      const inventory = await read(askOf(caller))
      const now = clock.now()
      const matches = matchesOf(inventory, terms, { userId: caller.user.id, now })
      const first = firstInOrder(matches, orderOf('kind', 'asc'), resourceLimits.exported)
      await database.withTenant(organizationId, (db) =>
        act(db, caller, {
          action: 'resources.export',
          class: 'read',
          diff: { query, count: first.length },
        }),
      )
      return answer(csvOf(first.map((each) => present(each, inventory))), {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="resources-${now.toISOString().slice(0, 10)}.csv"`,
        },
      })
    },
  }
  return {
    handlers,
    /** For alerts over queries. */
    matches: matchQueries(read, clock),
    demo: resourcesDemo,
    belongings: [ownedResources],
    retention: forgetMissing(database, read),
  } satisfies Feature & { matches: MatchQueries }
}
