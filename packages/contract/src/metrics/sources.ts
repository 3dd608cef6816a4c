import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import {
  isKubernetesLabel,
  isServicePort,
  metricSourceLimits as limits,
  metricSourceUrlError,
} from './source-rules.ts'
import { actor, nameText, timestamp, uuid } from '../base/schema.ts'

const auth = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('bearer'), secretId: uuid }),
  z.strictObject({
    kind: z.literal('basic'),
    username: z.string().trim().min(1, 'Enter a user name.').max(limits.username),
    secretId: uuid,
  }),
])

const label = (what: string) =>
  z
    .string()
    .trim()
    .refine(isKubernetesLabel, `Enter the name of a ${what}: lower-case letters, digits and hyphens.`)

const target = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('url'),
    url: z
      .string()
      .trim()
      .max(limits.url)
      .superRefine((given, context) => {
        const message = metricSourceUrlError(given)
        if (message !== undefined) context.addIssue({ code: 'custom', message })
      }),
    auth: auth.default({ kind: 'none' }),
    caPem: z.string().trim().max(limits.caPem).default(''),
  }),
  z.strictObject({
    kind: z.literal('cluster'),
    clusterId: z.number().int().min(1).max(2_147_483_647),
    namespace: label('namespace'),
    service: label('service'),
    port: z.string().trim().refine(isServicePort, 'Enter the number of a port, or its name.'),
    isTls: z.boolean().default(false),
  }),
])

const name = nameText('Enter a name for the data source.')

const metricSource = z
  .object({
    id: uuid,
    name: z.string(),
    target,
    /** Of its cluster; null for an address, and where the cluster is gone. */
    clusterName: z.string().nullable(),
    /** Of its secret; null without one, and where the secret is gone. */
    secretName: z.string().nullable(),
    /** What the last test found; null where it works. */
    problem: z.string().nullable(),
    testedAt: timestamp.nullable(),
    createdBy: actor,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'MetricSource' })
export type MetricSource = z.infer<typeof metricSource>

const testResult = z.object({
  /** What is wrong and what helps; null where it works. */
  problem: z.string().nullable(),
  durationMs: z.number(),
})

const params = z.object({ id: uuid })
const path = '/api/metrics-sources'
/** Stored although the test failed. */
const isUntested = z.boolean().default(false)

export const metricSourceEndpoints = {
  'metrics.sources.list': endpoint({
    method: 'GET',
    path,
    summary: 'Stores that speak the HTTP API of Prometheus and that charts and alerts can read',
    access: 'analytics.read',
    response: z.object({ sources: z.array(metricSource).max(limits.perOrganization) }),
  }),
  'metrics.sources.create': endpoint({
    method: 'POST',
    outdates: [path],
    path,
    summary: 'Name a Prometheus-compatible store; it is tested first',
    access: 'metrics.sources',
    body: z.strictObject({ name, target, isUntested }),
    response: metricSource,
    status: 201,
    errors: ['name_taken', 'limit_reached'],
  }),
  'metrics.sources.update': endpoint({
    method: 'PATCH',
    outdates: [path],
    path: `${path}/{id}`,
    summary: 'Change the name of a data source, or how it is reached; it is tested first',
    access: 'metrics.sources',
    params,
    body: z.strictObject({ name: name.optional(), target: target.optional(), isUntested }),
    response: metricSource,
    errors: ['not_found', 'name_taken'],
  }),
  'metrics.sources.delete': endpoint({
    method: 'DELETE',
    outdates: [path],
    path: `${path}/{id}`,
    summary: 'Forget a data source that no alert reads; what it stores stays',
    access: 'metrics.sources',
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found', 'conflict'],
  }),
  'metrics.sources.test': endpoint({
    method: 'POST',
    path: `${path}/test`,
    summary: 'Try a Prometheus-compatible store before it is named; nothing is stored',
    access: 'metrics.sources',
    body: z.strictObject({ target }),
    response: testResult,
    withoutIdempotencyKey: 'It stores nothing.',
  }),
  'metrics.sources.check': endpoint({
    method: 'POST',
    outdates: [path],
    path: `${path}/{id}/check`,
    summary: 'Try a data source as it is set up',
    access: 'metrics.sources',
    params,
    response: testResult,
    errors: ['not_found'],
  }),
  'metrics.sources.catalog': endpoint({
    method: 'GET',
    path: `${path}/{id}/catalog`,
    summary: 'Names of the metrics that a data source has, with what it says of them',
    access: 'analytics.read',
    params,
    response: z.object({
      metrics: z
        .array(
          z.object({
            name: z.string(),
            /** `counter`, `gauge`, …; null where the source does not say. */
            type: z.string().nullable(),
            meaning: z.string().nullable(),
          }),
        )
        .max(limits.maxMetricNames),
      /** How many it has, listed or not. */
      total: z.number().int(),
    }),
    errors: ['not_found', 'source_unreachable'],
  }),
} as const
