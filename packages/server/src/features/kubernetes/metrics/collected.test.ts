import { clusterMetrics } from '@bey/contract'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../../testing/app.ts'

const { ask, given } = await testApp()
const owner = await given.user()
const { token, organizationId } = owner
const call = (method: string, path: string, body?: object) =>
  ask(method, path, { token, organizationId, ...(body && { body }) })

async function sandbox() {
  const body = { title: 'measured', provider: 'sandbox' }
  const { body: cluster } = await call('POST', '/api/kubernetes/clusters', body)
  const path = `/api/kubernetes/clusters/${cluster.id}`
  await vi.waitFor(async () => expect((await call('GET', path)).body.status).toBe('RUNNING'), {
    timeout: 60_000,
    interval: 100,
  })
  return { id: cluster.id as number, path }
}

test(
  'a sandbox that nobody looks at is measured, down to its workloads and pods',
  { timeout: 120_000 },
  async () => {
    const { id, path } = await sandbox()
    const labels = { app: 'web' }
    const made = await call('POST', `${path}/proxy/apis/apps/v1/namespaces/default/deployments`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '100m' } } }],
          },
        },
      },
    })
    expect(made.status).toBe(201)
    const last = async (metric: string, of = '') => {
      const query = `ids=${id}&metrics=${metric}&range=600${of && `&labels=${of}`}`
      const { body } = await call('GET', `/api/metrics/cluster?${query}`)
      return body.series[0]?.averages.findLast((value: number | null) => value !== null) as number | undefined
    }
    const { cpuUsed, cpuRequested, cpuAllocatable, podsByPhase, podsNotReady, restarts } = clusterMetrics
    const web = 'namespace=default,kind=Deployment,workload=web'
    await vi.waitFor(async () => expect(await last(cpuUsed, web)).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 250,
    })
    expect(await last(cpuRequested, web)).toBe(200)
    expect(await last(cpuUsed)).toBeLessThan((await last(cpuAllocatable)) ?? 0)
    expect(await last(podsByPhase, 'phase=Running')).toBeGreaterThanOrEqual(2)
    await vi.waitFor(async () => expect(await last(restarts)).toBe(0), { timeout: 60_000, interval: 250 })
    expect(await last(podsNotReady)).toBeGreaterThanOrEqual(0)
    const pods = await call('GET', `${path}/pods?search=web-`)
    expect(await last(cpuUsed, `namespace=default,pod=${pods.body.pods[0].name}`)).toBeGreaterThan(0)
    const nodes = await call('GET', `${path}/nodes`)
    expect(await last(cpuUsed, `node=${nodes.body.nodes[0].name}`)).toBeGreaterThan(0)
  },
)
