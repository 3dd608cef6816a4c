import { noNamespace } from '@bey/contract'

/** An object within its cluster. */
export interface PeekAddress {
  resource: string
  /** Empty for what belongs to no namespace. */
  namespace: string
  name: string
}

/** An object as it stands in the address of a list: `deployments.apps/payments/checkout`. */
export function peekText({ resource, namespace, name }: PeekAddress): string {
  return `${resource}/${namespace || noNamespace}/${name}`
}
