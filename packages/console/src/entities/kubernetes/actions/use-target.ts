import { noNamespace } from '@bey/contract'
import { useObject } from '../../../data/kubernetes.ts'
import { errorText } from '../../../lib/error-text.ts'
import type { ActionTarget } from './action.ts'
import { asActionObject } from './action-object.ts'
import type { ActionAddress } from './run-action.ts'

/** The object that a dialog acts on, as it is now. */
export function useTarget(address: ActionAddress): {
  target: ActionTarget | undefined
  failure: string | undefined
} {
  const { clusterId: id, resource, namespace, name } = address
  const { data, error } = useObject({ id, resource, namespace: namespace || noNamespace, name })
  const failure = error && !data ? errorText('It could not be read', error) : undefined
  return {
    target: data && { ...address, resource: data.resource, object: asActionObject(data.object) },
    failure: failure && [failure.title, failure.detail].filter(Boolean).join(': '),
  }
}
