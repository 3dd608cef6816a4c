import pg from 'pg'
import { expect, vi } from 'vitest'

import type { TestApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'

type Endpoint = { host: string; port: number; database: string; username: string }

/** What tests of databases ask again and again, as one member. */
export function databaseApi(app: TestApp, user: GivenUser) {
  const { token, organizationId } = user
  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    app.ask(method, path, { token, organizationId, headers, ...(body && { body }) })

  /** The database once this holds for it. */
  const until = (id: string, expected: object) =>
    vi.waitFor(
      async () => {
        const { body } = await ask('GET', `/api/databases/${id}`)
        expect(body, body.reason ?? undefined).toMatchObject(expected)
        return body
      },
      { timeout: 90_000, interval: 100 },
    )

  const passwordOf = async (secretId: string): Promise<string> => {
    const { body, text } = await ask('POST', `/api/secrets/${secretId}/reveal`, { reason: 'Test' })
    expect(body.value, text).toBeTypeOf('string')
    return body.value
  }

  return {
    ask,
    until,
    passwordOf,
    /** A database on this machine that takes queries. */
    async embedded(name: string) {
      const made = await ask('POST', '/api/databases', { provider: 'embedded', name })
      expect(made.status, made.text).toBe(201)
      const ready = await until(made.body.id, { status: 'available' })
      return { ...ready, password: await passwordOf(ready.credential.id) }
    },
    /** Looks at every database at once instead of within 15 s. */
    lookNow: () =>
      app.database.ownerPool.query('update databases set check_at = now() where organization_id = $1', [
        organizationId,
      ]),
  }
}

/** Asks a database as one of its own clients: over TLS where it is not on the machine itself, without a look at the certificate. */
export async function query(endpoint: Endpoint, password: string, text: string) {
  const { host, port, database, username: user } = endpoint
  const ssl = host === '127.0.0.1' ? false : { rejectUnauthorized: false }
  const client = new pg.Client({ host, port, database, user, password, ssl })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
