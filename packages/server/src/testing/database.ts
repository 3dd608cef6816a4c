import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'

import { afterAll, inject, vi } from 'vitest'

import { type Database, type DatabaseConfig, openDatabase } from '../platform/db/database.ts'
import { createLog } from '../platform/log.ts'
import { onTestServer, withDatabase } from './global-setup.ts'

/**
 * A migrated database of its own for the calling test file, dropped after its last test. Call it at the top
 * of the file: `const database = await testDatabase()`. `database.url` opens it a second time.
 */
export async function testDatabase(config: Partial<DatabaseConfig> = {}): Promise<Database> {
  const url = await testDatabaseUrl()
  const database = await openDatabase(
    { dataDir: tmpdir(), connectWithinMs: 60_000, ...config, url },
    createLog({ level: 'fatal' }),
  )
  afterAll(() => database.close())
  return database
}

/** The same without opening it. */
export async function testDatabaseUrl(): Promise<string> {
  const serverUrl = inject('testServerUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onTestServer(serverUrl, `create database ${name} template bey strategy file_copy`)
  // Registered before the database is opened: hooks after all run in reverse order.
  afterAll(() => dropDatabase(serverUrl, name))
  return withDatabase(serverUrl, name)
}

/** Autovacuum runs as a superuser, which the owner may not disconnect: wait, it ends soon. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await vi.waitFor(() => onTestServer(serverUrl, `drop database if exists ${name} with (force)`), {
    timeout: 60_000,
    interval: 250,
  })
}
