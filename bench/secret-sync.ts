import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { report } from './figure.ts'
import { importCluster, clustersRun } from './imported-clusters.ts'
import { startOutsideSandbox } from './outside-sandbox.ts'
import { percentile } from './process-figures.ts'

const changes = 20

/** From sending a new value of a secret until the Secret in a cluster holds it. */
export async function measureSync(): Promise<void> {
  const sandbox = await startOutsideSandbox('synced', 1)
  const bey = await startBey()
  try {
    const session = await signUpByApi(bey.url, {
      name: 'Ada',
      email: 'ada@example.com',
      password: 'difference-engine-1!',
      organization: 'Analytical Engines',
    })
    const clusterId = await importCluster(session, sandbox, 'synced')
    await clustersRun(session, 1)
    const { client } = session
    const { id } = await client.call('secrets.create', { body: { name: 'synced', value: 'value-0' } })
    await client.call('secretSyncs.create', {
      params: { id },
      body: { clusterId, namespace: 'default', name: 'synced', restarts: false },
    })
    const times: number[] = []
    for (let change = 0; change <= changes; change += 1) {
      const value = `value-${change}`
      const startedAt = performance.now()
      if (change > 0)
        await client.call('secrets.update', { params: { id }, body: { value, reason: 'Measured' } })
      while (!(await holds(value))) await new Promise((done) => setTimeout(done, 10))
      if (change > 0) times.push(performance.now() - startedAt)
    }
    report({
      name: 'new value → Secret in the cluster, p95',
      value: percentile(times, 0.95),
      unit: 'ms',
      goal: 2000,
      cause: 'copies are looked for once a second; then the cluster is asked, written and read again',
    })
  } finally {
    await bey.stop()
    removeData(bey)
    await sandbox.stop()
  }

  async function holds(value: string): Promise<boolean> {
    const encoded = Buffer.from(value).toString('base64')
    const found = await sandbox.send('GET', '/api/v1/namespaces/default/secrets/synced').catch(() => '')
    return found.includes(encoded)
  }
}
