import { z } from 'zod'
import { clusterCapacity } from './endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { idParams, numericId, numericIdText, timestamp } from '../base/schema.ts'
import { clusterStatuses } from '../base/statuses.ts'

/** What a sandbox takes of its machine, beside what it may take. */
const sandboxUsage = z
  .object({
    memoryBytes: z.number().int(),
    diskBytes: z.number().int(),
    /** Bytes of all objects as JSON. */
    storedBytes: z.number().int(),
    maxStoredBytes: z.number().int().nullable(),
    objects: z.number().int(),
    maxObjects: z.number().int().nullable(),
    uptimeSeconds: z.number().int(),
  })
  .meta({ id: 'SandboxUsage' })
export type SandboxUsage = z.infer<typeof sandboxUsage>

const sandbox = z
  .object({
    clusterId: numericId,
    title: z.string(),
    status: z.enum(clusterStatuses),
    /** Null while it does not run, or does not answer. */
    usage: sandboxUsage.nullable(),
    lastRestart: z.object({ at: timestamp, reason: z.string() }).nullable(),
  })
  .meta({ id: 'Sandbox' })
export type Sandbox = z.infer<typeof sandbox>

/** Something that can be broken on purpose. */
const fault = z
  .object({
    id: z.string(),
    title: z.string(),
    about: z.string(),
    /** Since when it is broken; null while it is not. */
    since: timestamp.nullable(),
  })
  .meta({ id: 'Fault' })
export type Fault = z.infer<typeof fault>

const faultParams = z.object({ id: numericIdText, faultId: z.string().min(1).max(63) })
const faultList = z.object({ faults: z.array(fault).max(100) })

export const sandboxEndpoints = {
  'sandboxes.list': endpoint({
    method: 'GET',
    path: '/api/kubernetes/sandboxes',
    summary:
      'What the sandboxes of this machine take together, and those of the organization (20 at most) one by one',
    access: 'sandboxes.read',
    response: z.object({
      machine: clusterCapacity.extend({
        /** Resident memory and disk of all sandboxes of this machine, of whatever organization. */
        usedMemoryBytes: z.number().int(),
        usedDiskBytes: z.number().int(),
        /** What the operator should mend, in words; null where all is well. */
        problem: z.string().nullable(),
      }),
      sandboxes: z.array(sandbox).max(20),
    }),
    errors: ['not_found'],
  }),
  'sandboxes.faults': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/faults',
    summary: 'What can be broken on purpose in a sandbox cluster, and what is',
    access: 'clusters.read',
    params: idParams,
    response: faultList,
    errors: ['not_found', 'conflict', 'cluster_unreachable'],
  }),
  'sandboxes.applyFault': endpoint({
    method: 'PUT',
    path: '/api/kubernetes/clusters/{id}/faults/{faultId}',
    summary: 'Break something in a sandbox cluster; asked twice, changes nothing more',
    access: 'sandboxes.break',
    params: faultParams,
    response: faultList,
    errors: ['not_found', 'conflict', 'cluster_unreachable'],
  }),
  'sandboxes.endFault': endpoint({
    method: 'DELETE',
    path: '/api/kubernetes/clusters/{id}/faults/{faultId}',
    summary: 'Mend what was broken on purpose; asked twice, changes nothing more',
    access: 'sandboxes.break',
    params: faultParams,
    response: faultList,
    errors: ['not_found', 'conflict', 'cluster_unreachable'],
  }),
} as const
