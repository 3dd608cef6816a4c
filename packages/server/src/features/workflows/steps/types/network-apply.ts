import { z } from 'zod'

import { alwaysGuaranteed } from '../guarantee.ts'
import { networkField } from '../network-field.ts'
import type { StepParts } from '../ports.ts'
import { actorOf } from '../run-actor.ts'
import type { ActionStepType } from '../step-type.ts'

const pollMs = 500

const config = z.strictObject({
  network: networkField,
  group: z.string().min(1).max(40).optional().meta({
    title: 'Security group',
    description:
      'Name of a security group of the network: the step then answers for its policies alone, and a cluster where it has none may be away.',
  }),
})

export function networkApply(parts: Pick<StepParts, 'database' | 'networks'>): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'network.apply',
    label: 'Apply network',
    group: 'Bey',
    icon: 'network',
    description:
      'Puts the policies of a network and its security groups into its clusters as they are held in Bey, and waits until they are read back.',
    guaranteeNote: 'A repetition waits for the run that was begun before.',
    config,
    example: { network: 'prod-eu' },
    output: {
      type: 'object',
      properties: {
        changes: {
          type: 'array',
          description: 'Policies that were not as they are held: the first 200.',
          items: {
            type: 'object',
            properties: {
              action: { type: 'string', enum: ['created', 'changed', 'deleted'] },
              cluster: { type: 'string' },
              namespace: { type: 'string' },
              name: { type: 'string' },
            },
          },
        },
        changed_count: {
          type: ['integer', 'null'],
          description: 'Of all of them; null where the run failed in another place than the group.',
        },
        run: { type: 'string' },
      },
    },
    permission: 'networks.update',
    test: 'real_only',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    async execute(context, { network, group }) {
      const { run, idempotencyKey } = context
      const actor = await actorOf(parts.database, run, 'networks.update')
      let waitedFor: string | undefined
      for (;;) {
        const begun = await parts.networks.apply(idempotencyKey, { network, group }, actor)
        if ('runId' in begun) {
          context.log(`Waiting for the run ${begun.runId}.`)
          return waitForEnd(begun.runId)
        }
        if (begun.busy !== waitedFor) context.log(begun.busy)
        waitedFor = begun.busy
        await context.sleep(pollMs)
      }

      async function waitForEnd(runId: string) {
        for (;;) {
          const outcome = await parts.networks.applied(run.organizationId, runId, group)
          if (outcome !== undefined) return { ...outcome, run: runId }
          await context.sleep(pollMs)
        }
      }
    },
  }
}
