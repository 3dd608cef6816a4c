import { AsyncLocalStorage } from 'node:async_hooks'

/** The tester behind an impersonated session; without an id where the tester was not logged in. */
export type Impersonator = { id: number | null; name: string; email: string | null }

const current = new AsyncLocalStorage<Impersonator>()

/** Runs something in the name of an impersonated user: its audit entries and replies then name the impersonator too. */
export function onBehalfOf<T>(impersonator: Impersonator | undefined, work: () => T): T {
  return impersonator === undefined ? work() : current.run(impersonator, work)
}

/** Who acts under the identity of the present request's user; undefined: the user. */
export function currentImpersonator(): Impersonator | undefined {
  return current.getStore()
}
