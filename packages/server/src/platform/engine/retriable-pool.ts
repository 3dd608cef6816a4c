import type pg from 'pg'

import { isLost } from '../db/failure.ts'

/**
 * The same pool for DBOS, which retries only the lost connections that it knows. It does not know EPIPE, nor the missing
 * socket of a server that starts again, and would record as failed a run whose end it cannot write at that moment. So every
 * rejection that is a lost connection carries a code that DBOS retries, and its cause.
 */
export function retriablePool(pool: pg.Pool): pg.Pool {
  return behind(pool, {
    query: withRetriableErrors(pool.query.bind(pool)),
    connect: async () => {
      const client = await withRetriableErrors(() => pool.connect())()
      return behind(client, { query: withRetriableErrors(client.query.bind(client)) })
    },
  })
}

/** The target with other methods; the rest acts on the target itself, which is an event emitter. */
function behind<T extends object>(target: T, methods: Record<string, unknown>): T {
  return new Proxy(target, {
    get(_target, name) {
      if (typeof name === 'string' && Object.hasOwn(methods, name)) return methods[name]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

// The overloads of pg are more than the promises that DBOS uses.
function withRetriableErrors(method: unknown): (...args: unknown[]) => Promise<pg.PoolClient> {
  const call = method as (...args: unknown[]) => Promise<pg.PoolClient>
  return async (...args) => {
    try {
      return await call(...args)
    } catch (error) {
      throw retriable(error)
    }
  }
}

function retriable(error: unknown): unknown {
  if (!isLost(error)) return error
  return Object.assign(new Error('The connection to the database was lost', { cause: error }), {
    code: 'ECONNRESET',
  })
}
