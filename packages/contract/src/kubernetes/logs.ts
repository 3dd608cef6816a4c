import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { maxSeenLines } from './log-position.ts'
import { containerKinds } from './log-records.ts'
import { givenTime, idParams } from '../base/schema.ts'

const position = z
  .object({
    podUid: z.string().min(1).max(64),
    container: z.string().min(1).max(63),
    /** Restart count of the run that was read last. */
    restart: z.number().int().min(0),
    at: z.string().max(40),
    seen: z.array(z.string().max(8)).max(maxSeenLines),
  })
  .meta({ id: 'ContainerPosition' })
export type ContainerPosition = z.infer<typeof position>

const what = {
  namespace: z.string().min(1).max(63),
  /** As kubectl names it, such as `pods` or `deployments.apps`; with `name`, or `selector` alone. */
  resource: z.string().min(1).max(253).optional(),
  name: z.string().min(1).max(253).optional(),
  /** A label selector instead of an object. */
  selector: z.string().min(1).max(1000).optional(),
  /** Names of containers; all where absent. */
  containers: z.array(z.string().min(1).max(63)).max(50).optional(),
  kinds: z.array(z.enum(containerKinds)).max(3).optional(),
  /** The run before the present one: not at all, ahead of the present one, or nothing else. */
  previous: z.enum(['no', 'too', 'only']).default('no'),
  sinceTime: givenTime.optional(),
  sinceSeconds: z.number().int().min(1).max(31_536_000).optional(),
}

const hasOneTarget = (request: { resource?: unknown; name?: unknown; selector?: unknown }) =>
  (request.selector === undefined) === (request.resource !== undefined && request.name !== undefined)
const oneTarget = 'Name an object by resource and name, or send a selector.'

const logRequest = z
  .strictObject({
    ...what,
    /** Only the last lines of each container, at most. */
    tail: z.number().int().min(0).max(100_000).optional(),
    follow: z.boolean().default(true),
    /** Where a stream that broke off had come to. */
    positions: z.array(position).max(400).optional(),
  })
  .refine(hasOneTarget, oneTarget)
export type LogRequest = z.output<typeof logRequest>

const downloadRequest = z.strictObject(what).refine(hasOneTarget, oneTarget)
export type LogDownloadRequest = z.output<typeof downloadRequest>

const errors = [
  'not_found',
  'conflict',
  'cluster_unreachable',
  'cluster_forbidden',
  'limit_reached',
  'forbidden',
] as const

export const logEndpoints = {
  'kubernetes.logs': endpoint({
    method: 'POST',
    path: '/api/kubernetes/clusters/{id}/logs',
    summary: 'The merged logs of all pods of an object, streamed as lines of JSON',
    access: 'kubernetes.read',
    withoutIdempotencyKey: 'It only reads.',
    params: idParams,
    body: logRequest,
    response: { mediaType: 'application/x-ndjson' },
    errors,
  }),
  'kubernetes.downloadLogs': endpoint({
    method: 'POST',
    path: '/api/kubernetes/clusters/{id}/logs/download',
    summary: 'The merged logs of all pods of an object as they are now, as text',
    access: 'kubernetes.read',
    withoutIdempotencyKey: 'It only reads.',
    params: idParams,
    body: downloadRequest,
    response: { mediaType: 'text/plain' },
    errors,
  }),
} as const
