import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { health } from '../base/health-schema.ts'
import { resourceKinds } from './kinds.ts'
import { resourceMarks } from './marks.ts'
import { resourceQueryLimits } from './query.ts'
import { isResourceId, isResourceTag, resourceLimits, resourceTagRule } from './rules.ts'
import { nameText, numericId, pageQuery, paged, timestamp, uuid } from '../base/schema.ts'

const path = '/api/resources'
const count = z.number().int().min(0)
const person = z.object({ id: numericId, name: z.string() })
const mark = z.enum(resourceMarks)
const resourceId = z.string().refine(isResourceId, 'Send the id of a resource, such as pod:3.shop.web-1.')
const query = z.string().trim().max(resourceQueryLimits.length)
const tag = z.string().trim().refine(isResourceTag, resourceTagRule)

export const resourceRow = z
  .object({
    id: z.string(),
    kind: z.string(),
    name: z.string(),
    cluster: z.object({ id: numericId, title: z.string() }).nullable(),
    /** Null where its kind has none. */
    namespace: z.string().nullable(),
    /** Null where its kind has none. */
    health: health.nullable(),
    /** Of the thing itself, as Kubernetes or its own page keeps them. */
    labels: z.record(z.string(), z.string()),
    /** Written by members: `blue`, or `team=shop`. */
    tags: z.array(z.string()).max(resourceLimits.tags),
    /** `isMember` false: they have left. */
    owner: person.extend({ isMember: z.boolean() }).nullable(),
    marks: z.array(mark).max(resourceMarks.length),
    createdAt: timestamp.nullable(),
    createdBy: person.nullable(),
    href: z.string(),
  })
  .meta({ id: 'ResourceRow' })
export type ResourceRow = z.infer<typeof resourceRow>

const gap = z
  .object({ source: z.string(), reason: z.string(), since: timestamp.nullable() })
  .meta({ id: 'InventoryGap' })

const healthCount = z.object({
  state: z.enum(['failing', 'degraded', 'unknown', 'starting', 'healthy', 'none']),
  count,
})

/** What many of the matches share and few of the others do. */
const shared = z.object({
  /** `namespace`, `cluster`, `label team` … */
  label: z.string(),
  value: z.string(),
  /** The word that adds it to the query. */
  term: z.string(),
  matching: count,
  others: count,
})

const view = z
  .object({
    id: uuid,
    name: z.string(),
    query: z.string(),
    isShared: z.boolean(),
    createdBy: person.nullable(),
    /** Whether the caller may change it. */
    isOwn: z.boolean(),
  })
  .meta({ id: 'ResourceView' })
export type ResourceView = z.infer<typeof view>

const viewName = nameText('Enter a name for the view.').pipe(z.string().max(resourceLimits.viewName))

export const resourceEndpoints = {
  'resources.list': endpoint({
    method: 'GET',
    path,
    summary:
      'Everything the organization has that matches a query such as `kind:pod health:failing label:team=shop`, with a sentence about the matches and what they share',
    access: 'resources.read',
    query: pageQuery.extend({
      query: query.default(''),
      sort: z.enum(['health', 'name', 'kind', 'cluster', 'createdAt']).default('health'),
    }),
    response: paged('resources', resourceRow).extend({
      /** What matches, or why nothing does. */
      sentence: z.string(),
      /** Resources that the caller may read, whatever the query. */
      of: count,
      kinds: z.array(z.object({ kind: z.string(), count })).max(resourceKinds.length),
      health: z.array(healthCount).max(6),
      /** Ready views with their counts over everything. */
      marks: z.array(z.object({ mark, count })).max(resourceMarks.length),
      /** At most 4; `others` counts how many did not match. */
      shared: z.object({ rows: z.array(shared).max(4), others: count }),
      /** Another query that would match, where nothing does. */
      suggestion: z.string().nullable(),
      /** Clusters with objects among what the caller may read, to follow. */
      clusters: z.array(z.object({ id: numericId, title: z.string() })).max(100),
      gaps: z.array(gap).max(500),
      asOf: timestamp,
    }),
  }),
  'resources.complete': endpoint({
    method: 'GET',
    path: `${path}/completions`,
    summary: 'Keys and values that continue a query at a position, values with how many resources have them',
    access: 'resources.read',
    query: z.object({
      query: z.string().max(resourceQueryLimits.length).default(''),
      position: z.coerce.number().int().min(0).max(resourceQueryLimits.length),
    }),
    response: z.object({
      /** The part of the query that a completion takes the place of. */
      start: count,
      end: count,
      completions: z
        .array(z.object({ text: z.string(), about: z.string(), count: count.nullable() }))
        .max(resourceLimits.completions),
    }),
  }),
  'resources.export': endpoint({
    method: 'POST',
    path: `${path}/export`,
    summary: `Matches of a query as a CSV file, at most ${resourceLimits.exported.toLocaleString('en')}; takes no body`,
    access: 'resources.read',
    withoutIdempotencyKey: 'It only reads.',
    query: z.object({ query: query.default('') }),
    response: { mediaType: 'text/csv' },
  }),
  'resources.tag': endpoint({
    method: 'POST',
    path: `${path}/tags`,
    summary: 'Add and remove tags of resources, and set or remove their owner',
    access: 'resources.update',
    body: z
      .strictObject({
        ids: z.array(resourceId).min(1).max(resourceLimits.atOnce),
        add: z.array(tag).max(resourceLimits.tags).default([]),
        remove: z.array(z.string().max(resourceLimits.tagLength)).max(resourceLimits.tags).default([]),
        /** A member; null: nobody. Absent: as it was. */
        ownerId: numericId.nullable().optional(),
      })
      .refine(
        ({ add, remove, ownerId }) => add.length + remove.length > 0 || ownerId !== undefined,
        'Send tags to add or remove, or an owner.',
      ),
    response: z.object({
      /** How many are different now. */
      changed: count,
    }),
    errors: ['not_found', 'limit_reached'],
  }),
  'resources.views': endpoint({
    method: 'GET',
    path: `${path}/views`,
    summary: 'Saved queries: your own, and those that others share',
    access: 'resources.read',
    response: z.object({ views: z.array(view).max(resourceLimits.views * 2) }),
  }),
  'resources.createView': endpoint({
    method: 'POST',
    path: `${path}/views`,
    summary: 'Save a query under a name, for yourself or for everybody',
    access: 'resources.update',
    body: z.strictObject({ name: viewName, query: query.min(1), isShared: z.boolean().default(false) }),
    response: view,
    status: 201,
    errors: ['conflict', 'limit_reached'],
  }),
  'resources.deleteView': endpoint({
    method: 'DELETE',
    path: `${path}/views/{id}`,
    summary: 'Delete a saved query of your own',
    access: 'resources.update',
    params: z.object({ id: uuid }),
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
  'resources.get': endpoint({
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'One resource by its id, such as pod:3.shop.web-1',
    access: 'resources.read',
    params: z.object({ id: resourceId }),
    response: resourceRow.extend({ gaps: z.array(gap).max(500), asOf: timestamp }),
    errors: ['not_found'],
  }),
} as const
