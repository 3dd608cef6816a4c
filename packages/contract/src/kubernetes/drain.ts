import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { nodeName } from './node.ts'
import { idParams, uuid } from '../base/schema.ts'

export const drainChoices = z
  .strictObject({
    /** Also evict pods that no controller starts again. */
    force: z.boolean().default(false),
    /** Also evict pods with emptyDir volumes, whose data is lost. */
    deleteEmptyDirData: z.boolean().default(false),
    /** Make the node take pods again when the drain is cancelled. */
    uncordonOnCancel: z.boolean().default(true),
    /** How long disruption budgets and pods that end slowly may make it wait. */
    timeoutSeconds: z.number().int().min(10).max(86_400).default(600),
  })
  .meta({ id: 'DrainChoices' })
export type DrainChoices = z.infer<typeof drainChoices>

export const kubernetesDrainEndpoints = {
  'kubernetes.drainNode': endpoint({
    method: 'POST',
    path: '/api/kubernetes/clusters/{id}/nodes/{name}/drain',
    summary: 'Start the drain of a node as a run; asked twice, answers the run under way',
    access: 'kubernetes.delete',
    params: idParams.extend({ name: nodeName }),
    body: drainChoices,
    response: z.object({ workflowId: uuid, runId: uuid, status: z.string(), message: z.string() }),
    status: 202,
    errors: ['not_found', 'conflict', 'cluster_unreachable', 'cluster_forbidden', 'forbidden'],
    operation: { read: 'workflows.run' },
  }),
} as const
