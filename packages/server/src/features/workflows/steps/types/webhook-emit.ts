import { isCustomEvent } from '@bey/contract'
import { z } from 'zod'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { enqueueOnce, messageOf } from '../../../../platform/webhooks/enqueue.ts'
import { uuidv7 } from '../../../../platform/crypto/uuid.ts'
import { uuidOfKey } from '../key-uuid.ts'
import type { StepParts } from '../ports.ts'
import type { ActionStepType } from '../step-type.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

/** Of the whole message as JSON. */
const maxBytes = 65_536

const config = z.strictObject({
  event: z
    .string()
    .max(200)
    .refine(
      isCustomEvent,
      'Name it like custom.deployment.finished: custom, then lower-case words after dots.',
    )
    .meta({
      title: 'Event',
      description:
        'Begins with custom., such as custom.deployment.finished. Webhooks ask for it by this name.',
    }),
  values: z.record(z.string().min(1).max(100), z.unknown()).default({}).meta({
    title: 'Values',
    description: 'What the message says, by name.',
    'x-widget': 'values',
  }),
})

export function webhookEmit({ database }: Pick<StepParts, 'database'>): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'webhook.emit',
    label: 'Emit an event',
    group: 'People',
    icon: 'webhook',
    description: 'Sends an event of your own to the webhooks of the organization that ask for it.',
    guaranteeNote:
      'The message is queued once; each webhook then gets it at least once, always with the same webhook-id.',
    config,
    example: { event: 'custom.deployment.finished', values: { image: '{{ inputs.image }}' } },
    output: {
      type: 'object',
      properties: { event_id: { type: 'string' }, webhooks: { type: 'integer' } },
    },
    refusesSecrets: true,
    test: 'real_only',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    async execute({ run, idempotencyKey, log }, { event, values }) {
      const { organizationId } = run
      const data = { workflowId: run.workflowId, runId: run.id, values }
      const message = messageOf(organizationId, event, data)
      if (Buffer.byteLength(message.payload) > maxBytes) {
        throw new StepFailure(`The message is larger than ${maxBytes / 1024} KB. Send less, or a link to it.`)
      }
      // The time of now, so that the logs of webhooks stay in order; the rest tells a repetition.
      const eventId = uuidv7().slice(0, 19) + uuidOfKey(idempotencyKey).slice(19)
      const webhooks = await database.withTenant(organizationId, (db) =>
        enqueueOnce(db, { ...message, eventId }, run.queuedAt),
      )
      log(
        webhooks === 0
          ? `No webhook asks for ${event}, or it was sent before.`
          : `Queued ${event} for ${webhooks} ${webhooks === 1 ? 'webhook' : 'webhooks'}.`,
      )
      return { event_id: eventId, webhooks }
    },
  }
}
