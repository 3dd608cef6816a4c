import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { timestamp } from '../base/schema.ts'

export const health = z.object({
  status: z.enum(['ok', 'unavailable']),
  /** `full`: it answers, and no change can be saved. */
  database: z.enum(['up', 'down', 'full']),
  /** What is wrong, in a sentence. */
  reason: z.string().optional(),
})

export const serverStatus = z
  .object({
    status: z.string(),
    version: z.string(),
    deploymentId: z.string(),
    apiVersion: z.string(),
    /** Seconds since the server started. */
    uptime: z.number(),
    /** Empty: kept for clients that expect it. */
    goVersion: z.string(),
    runtimeVersion: z.string(),
    os: z.string(),
    arch: z.string(),
    /** Null unless Bey is read-only. */
    readOnly: z.object({ reason: z.string(), since: timestamp }).nullable(),
  })
  .meta({ id: 'ServerStatus' })
export type ServerStatus = z.infer<typeof serverStatus>

export const versionInfo = z
  .object({
    version: z.string(),
    deploymentId: z.string(),
    gitCommit: z.string(),
    gitBranch: z.string(),
    buildTimestamp: timestamp,
    environment: z.string(),
    apiVersion: z.string(),
  })
  .meta({ id: 'VersionInfo' })
export type VersionInfo = z.infer<typeof versionInfo>

export const statusEndpoints = {
  'status.health': endpoint({
    method: 'GET',
    path: '/health',
    summary: 'Whether the server can do its work; 503 while its database is down or takes no changes',
    access: 'public',
    response: health,
    alsoAnswers: [503],
  }),
  'status.metrics': endpoint({
    method: 'GET',
    path: '/metrics',
    summary:
      'Figures of this process for Prometheus; needs the operator’s token, or the machine of the server',
    access: 'public',
    response: { mediaType: 'text/plain' },
    errors: ['forbidden'],
  }),
  'status.server': endpoint({
    method: 'GET',
    path: '/api/v1/status',
    summary: 'Version, deployment and uptime of the server',
    access: 'public',
    response: serverStatus,
  }),
  'status.version': endpoint({
    method: 'GET',
    path: '/version.json',
    summary: 'Version of the console that this server delivers',
    access: 'public',
    response: versionInfo,
  }),
  'status.openapi': endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document',
    access: 'public',
    response: { mediaType: 'application/json' },
  }),
  'status.docs': endpoint({
    method: 'GET',
    path: '/api/docs',
    summary: 'The API reference as a page',
    access: 'public',
    response: { mediaType: 'text/html' },
  }),
} as const
