import { forbidden } from '../../status-error.ts'
import { priorityClasses, runtimeClasses, serviceAccounts, type Pod } from '../../types.ts'
import type { StrategyContext } from '../strategy.ts'

const podKind = { group: '', resource: 'pods', kind: 'Pod' }

export const builtInPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

/**
 * Throws 403 when a pod names a service account, priority class or runtime class that is not there. The account
 * `default` is taken on trust: it comes a moment after its namespace, and nobody should have to wait for it.
 */
export function checkReferences({ metadata, spec }: Pod, { store }: StrategyContext): void {
  const refuse = (text: string) => forbidden(podKind, metadata.generateName ?? metadata.name, text)
  const account = spec.serviceAccountName ?? 'default'
  const { namespace = '' } = metadata
  if (account !== 'default' && !store.get(serviceAccounts, namespace, account)) {
    throw refuse(
      `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`,
    )
  }
  const priority = spec.priorityClassName
  if (
    priority &&
    builtInPriorities[priority] === undefined &&
    !store.get(priorityClasses, undefined, priority)
  )
    throw refuse(`no PriorityClass with name ${priority} was found`)
  const runtime = spec.runtimeClassName
  if (runtime && !store.get(runtimeClasses, undefined, runtime))
    throw refuse(`pod rejected: RuntimeClass "${runtime}" not found`)
}
