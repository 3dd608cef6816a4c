import type { NodeDetail } from '@bey/contract'
import { healthStates } from '@bey/contract'
import { formatCount, formatNumber } from '../../lib/format.ts'

/** "Ready, 18% CPU; 7 pods, 1 failing": how a node is, how much of it is used, and how its pods are. */
export function nodeSentence({ node, podHealth }: Pick<NodeDetail, 'node' | 'podHealth'>): string {
  const [word = ''] = node.status.split(',')
  const state = [
    statusWords[word] ?? word,
    ...(node.isSchedulable ? [] : ['cordoned']),
    ...used('CPU', node.cpu),
    ...used('memory', node.memory),
  ].join(', ')
  const trouble = healthStates
    .filter((each) => each !== 'healthy' && podHealth[each] > 0)
    .map((each) => `${formatNumber(podHealth[each])} ${each}`)
  const pods = node.podCount === 0 ? 'no pods' : formatCount(node.podCount, 'pod')
  return `${state}; ${[pods, ...trouble].join(', ')}`
}

const statusWords: Readonly<Record<string, string>> = {
  Ready: 'Ready',
  NotReady: 'Not ready',
  Unknown: 'Not reporting',
}

/** Nothing where it is not measured. */
function used(
  label: string,
  { used: amount, allocatable }: { used: number | null; allocatable: number },
): string[] {
  if (amount === null || allocatable === 0) return []
  return [`${Math.round((amount / allocatable) * 100)}% ${label}`]
}
