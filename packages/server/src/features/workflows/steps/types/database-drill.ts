import { z } from 'zod'

import { alwaysGuaranteed } from '../guarantee.ts'
import type { StepParts } from '../ports.ts'
import type { ActionStepType } from '../step-type.ts'
import { databaseField, waitForProof } from '../wait-for-proof.ts'

const config = z.strictObject({ database: databaseField })

export function databaseDrill(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'database.drill',
    label: 'Prove database restorable',
    group: 'Data',
    icon: 'shield-check',
    description:
      'Restores a random second of the last day, on a cluster the newest backup, into a server that is removed again, asks the checks of the database, and fails unless all passed.',
    guaranteeNote: 'A repetition waits for the drill that was begun before.',
    config,
    example: { database: 'orders' },
    output: {
      type: 'object',
      properties: {
        drill: { type: 'string' },
        moment: { type: 'string', description: 'The moment that was restored.' },
        recovery_ms: { type: 'integer', description: 'Until the copy took questions.' },
        lost_ms: { type: 'integer', description: 'What would have been lost with the machine.' },
        run: { type: 'string' },
      },
    },
    permission: 'databases.restore',
    test: 'real_only',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    execute: (context, { database }) => waitForProof(parts, context, 'drill', database, 'databases.restore'),
  }
}
