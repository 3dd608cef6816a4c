import { expect, onTestFinished, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { testDatabaseUrl } from '../../../testing/database.ts'
import { databaseApi } from '../testing/database-api.ts'
import { cnpgApp } from './testing/cnpg-app.ts'

const databaseUrl = await testDatabaseUrl()
const { app, admin, ask, until, operator, clusterId, untilPhase } = await cnpgApp({ databaseUrl })

test('a drill goes on in the next process where the server stopped, and its Cluster is removed', async () => {
  const plugin = { name: 'barman-cloud.cloudnative-pg.io', isWALArchiver: true, parameters: {} }
  await operator.create('shop', 'orders', { plugins: [plugin] })
  await untilPhase('shop', 'orders', 'Cluster in healthy state')
  const made = await ask('POST', '/api/databases/adopt', { clusterId, namespace: 'shop', cluster: 'orders' })
  const { id } = await until(made.body.id, { status: 'available' })
  await ask('POST', `/api/databases/${id}/cluster-backups`)
  const phase = async () => (await ask('GET', `/api/databases/${id}/cluster-backups`)).body.backups[0]?.phase
  await vi.waitFor(async () => expect(await phase()).toBe('completed'), { timeout: 60_000, interval: 100 })
  operator.hold('orders-drill-1', 'Setting up primary')
  const { body: drill } = await ask('POST', `/api/databases/${id}/drill`)
  await vi.waitFor(() => operator.read('shop', 'orders-drill-1'), { timeout: 30_000, interval: 20 })
  await app.stop()
  expect((await operator.read('shop', 'orders-drill-1')).metadata?.deletionTimestamp).toBeUndefined()

  const other = await testApp({ databaseUrl, dataDir: app.dataDir })
  onTestFinished(() => other.stop())
  const next = databaseApi(other, admin)
  operator.letGo('orders-drill-1')
  await vi.waitFor(
    async () => {
      const { restores } = (await next.ask('GET', `/api/databases/${id}/restores?kind=drill`)).body
      expect(restores).toMatchObject([{ id: drill.id, proof: 'passed', failure: null }])
    },
    { timeout: 120_000, interval: 200 },
  )
  await expect(operator.read('shop', 'orders-drill-1')).rejects.toThrow('404')
}, 240_000)
