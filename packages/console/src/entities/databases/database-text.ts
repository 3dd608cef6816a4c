import { type DatabasePlanId, engineFamily, engineLabel } from '@bey/contract'
import type { Database } from '../../data/databases.ts'

export const databaseHref = (id: string, tab?: string) =>
  tab === undefined ? `/databases/${id}` : `/databases/${id}?tab=${tab}`

/** Where a database is restored, to a moment, a backup, or one of its tables. */
export function restoreHref(
  id: string,
  chosen: { at?: string; backup?: string; table?: string } = {},
): string {
  const search = new URLSearchParams(chosen).toString()
  return `/databases/${id}/restore${search === '' ? '' : `?${search}`}`
}

/** "PostgreSQL 18.4"; without its version until that is known. */
export function engineText({ engine, version }: Pick<Database, 'engine' | 'version'>): string {
  return version === null ? engineLabel(engine) : `${engineLabel(engine)} ${version}`
}

/** What its size is: Redis and Valkey keep their data in memory. */
export const sizeLabel = ({ engine }: Pick<Database, 'engine'>) =>
  engineFamily(engine) === 'redis' ? 'Memory' : 'Size'

/** What a server is asked a second: transactions of PostgreSQL, statements or commands of others; null while not known. */
export function ratePerSecond({ figures }: Pick<Database, 'figures'>): number | null {
  return figures?.transactionsPerSecond ?? figures?.statementsPerSecond ?? null
}

export const rateLabel = ({ engine }: Pick<Database, 'engine'>) =>
  ({ postgres: 'Transactions', mysql: 'Statements', redis: 'Commands' })[engineFamily(engine)]

/** Where its server runs. */
export function placeText({
  provider,
  endpoint,
  cluster,
}: Pick<Database, 'provider' | 'endpoint' | 'cluster'>): string {
  if (provider === 'embedded') return 'this machine'
  if (cluster !== null) return `${cluster.title ?? 'a removed cluster'} / ${cluster.namespace}`
  return endpoint === null ? 'external' : endpoint.host
}

export const planLabels: Readonly<Record<DatabasePlanId, string>> = {
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
}

/** Bey does not run its server. */
export const isExternal = ({ provider }: Pick<Database, 'provider'>) => provider === 'external'

/** Its server was there before, and stays as it is when it is no longer managed here. */
export const isLetGo = ({ provider, cluster }: Pick<Database, 'provider' | 'cluster'>) =>
  provider === 'external' || cluster?.isAdopted === true
