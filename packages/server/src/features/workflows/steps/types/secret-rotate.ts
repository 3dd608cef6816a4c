import { isValidSecretName } from '@bey/contract'
import { z } from 'zod'

import { AppError } from '../../../../platform/errors.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { StepParts } from '../ports.ts'
import { actorOf } from '../run-actor.ts'
import type { ActionStepType } from '../step-type.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject({
  secret: z
    .string()
    .refine(isValidSecretName, 'Not the name of a secret.')
    .meta({ title: 'Secret', description: 'Its name.', 'x-widget': 'secret-name' }),
  overlap_hours: z.number().int().min(0).max(720).optional().meta({
    title: 'Overlap (hours)',
    description: 'For how long the version before stays live; without an end unless given.',
  }),
})

export function secretRotate(
  parts: Pick<StepParts, 'database' | 'rotateSecret'>,
): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'secret.rotate',
    label: 'Rotate secret',
    group: 'Bey',
    icon: 'refresh-ccw-dot',
    description: 'Stores a new value that the server makes; the version before stays as an older one.',
    guaranteeNote: 'A repetition finds the version that the step made.',
    config,
    example: { secret: 'api-token', overlap_hours: 24 },
    output: { type: 'object', properties: { version: { type: 'integer' } } },
    permission: 'secrets.update',
    test: 'real_only',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    async execute({ run, idempotencyKey, log }, given) {
      const actor = await actorOf(parts.database, run, 'secrets.update')
      try {
        const { version } = await parts.rotateSecret({
          organizationId: run.organizationId,
          actor,
          name: given.secret,
          reason: `Rotated by a workflow (${idempotencyKey})`,
          overlapHours: given.overlap_hours ?? null,
        })
        log(`"${given.secret}" has version ${version} now.`)
        return { version }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        throw new StepFailure(error.message, { cause: error })
      }
    },
  }
}
