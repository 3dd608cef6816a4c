import type { SecretUse } from '@bey/contract'
import { formatCount, formatNumber } from '../../lib/format.ts'

/**
 * "2 clusters follow, 6 pods restart, nothing breaks.": what a rotation does to what uses the secret. `isRun`: a run
 * restarts every workload that has a copy; without it those alone restart that do so by themselves.
 */
export function rotationText(uses: readonly SecretUse[], isRun: boolean): string {
  if (uses.length === 0) return 'Nothing is known to use it.'
  const pods = restartedPods(uses, isRun)
  const breaking = uses.filter((use) => effectOf(use, isRun) === 'breaks').length
  const others = uses.filter((use) => use.type !== 'workload' && effectOf(use, isRun) !== 'breaks')
  const clusters = new Set(others.filter(({ type }) => type === 'cluster').map(({ id }) => id)).size
  const rest = others.filter(({ type }) => type !== 'cluster').length
  const follow = (count: number, one: string) =>
    `${formatCount(count, one)} ${count === 1 ? 'follows' : 'follow'}`
  const parts = [
    ...(clusters > 0 ? [follow(clusters, 'cluster')] : []),
    ...(rest > 0 ? [follow(rest, clusters > 0 ? 'other' : 'thing')] : []),
    ...(pods > 0 ? [`${formatCount(pods, 'pod')} ${pods === 1 ? 'restarts' : 'restart'}`] : []),
    breaking === 0 ? 'nothing breaks' : breaking === 1 ? '1 breaks' : `${formatNumber(breaking)} break`,
  ]
  const text = parts.join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** How many pods restart. */
export function restartedPods(uses: readonly SecretUse[], isRun: boolean): number {
  return uses
    .filter((use) => use.type === 'workload' && effectOf(use, isRun) === 'restarts')
    .reduce((sum, { pods }) => sum + (pods ?? 0), 0)
}

/** A workload breaks for its copy is not written, or for it keeps the old value until somebody restarts it: a run does. */
export function effectOf(use: SecretUse, isRun: boolean): SecretUse['onRotation'] {
  return isRun && use.type === 'workload' && !use.isStuck ? 'restarts' : use.onRotation
}
