import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { healthState } from '../base/health-schema.ts'
import { impactTimes, relationLimits, relationVerbs } from './rules.ts'
import { resourceKinds } from '../resources/kinds.ts'
import { resourceQueryLimits } from '../resources/query.ts'
import { numericId, numericIdText, timestamp } from '../base/schema.ts'

const path = '/api/relations'
const count = z.number().int().min(0)
const limits = relationLimits
/** Names of objects have at most 253 characters, and so have namespaces. */
const resourceId = z.string().min(3).max(600)
const verb = z.enum(relationVerbs)
const kindNames = new Set(resourceKinds.map(({ kind }) => kind))
const kindName = z.string().refine((text) => kindNames.has(text), 'Name a kind of resource, such as pod.')
const kindList = z
  .string()
  .max(400)
  .transform((text) => text.split(',').filter((kind) => kind !== ''))
  .refine(
    (kinds) => kinds.every((kind) => kindNames.has(kind)),
    'Name kinds of resources, such as pod,service.',
  )
  .optional()

const resource = z
  .object({
    id: z.string(),
    kind: z.string(),
    name: z.string(),
    cluster: z.object({ id: numericId, title: z.string() }).nullable(),
    namespace: z.string().nullable(),
    /** Null where its kind has none. */
    health: healthState.nullable(),
    href: z.string(),
  })
  .meta({ id: 'RelatedResource' })
export type RelatedResource = z.infer<typeof resource>

const gap = z.object({ source: z.string(), reason: z.string(), since: timestamp.nullable() })
/** In every reply: when it was read, and what is missing from it. */
const reading = { asOf: timestamp, gaps: z.array(gap).max(200) }

const filters = {
  /** Names of kinds, separated by commas; without it all. */
  kinds: kindList,
  cluster: numericIdText.optional(),
  namespace: z.string().max(253).optional(),
  /** A label that resources have: `team=shop`, or `team` for any value. */
  label: z.string().max(320).optional(),
  /** Only resources that match, in the words of the list of resources: `kind:pod health:failing`. */
  query: z.string().trim().max(resourceQueryLimits.length).optional(),
  /** Only what is within `depth` relations of this resource. */
  focus: resourceId.optional(),
  direction: z.enum(['needs', 'needed_by', 'both']).default('both'),
  depth: z.coerce.number().int().min(1).max(limits.depth).default(2),
  verb: verb.optional(),
}

const tick = z.object({
  id: z.string(),
  name: z.string(),
  health: healthState.nullable(),
  /** When it last changed since `since`; null where it did not. */
  changedAt: timestamp.nullable(),
  /** Resources that it stands for; the name is that of the first. */
  count: z.number().int().min(1),
})

const box = z
  .object({
    kind: z.string(),
    total: count,
    failing: count,
    changed: count,
    ticks: z.array(tick).max(limits.ticksOfKind),
  })
  .meta({ id: 'RelationBox' })
export type RelationBox = z.infer<typeof box>

const boxEdge = z.object({ from: z.string(), to: z.string(), verb, count })

const edgeRow = z.object({ from: resource, to: resource, verb }).meta({ id: 'RelationRow' })
export type RelationRow = z.infer<typeof edgeRow>

const related = resource.extend({
  verb,
  /** The relation in words, read from the resource that was asked for: `runs on`. */
  text: z.string(),
  /** Relations from it. */
  step: z.number().int().min(1),
  /** The resource before it on the way. */
  by: z.string(),
})

const impactRow = resource
  .extend({
    effect: z.enum(['goes_with', 'stops', 'partly', 'rules_end']),
    when: z.enum(impactTimes),
    step: z.number().int().min(1),
    /** What happens to it, after its name: `stops`, `loses 1 of 3`. */
    text: z.string(),
    /** The resource before it on the way, by its name. */
    by: z.string(),
  })
  .meta({ id: 'ImpactRow' })
export type ImpactRow = z.infer<typeof impactRow>

/** Some of a number of resources, and all of them in words: `2 pods, 1 service`. */
const group = z.object({ total: count, text: z.string(), rows: z.array(resource).max(limits.rows) })

const impact = z
  .object({
    resource,
    act: z.enum(['fails', 'deleted']),
    /** The outcome in one sentence. */
    text: z.string(),
    /** Resources that it reaches, of how many there are. */
    total: count,
    of: count,
    /** What stops or loses something, the earliest first. */
    rows: z.array(impactRow).max(limits.rows),
    rowTotal: count,
    steps: z
      .array(z.object({ step: z.number().int(), when: z.enum(impactTimes), total: count, text: z.string() }))
      .max(limits.rows),
    /** Ids of all that it reaches, with their steps; at most as many as are drawn. */
    reached: z.array(z.object({ id: z.string(), step: z.number().int() })).max(limits.drawn),
    goesWith: group,
    unused: group,
    kept: group,
    ...reading,
  })
  .meta({ id: 'Impact' })
export type Impact = z.infer<typeof impact>

export const relationEndpoints = {
  'relations.graph': endpoint({
    method: 'GET',
    path,
    summary: 'Resources of the organization by kind, and how the kinds relate',
    access: 'analytics.read',
    query: z.object({
      ...filters,
      /** Marks what changed since then. */
      since: timestamp.optional(),
      /** The kind whose resources are listed one by one. */
      open: kindName.optional(),
      /** Of the opened kind: part of the name. */
      search: z.string().trim().max(200).optional(),
    }),
    response: z.object({
      total: count,
      relationTotal: count,
      failing: count,
      changed: count,
      boxes: z.array(box).max(60),
      edges: z.array(boxEdge).max(500),
      opened: z
        .object({ kind: z.string(), total: count, resources: z.array(resource).max(limits.rows) })
        .nullable(),
      ...reading,
    }),
    errors: ['not_found'],
  }),
  'relations.list': endpoint({
    method: 'GET',
    path: `${path}/list`,
    summary: 'Relations between resources, one by one',
    access: 'analytics.read',
    query: z.object({
      ...filters,
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      limit: z.coerce.number().int().min(1).max(limits.edgeRows).default(100),
    }),
    response: z.object({
      relations: z.array(edgeRow).max(limits.edgeRows),
      total: count,
      page: z.number().int(),
      limit: z.number().int(),
      ...reading,
    }),
    errors: ['not_found'],
  }),
  'relations.find': endpoint({
    method: 'GET',
    path: `${path}/resources`,
    summary: 'Resources whose name contains a text, to choose from',
    access: 'analytics.read',
    query: z.object({ search: z.string().trim().max(200).default(''), kinds: kindList }),
    response: z.object({ resources: z.array(resource).max(20), total: count }),
  }),
  'relations.of': endpoint({
    method: 'GET',
    path: `${path}/of`,
    summary: 'What a resource needs, and what needs it',
    access: 'analytics.read',
    query: z.object({
      id: resourceId,
      depth: z.coerce.number().int().min(1).max(limits.depth).default(3),
    }),
    response: z.object({
      resource,
      /** Direct needs of it. */
      needs: z.array(related).max(limits.rows),
      needsTotal: count,
      /** What needs it, directly or through others, the nearest first. */
      neededBy: z.array(related).max(limits.rows),
      neededByTotal: count,
      directTotal: count,
      text: z.string(),
      ...reading,
    }),
    errors: ['not_found'],
  }),
  'relations.path': endpoint({
    method: 'GET',
    path: `${path}/path`,
    summary: 'The shortest way from one resource to another',
    access: 'analytics.read',
    query: z.object({ from: resourceId, to: resourceId }),
    response: z.object({
      from: resource,
      to: resource,
      /** Empty where there is no way. */
      steps: z
        .array(
          resource.extend({
            verb: verb.nullable(),
            /** The relation by which it is reached, in words; null for the first. */
            text: z.string().nullable(),
          }),
        )
        .max(limits.depth + 1),
      text: z.string(),
      ...reading,
    }),
    errors: ['not_found'],
  }),
  'relations.impact': endpoint({
    method: 'GET',
    path: `${path}/impact`,
    summary: 'What a failure or a deletion of a resource reaches, and when',
    access: 'analytics.read',
    query: z.object({ id: resourceId, act: z.enum(['fails', 'deleted']).default('fails') }),
    response: impact,
    errors: ['not_found'],
  }),
} as const
