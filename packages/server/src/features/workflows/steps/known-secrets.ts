import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { createMask, type Mask, maxMaskedChars, TooMuchToMask } from '../../../platform/masking/mask.ts'

/** Values of secrets, and what takes them out of a text. */
export type KnownSecrets = { values: ReadonlySet<string>; mask: Mask }

export const noSecrets: KnownSecrets = { values: new Set(), mask: (text) => text }

/** The known values and these. Throws StepFailure where they are more than can be masked. */
export function knownWith(known: KnownSecrets, more: readonly string[]): KnownSecrets {
  // Most steps resolve what their workflow names: its mask is made once.
  if (more.every((value) => known.values.has(value))) return known
  const values = new Set([...known.values, ...more])
  try {
    return { values, mask: createMask(values) }
  } catch (error) {
    if (!(error instanceof TooMuchToMask)) throw error
    throw new StepFailure(
      `The secrets of this workflow have more than ${maxMaskedChars / 1_024} KB together, too much to be taken out of logs and outputs. Name the fields that it needs, as in {{ secrets.gcp.private_key }}.`,
      { cause: error },
    )
  }
}
