import type { Network } from '../../data/networks.ts'
import { formatCount } from '../../lib/format.ts'

/** What the networks of a list have to say together: who is in trouble first. */
export function summaryText(networks: readonly Network[], total: number): string {
  if (total === 0) return 'No network yet'
  const troubled = networks.filter(({ health }) => health.state === 'failing' || health.state === 'degraded')
  const [first] = troubled
  if (first === undefined) return `${formatCount(total, 'network')}, each as it is held here`
  const rest = total - troubled.length
  const others = rest === 0 ? '' : ` The other ${rest === 1 ? 'one is' : `${rest} are`} as held here.`
  return troubled.length === 1
    ? `${first.name}: ${first.reason ?? 'needs attention.'}${others}`
    : `${troubled.length} of ${formatCount(total, 'network')} need attention.${others}`
}
