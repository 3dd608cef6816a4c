import type { BeySession } from '../tools/api-session.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { report } from './figure.ts'
import { clustersRun, importCluster, until } from './imported-clusters.ts'
import { type OutsideSandbox, startOutsideSandbox } from './outside-sandbox.ts'
import { median, percentile } from './process-figures.ts'

const changes = 15
const workloads = 500
const policyPath = '/apis/networking.k8s.io/v1/namespaces/shop/networkpolicies/bey-measured-web'

type Policy = { spec: { ingress?: { ports?: { port: number }[] }[] } }

/** From a change of a rule until the cluster enforces it, from an edit past Bey until it is seen, and the map of 500 workloads. */
export async function run(): Promise<void> {
  const sandbox = await startOutsideSandbox('networked', 6)
  const bey = await startBey()
  try {
    const session = await signUpByApi(bey.url, {
      name: 'Ada',
      email: 'ada@example.com',
      password: 'difference-engine-1!',
      organization: 'Analytical Engines',
    })
    const clusterId = await importCluster(session, sandbox, 'networked')
    await clustersRun(session, 1)
    await measureChanges(session, sandbox, clusterId)
    await measureMap(session, sandbox, clusterId)
  } finally {
    await bey.stop()
    removeData(bey)
    await sandbox.stop()
  }
}

async function measureChanges(
  { client }: BeySession,
  sandbox: OutsideSandbox,
  clusterId: number,
): Promise<void> {
  await sandbox.send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
  const { id } = await client.call('networks.create', {
    body: {
      name: 'measured',
      cidr: '10.42.0.0/16',
      attachments: [{ kind: 'namespace', clusterId, namespace: 'shop' }],
    },
  })
  const network = () => client.call('networks.get', { params: { id } })
  await until('the network is active', async () => (await network()).status === 'active')
  const rules = (port: number) => [
    {
      direction: 'in' as const,
      protocol: 'tcp' as const,
      ports: [String(port)],
      peer: { kind: 'anywhere' as const },
    },
  ]
  const group = await client.call('securityGroups.create', {
    params: { id },
    body: { name: 'web', rules: rules(79), targets: [{ clusterId, namespace: 'shop', labels: {} }] },
  })
  await until('the network is active', async () => (await network()).status === 'active')
  // The sandbox asks the policies that it holds at every connection.
  const policy = async () => JSON.parse(await sandbox.send('GET', policyPath)) as Policy
  const enforced: number[] = []
  const seen: number[] = []
  for (let change = 0; change < changes; change += 1) {
    const port = 8_000 + change
    const startedAt = performance.now()
    await client.call('securityGroups.update', {
      params: { id, groupId: group.id },
      body: { rules: rules(port) },
    })
    await soon(async () => (await policy()).spec.ingress?.[0]?.ports?.[0]?.port === port)
    enforced.push(performance.now() - startedAt)
    await soon(async () => (await network()).status === 'active')

    const before = await policy()
    const editedAt = performance.now()
    await sandbox.send('PUT', policyPath, { ...before, spec: { ...before.spec, ingress: [{}] } })
    await soon(async () => (await network()).driftCount === 1)
    seen.push(performance.now() - editedAt)
    await client.call('networks.apply', { params: { id } })
    await soon(async () => {
      const { status, driftCount } = await network()
      return status === 'active' && driftCount === 0
    })
  }
  const detail = (times: number[]) => `median ${median(times).toFixed(0)} ms, ${changes} times`
  report({
    name: 'change of a rule → enforced in the sandbox, p95',
    value: percentile(enforced, 0.95),
    unit: 'ms',
    goal: 2_000,
    detail: detail(enforced),
  })
  report({
    name: 'edit past Bey → drift seen, p95',
    value: percentile(seen, 0.95),
    unit: 'ms',
    goal: 2_000,
    detail: detail(seen),
  })
}

async function measureMap({ client }: BeySession, sandbox: OutsideSandbox, clusterId: number): Promise<void> {
  for (let at = 0; at < workloads; at += 1)
    await sandbox.send('POST', '/api/v1/namespaces/shop/pods', {
      metadata: { name: `pod-${at}`, labels: { app: `app-${at % 50}` } },
      spec: { containers: [{ name: 'main', image: 'nginx', ports: [{ containerPort: 80 }] }] },
    })
  const map = () =>
    client.call('networks.flows.map', { params: { id: clusterId }, query: { by: 'workload' } })
  await until('all workloads are on the map', async () => (await map()).nodeCount >= workloads)
  const times: number[] = []
  for (let round = 0; round < 9; round += 1) {
    const startedAt = performance.now()
    await map()
    times.push(performance.now() - startedAt)
  }
  report({
    name: `flow map of ${workloads} workloads, read by HTTP`,
    value: median(times),
    unit: 'ms',
    detail: `the slowest of ${times.length}: ${Math.max(...times).toFixed(0)} ms`,
  })
}

async function soon(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('Not within a minute')
    await new Promise((done) => setTimeout(done, 10))
  }
}
