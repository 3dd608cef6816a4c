import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type App, createApp } from '../app.ts'
import type { AppOptions } from '../app-options.ts'
import { type Config, readConfig } from '../config.ts'
import { createLog } from '../platform/log.ts'
import { testDatabaseUrl } from './database.ts'
import { createGiven, testArgon2 } from './given.ts'

const plenty = { burst: 1_000_000, perSecond: 1_000 }

export type Reply = {
  status: number
  headers: Headers
  text: string
  /** Parsed where it is JSON, else undefined. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
  body: any
}

export type Ask = {
  token?: string
  organizationId?: number
  body?: unknown
  headers?: Record<string, string>
}

export type TestApp = App & {
  dataDir: string
  url: string
  given: ReturnType<typeof createGiven>
  /**
   * One request over a real socket. A `body` that is text is sent as it is.
   */
  ask: (method: string, path: string, options?: Ask) => Promise<Reply>
}

/** The whole server on a database and a port of its own, stopped after the last test of the calling file. */
export async function testApp(
  config: Partial<Config> = {},
  options: AppOptions & { log?: (line: string) => void } = {},
): Promise<TestApp> {
  const databaseUrl = config.databaseUrl ?? (await testDatabaseUrl())
  const dataDir = await mkdtemp(join(tmpdir(), 'bey-app-'))
  // Else the files of databases stand where their account can reach them, and stay when the directory is removed.
  await chmod(dataDir, 0o755)
  const log = createLog({
    level: options.log ? 'debug' : 'fatal',
    ...(options.log && { write: options.log }),
  })
  const app = await createApp(
    {
      ...readConfig({}),
      port: 0,
      tlsPort: 0,
      dataDir,
      databaseUrl,
      argon2: testArgon2,
      sandboxSpeed: 100,
      ...config,
    },
    log,
    {
      anonymousLimits: { refusalsPerAddress: plenty, refusalsInAll: plenty, upgradesPerAddress: plenty },
      rateLimits: { credentialsPerAddress: 10_000, requestsPerUser: 100_000, credentialsPerAccount: 10_000 },
      // The shared server is never away: a request that waits longer waits for the machine.
      ...(config.databaseUrl === undefined && { connectWithinMs: 60_000 }),
      ...options,
    },
  )
  afterAll(async () => {
    await app.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${app.port}`
  return { ...app, url, dataDir, given: createGiven(app.database), ask: (...args) => ask(url, ...args) }
}

async function ask(url: string, method: string, path: string, options: Ask = {}): Promise<Reply> {
  const { token, organizationId, body, headers } = options
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(organizationId !== undefined && { 'x-organization-id': String(organizationId) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
  }
}
