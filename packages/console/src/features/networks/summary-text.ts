import type { NetworksSummary } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'

/** What all networks of the organization have to say together: who is in trouble first. */
export function summaryText({ total, attention, underWay, first }: NetworksSummary): string {
  if (total === 0) return 'No network yet'
  const rest = total - attention - underWay
  const changing = underWay === 0 ? [] : [`${underWay === 1 ? 'one is' : `${underWay} are`} being changed`]
  if (attention === 0) {
    const kept = underWay === 0 ? ['each as defined'] : rest === 0 ? [] : [`${rest} as defined`]
    return [formatCount(total, 'network'), ...kept, ...changing].join(', ')
  }
  const kept = rest === 0 ? [] : [`${rest === 1 ? 'one is' : `${rest} are`} as defined`]
  const others = [...kept, ...changing].join(', ')
  const more =
    attention === 1
      ? []
      : [`${attention - 1} more ${attention === 2 ? 'network needs' : 'networks need'} attention.`]
  const trouble =
    first === null
      ? `${attention} of ${formatCount(total, 'network')} need attention.`
      : [`${first.name}: ${first.reason ?? 'needs attention.'}`, ...more].join(' ')
  return others === '' ? trouble : `${trouble} Of the others ${others}.`
}
