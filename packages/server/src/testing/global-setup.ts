import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import type { TestProject } from 'vitest/node'

import { startEmbedded } from '../platform/db/embedded/supervisor.ts'
import { migrate } from '../platform/db/migrate.ts'
import { ensureAppRole } from '../platform/db/roles.ts'
import { createLog } from '../platform/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Owner's address of the run's server; its database `bey` is a migrated template. */
    testServerUrl: string
  }
}

/** One PostgreSQL for the whole test run, with a migrated database that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bey-test-'))
  const log = createLog({ level: 'fatal' })
  const server = await startEmbedded({ dataDir, isDurable: false }, log)
  await ensureAppRole(server.url)
  await migrate(server.url, log)
  project.provide('testServerUrl', server.url)
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Runs statements on the run's server, outside the template (which must have no connections to be cloned). */
export async function onTestServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(serverUrl, 'postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
