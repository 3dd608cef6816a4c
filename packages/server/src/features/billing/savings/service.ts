import type { Handlers } from '../../../platform/http/handlers.ts'
import type { BillingParts } from '../parts.ts'
import { createSavingActs, type SavingActs } from './apply.ts'
import { readSavings } from './read.ts'

export function savingHandlers(
  parts: BillingParts,
  acts: SavingActs,
): Handlers<'savings.list' | 'savings.apply' | 'savings.undo'> {
  const { apply, undo } = createSavingActs(parts, acts)
  return {
    'savings.list': async ({ caller }) => {
      const { savings, ...list } = await readSavings(parts, caller)
      return { ...list, savings: savings.map(({ plan: _none, ...saving }) => saving) }
    },
    'savings.apply': ({ caller, body }) => apply(caller, body),
    'savings.undo': ({ caller, params: { id } }) => undo(caller, id),
  }
}
