// `npm run seed`: fills a running server (BEY_URL, else http://localhost:8080) with a believable organization. A past is
// written into its database: DATABASE_URL, else the one in BEY_DATA_DIR or ./data.
import { join } from 'node:path'
import { logInByApi, signUpByApi } from './api-session.ts'
import { embeddedDatabaseUrl, seedMetrics } from './seed-metrics.ts'
import { seedOrganization } from './seed-organization.ts'
import { seedUsage } from './seed-usage.ts'
import { root } from './source-files.ts'

const baseUrl = process.env['BEY_URL'] ?? 'http://localhost:8080'
const person = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'difference-engine-1!',
  organization: 'Analytical Engines',
}

const session = await signUpByApi(baseUrl, person).catch(() => logInByApi(baseUrl, person))
await seedOrganization(session)
const dataDir = process.env['BEY_DATA_DIR'] ?? join(root, 'data')
const { clusters } = await session.client.call('clusters.list', { query: { status: 'RUNNING', limit: 200 } })
const databaseUrl = process.env['DATABASE_URL'] ?? embeddedDatabaseUrl(dataDir)
const sandboxes = clusters.filter(({ provider }) => provider === 'sandbox')
await seedMetrics(
  session,
  databaseUrl,
  sandboxes.map(({ id }) => id),
)
await seedUsage(session, databaseUrl, sandboxes)
console.log(`${person.organization} at ${baseUrl}: log in as ${person.email} with ${person.password}`)
