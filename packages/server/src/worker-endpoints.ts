import type { EndpointName } from '@bey/contract'

/** What a process that only executes runs serves. */
export const workerEndpoints = ['status.health', 'status.metrics'] as const satisfies EndpointName[]

/** The entries of these names. */
export function only<T extends object, K extends keyof T>(all: T, names: readonly K[]): Pick<T, K> {
  // The entries are those of the names.
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Pick<T, K>
}
