import { z } from 'zod'

import { alwaysGuaranteed } from '../guarantee.ts'
import type { StepParts } from '../ports.ts'
import type { ActionStepType } from '../step-type.ts'
import { databaseField, waitForProof } from '../wait-for-proof.ts'

const config = z.strictObject({ database: databaseField })

export function databaseBackup(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'database.backup',
    label: 'Back up database',
    group: 'Data',
    icon: 'camera',
    description: 'Makes a base backup of a database that Bey runs, and waits until it can be restored.',
    guaranteeNote: 'A repetition waits for the backup that was begun before.',
    config,
    example: { database: 'orders' },
    output: {
      type: 'object',
      properties: {
        backup: { type: 'string' },
        consistent_at: { type: 'string', description: 'The moment as of which it is.' },
        stored_bytes: { type: 'integer' },
        run: { type: 'string' },
      },
    },
    permission: 'databases.backup',
    test: 'real_only',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    execute: (context, { database }) => waitForProof(parts, context, 'backup', database, 'databases.backup'),
  }
}
