import type { Handlers } from '../../../platform/http/handlers.ts'
import type { BillingParts } from '../parts.ts'
import { readSavings } from './read.ts'

export function savingHandlers({ database, clock, metrics }: BillingParts): Handlers<'savings.list'> {
  return {
    'savings.list': ({ caller }) => readSavings({ database, clock, metrics }, caller),
  }
}
