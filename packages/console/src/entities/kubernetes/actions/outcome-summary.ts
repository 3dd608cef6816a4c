import { formatNumber } from '../../../lib/format.ts'
import type { Outcome } from './run-action.ts'

/** "5 done, 1 left as it is, 1 failed: ledger: …", with the reason of the first that failed. */
export function summaryOf(outcomes: readonly { name: string; outcome: Outcome }[]): string {
  const count = (state: Outcome['state']) => outcomes.filter(({ outcome }) => outcome.state === state).length
  const failed = outcomes.find(({ outcome }) => outcome.state === 'failed')
  const left = outcomes.find(({ outcome }) => outcome.state === 'out')
  const parts = [
    count('pending') > 0 ? `${formatNumber(count('pending'))} under way` : '',
    count('done') > 0 ? `${formatNumber(count('done'))} done` : '',
    left ? `${formatNumber(count('out'))} left as ${count('out') === 1 ? 'it is' : 'they are'}` : '',
    failed ? `${formatNumber(count('failed'))} failed` : '',
  ].filter(Boolean)
  const example = failed ?? left
  return parts.join(', ') + (example ? `: ${example.name}: ${example.outcome.text}` : '')
}
