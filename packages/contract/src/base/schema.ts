import { z } from 'zod'
import { entityTypes } from './entity-table.ts'
import { nameError } from './name-rules.ts'

/** Largest value of PostgreSQL's integer, in which numeric ids are kept. */
const maxId = 2_147_483_647

export const numericId = z.number().int().min(1).max(maxId)
/** A numeric id in a path or query, where everything arrives as text. */
export const numericIdText = z.coerce.number().int().min(1).max(maxId)
export const uuid = z.uuid()
/** RFC 3339, UTC. */
export const timestamp = z.iso.datetime()

/** An instant that a client gives, RFC 3339 with any offset, within the years 1 to 9999 of UTC. */
export const givenTime = z.iso.datetime({ offset: true }).refine((text) => {
  const ms = Date.parse(text)
  return ms >= Date.parse('0001-01-01T00:00:00Z') && ms <= Date.parse('9999-12-31T23:59:59.999Z')
}, 'Send an instant of the years 1 to 9999.')

export const idParams = z.object({ id: numericIdText })

/** Paging that every list takes. `limit` is at most 200. */
export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  order: z.enum(['asc', 'desc']).optional(),
})

/** The name that people give something (see `nameError`). `whenEmpty` asks for one. */
export function nameText(whenEmpty = 'Enter a name.') {
  return z
    .string()
    .trim()
    .min(1, whenEmpty)
    .superRefine((text, context) => {
      const message = nameError(text)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
}

/** Text to search for in names. */
export const searchText = z.string().trim().max(200).optional()

/** Reply of a paged list that names its rows. `total` is exact to 10,000; beyond, `totalIsExact` is false. */
export function paged<const N extends string, S extends z.ZodType>(name: N, row: S) {
  return z.object({
    [name]: z.array(row),
    total: z.number().int(),
    totalIsExact: z.boolean().optional(),
    page: z.number().int(),
    limit: z.number().int(),
  } as { [K in N]: z.ZodArray<S> } & {
    total: z.ZodNumber
    totalIsExact: z.ZodOptional<z.ZodBoolean>
    page: z.ZodNumber
    limit: z.ZodNumber
  })
}

/** One thing of an organization; its id is text whatever its type. */
export const entityRef = z.object({ type: z.enum(entityTypes), id: z.string() })

/** Who did something. `id` is empty for the system itself, and for somebody who has no account any more. */
export const actor = z
  .object({
    type: z.enum(['user', 'api_key', 'system']),
    id: z.string(),
    name: z.string(),
    /** Of a person; null where they have left. */
    email: z.string().nullable(),
  })
  .meta({ id: 'Actor' })
export type Actor = z.infer<typeof actor>
