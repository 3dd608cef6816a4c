import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { health } from './health-schema.ts'
import { timestamp } from './schema.ts'

/** Kinds of things of an organization that the command palette finds. */
export const paletteEntityTypes = ['cluster', 'workflow'] as const
export type PaletteEntityType = (typeof paletteEntityTypes)[number]

export const paletteEntity = z.object({
  id: z.string(),
  type: z.enum(paletteEntityTypes),
  title: z.string(),
  description: z.string(),
  /** Status of its kind: `RUNNING` of a cluster, `idle` or the last run's of a workflow. */
  status: z.string(),
  /** Of a cluster, as its list tells it; null for a workflow. */
  health: health.nullable(),
  createdAt: timestamp,
  /** A cluster's; null for a workflow. */
  version: z.string().nullable(),
  nodeCount: z.number().int().nullable(),
  /** A workflow of the product itself; false for a cluster. */
  isBuiltIn: z.boolean(),
  lastRunAt: timestamp.nullable(),
})
export type PaletteEntity = z.infer<typeof paletteEntity>

export const paletteEndpoints = {
  'palette.list': endpoint({
    method: 'GET',
    path: '/api/palette',
    summary: 'What the command palette finds: clusters, then workflows, each newest first',
    access: 'organization.read',
    query: z.object({
      /** The `nextCursor` of the page before. */
      cursor: z.string().max(64).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(200),
    }),
    response: z.object({ items: z.array(paletteEntity).max(200), nextCursor: z.string().nullable() }),
  }),
} as const
