/** What runs a database. A server says itself whether it is MySQL or MariaDB, Redis or Valkey. */
export const databaseEngines = ['postgres', 'mysql', 'mariadb', 'redis', 'valkey'] as const
export type DatabaseEngine = (typeof databaseEngines)[number]

/** Engines that speak the same protocol. */
export type EngineFamily = 'postgres' | 'mysql' | 'redis'

type EngineFacts = { label: string; family: EngineFamily; defaultPort: number }

const facts: Readonly<Record<DatabaseEngine, EngineFacts>> = {
  postgres: { label: 'PostgreSQL', family: 'postgres', defaultPort: 5432 },
  mysql: { label: 'MySQL', family: 'mysql', defaultPort: 3306 },
  mariadb: { label: 'MariaDB', family: 'mysql', defaultPort: 3306 },
  redis: { label: 'Redis', family: 'redis', defaultPort: 6379 },
  valkey: { label: 'Valkey', family: 'redis', defaultPort: 6379 },
}

export const engineLabel = (engine: DatabaseEngine): string => facts[engine].label
export const engineFamily = (engine: DatabaseEngine): EngineFamily => facts[engine].family
export const defaultPort = (engine: DatabaseEngine): number => facts[engine].defaultPort

/** Beginnings of connection strings, and the engine that each names. */
const connectionSchemes: Readonly<Record<string, DatabaseEngine>> = {
  postgresql: 'postgres',
  postgres: 'postgres',
  mysql: 'mysql',
  mariadb: 'mariadb',
  redis: 'redis',
  rediss: 'redis',
  valkey: 'valkey',
  valkeys: 'valkey',
}

/** The engine that a connection string names; undefined for a beginning that is none of these. */
export function engineOfUri(uri: string): DatabaseEngine | undefined {
  const scheme = /^([a-z]+):\/\//.exec(uri.trim())?.[1]
  return scheme !== undefined && Object.hasOwn(connectionSchemes, scheme)
    ? connectionSchemes[scheme]
    : undefined
}

/** Why a part of the product that is made for PostgreSQL is not there for a database; undefined for PostgreSQL. */
export function engineRefusal({ engine }: { engine: DatabaseEngine }): string | undefined {
  return engine === 'postgres'
    ? undefined
    : `It is a ${engineLabel(engine)} database, and this is for PostgreSQL.`
}

/** The oldest servers of other engines that Bey looks after. */
export const oldestEngines = { mysql: '5.7', mariadb: '10.5', redis: '6.0', valkey: '7.2' } as const
