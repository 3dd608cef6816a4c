import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Feature, Parts } from '../../feature.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { apply } from './apply.ts'
import { callAs } from './call.ts'
import { kinds, requireKind } from './kinds.ts'
import { openMarks } from './marks.ts'
import { plan } from './plan.ts'
import { findThings, rowsOf, type Thing, thingOf } from './things.ts'

type Names = 'asCode.plan' | 'asCode.apply' | 'asCode.export' | 'asCode.kinds'

/** Things of an organization as files describe them. It keeps labels alone: every other read and change goes through other endpoints. */
export function asCodeFeature({ database }: Pick<Parts, 'database'>, http: Pick<FastifyInstance, 'inject'>) {
  const handlers: Handlers<Names> = {
    'asCode.plan': ({ caller, body }) =>
      plan(callAs(http, caller), openMarks(database, caller.organizationId), body),
    'asCode.apply': ({ caller, body }) =>
      apply(callAs(http, caller), openMarks(database, caller.organizationId), body, caller),
    'asCode.export': async ({ caller, query: { kind: text, name, page } }) => {
      const call = callAs(http, caller)
      const kind = requireKind(text)
      const documentOf = ({ name: of, spec }: Thing) => ({ kind: text, name: of, spec })
      if (name !== undefined) {
        const things = await findThings(call, kind, new Set([name]))
        return { documents: [...things.values()].map(documentOf), hasMore: false }
      }
      const { rows, hasMore } = await rowsOf(call, kind, page)
      const documents = []
      for (const row of rows) documents.push(documentOf(await thingOf(call, kind, row)))
      return { documents, hasMore }
    },
    'asCode.kinds': async () => ({
      kinds: [...kinds.values()].map(({ kind, fields, rule, create, update, labelledBy }) => {
        const body = create ?? update
        const picked = Object.fromEntries(fields.map((field) => [field, body.shape[field]]))
        return {
          kind,
          schema: z.toJSONSchema(z.object(picked), { io: 'input', unrepresentable: 'any' }),
          fields: [...fields],
          fixed: [...(rule.fixed ?? [])],
          isCreated: rule.create !== undefined,
          isLabelled: labelledBy !== undefined,
        }
      }),
    }),
  }
  return { handlers } satisfies Feature
}
