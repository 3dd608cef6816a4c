import { entities, type EntityType } from '../base/entity-table.ts'
import type { AsCodeRule } from '../base/entity.ts'

/** Bounds of what one plan takes. */
export const asCodeLimits = { documents: 500, problems: 1000, differences: 200 } as const

export const asCodeActions = ['create', 'update', 'label', 'delete', 'none'] as const
export type AsCodeAction = (typeof asCodeActions)[number]

/** A kind that files can describe. */
export type AsCodeKind = { kind: string; type: EntityType; rule: AsCodeRule }

/** Every kind that files can describe, from the descriptors; written as in the inventory: `api-key`. */
export const asCodeKinds: readonly AsCodeKind[] = Object.entries(entities).flatMap(([type, descriptor]) =>
  'asCode' in descriptor
    ? [
        {
          kind: type.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
          // The keys are those of the table.
          type: type as EntityType,
          rule: descriptor.asCode,
        },
      ]
    : [],
)
