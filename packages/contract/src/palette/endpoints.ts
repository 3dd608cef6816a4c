import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { paletteTypes } from '../base/entity-table.ts'
import { health } from '../base/health-schema.ts'
import { searchText, timestamp } from '../base/schema.ts'

/** A thing of an organization that the command palette finds. */
export const paletteEntity = z
  .object({
    id: z.string(),
    type: z.enum(paletteTypes),
    title: z.string(),
    /** Distinguishes it from others with a similar name. */
    subtitle: z.string(),
    /** Status of its type: `RUNNING` of a cluster, `idle` or the last run's of a workflow. */
    status: z.string(),
    /** As its list shows it; null where the type has none. */
    health: health.nullable(),
    createdAt: timestamp,
    /** Of the product itself: nobody can change it or needs to use it. */
    isReadOnly: z.boolean(),
    /** When it was last used; null for what never was, or of whose type nobody keeps it. */
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'PaletteEntity' })
export type PaletteEntity = z.infer<typeof paletteEntity>

export const paletteEndpoints = {
  'palette.list': endpoint({
    method: 'GET',
    path: '/api/palette',
    summary: 'What the command palette finds, type by type, each newest first',
    access: 'organization.read',
    query: z.object({
      /** Part of the title, in any case. */
      search: searchText,
      /** The `nextCursor` of the page before. */
      cursor: z.string().max(64).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(200),
    }),
    response: z.object({ items: z.array(paletteEntity).max(200), nextCursor: z.string().nullable() }),
  }),
} as const
