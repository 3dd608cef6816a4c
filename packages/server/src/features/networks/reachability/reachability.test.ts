import type { CallOutput } from '@bey/contract'
import { letters, spaces } from '@bey/contract/testing/network-facts'
import { randomOf, randomPolicy } from '@bey/contract/testing/random-policies'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { execInPod } from '../../kubernetes/testing/exec-in-pod.ts'
import { appWithSandbox } from '../../kubernetes/testing/app-with-sandbox.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const patience = { timeout: 60_000, interval: 50 }

const { given, call, kube, connect, sandbox } = await appWithSandbox()
const viewer = await given.user({ role: 'VIEWER' })
const stranger = await given.user({ role: 'OWNER' })
const prod = await connect(viewer.organizationId)
const base = `/api/kubernetes/clusters/${prod.id}/reachability`

const places = spaces.flatMap((namespace) => letters.map((name) => ({ namespace, name })))
const policiesPath = (namespace: string) =>
  `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`
const ips = new Map<string, string>()

const ports = [80, 81].flatMap((port) =>
  (['TCP', 'UDP'] as const).map((protocol) => ({
    name: `serve-${port}-${protocol.toLowerCase()}`,
    containerPort: port,
    protocol,
  })),
)

beforeAll(async () => {
  for (const name of spaces)
    await kube('POST', '/api/v1/namespaces', { metadata: { name, labels: { ns: name } } })
  for (const { namespace, name } of places)
    await kube('POST', `/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name, labels: { pod: name } },
      spec: { containers: [{ name: 'main', image: 'busybox', command: ['sleep', 'infinity'], ports }] },
    })
  await kube('POST', '/api/v1/namespaces/x/services', {
    metadata: { name: 'web' },
    spec: { selector: { pod: 'a' }, ports: [{ port: 8080, targetPort: 'serve-80-tcp' }] },
  })
  for (const { namespace, name } of places)
    await vi.waitFor(async () => {
      const { status } = (await kube('GET', `/api/v1/namespaces/${namespace}/pods/${name}`)) as {
        status: { phase: string; podIP: string }
      }
      expect(status.phase).toBe('Running')
      ips.set(`${namespace}/${name}`, status.podIP)
    }, patience)
})
beforeEach(async () => {
  for (const namespace of spaces) await kube('DELETE', policiesPath(namespace))
})

async function put(namespace: string, name: string, spec: object): Promise<void> {
  await kube('POST', policiesPath(namespace), { metadata: { name }, spec })
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const { organizationId } = viewer
  const headers = { 'content-type': 'application/json' }
  const reply = await call(body ? 'POST' : 'GET', `${base}/${path}`, {
    token: viewer.token,
    organizationId,
    ...(body && { headers, body: JSON.stringify(body) }),
  })
  expect(reply.status, reply.text).toBe(200)
  return reply.json() as T
}
const check = (query: string) => ask<CallOutput<'networks.reachability.check'>>(`check?${query}`)

/** Whether BusyBox's nc in one pod gets through to an address of another. */
const connects = (from: { namespace: string; name: string }, address: string, port: number) =>
  execInPod(sandbox, from, ['nc', '-z', '-w', '1', address, String(port)])

/** Flows between the nine pods on TCP 80 and 81 that a matrix of the API calls open. */
async function saidOpen(): Promise<string[]> {
  const { rows, columns, cells } = await ask<CallOutput<'networks.reachability.matrix'>>('matrix')
  return rows.flatMap((from, row) =>
    columns.flatMap((to, column) => {
      const isAsked = [from, to].every(({ namespace }) => spaces.some((one) => one === namespace))
      if (!isAsked || to.protocol !== 'TCP' || cells[row]?.[column] !== 'o') return []
      return [`${from.namespace}/${from.name} → ${to.namespace}/${to.name}:${to.port}`]
    }),
  )
}

async function triedOpen(): Promise<string[]> {
  const flows = places.flatMap((from) => places.flatMap((to) => [80, 81].map((port) => ({ from, to, port }))))
  const open: string[] = []
  for (let at = 0; at < flows.length; at += 18)
    await Promise.all(
      flows.slice(at, at + 18).map(async ({ from, to, port }) => {
        const target = `${to.namespace}/${to.name}`
        if (await connects(from, ips.get(target) ?? '', port))
          open.push(`${from.namespace}/${from.name} → ${target}:${port}`)
      }),
    )
  return open
}

test('for random policies the answer is what nc observes between the pods of a sandbox', async () => {
  let open = 0
  for (const seed of [3, 5, 8, 13]) {
    const random = randomOf(seed)
    const addresses = [...ips.values()]
    const policies = Array.from({ length: 5 }, (_, index) =>
      randomPolicy(random, `policy-${index}`, addresses),
    )
    for (const namespace of spaces) await kube('DELETE', policiesPath(namespace))
    for (const { namespace, name, spec } of policies) await put(namespace, name, spec)
    const tried = new Set(await triedOpen())
    // The server hears of the policies a moment later.
    await vi.waitFor(async () => expect(new Set(await saidOpen()), `seed ${seed}`).toEqual(tried), patience)
    open += tried.size
  }
  expect(open).toBeGreaterThan(100)
  expect(open).toBeLessThan(4 * 162)
})

test('an answer names every gate, the rule that decides at each and what opens it', async () => {
  const monitoring = [{ from: [{ namespaceSelector: { matchLabels: { ns: 'z' } } }] }]
  await put('x', 'only-z', { podSelector: { matchLabels: { pod: 'a' } }, ingress: monitoring })
  await put('y', 'no-way-out', { podSelector: {}, policyTypes: ['Egress'] })
  const question = 'from=workload:y/b&to=service:x/web&port=8080'
  await vi.waitFor(async () => expect((await check(question)).policies).toBe(2), patience)
  const { answer, sentence, gates, to, pairs } = await check(question)
  expect([answer, sentence]).toEqual(['no', 'No. 2 of 3 gates are closed.'])
  expect(gates.map(({ kind, state }) => [kind, state])).toEqual([
    ['service', 'open'],
    ['leaving', 'closed'],
    ['entering', 'closed'],
  ])
  expect(gates[1]?.text).toBe('y/no-way-out holds here, and none of its rules names a on 80/TCP.')
  expect(gates[1]?.change?.manifest).toContain('kind: NetworkPolicy')
  expect(gates[2]?.change).toMatchObject({ kind: 'add-rule', policy: { namespace: 'x', name: 'only-z' } })
  expect([to?.pod, pairs]).toEqual(['x/a', { open: 0, closed: 1, unknown: 0 }])
  const open = await check('from=workload:z/b&to=service:x/web&port=8080')
  expect([open.answer, open.gates[2]?.rule?.path]).toEqual(['yes', 'spec.ingress[0]'])
  const self = await check('from=pod:x/a&to=pod:x/a&port=80')
  expect(self.notes).toEqual(['A pod always reaches itself.'])
  const reached = await ask<CallOutput<'networks.reachability.reachable'>>(
    'reachable?of=service:x/web&port=8080',
  )
  expect(reached.reached.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['workload:z/Pod/a', 'workload:z/Pod/b', 'workload:z/Pod/c']),
  )
  // Without a port it is asked about every one that it declares.
  const onAll = await ask<CallOutput<'networks.reachability.reachable'>>('reachable?of=pod:x/a')
  const fromZ = onAll.reached.filter(({ id }) => id === 'workload:z/Pod/a')
  expect(fromZ.map(({ protocol, port }) => `${protocol} ${port}`).toSorted()).toEqual([
    'TCP 80',
    'TCP 81',
    'UDP 80',
    'UDP 81',
  ])
  const rules = await ask<CallOutput<'networks.reachability.rules'>>('rules?of=pod:x/a')
  expect(rules.rules).toMatchObject([
    { name: 'only-z', text: 'all pods of namespaces ns=z, all ports', pods: 1 },
  ])
  expect(rules.rest?.ingress.isIsolated).toBe(true)
})

test('a database and an ingress are ends of flows, as their allow-list and their controller let them be', async () => {
  const databaseOf = (values: { name: string; host: string | null; allowList?: string[] }) =>
    given.database({
      organizationId: viewer.organizationId,
      provider: values.allowList ? 'embedded' : 'external',
      name: values.name,
      host: values.host,
      port: 5432,
      allowList: (values.allowList ?? []).map((cidr) => ({ cidr, about: '' })),
    })
  const outside = await databaseOf({ name: 'orders', host: '203.0.113.9' })
  const local = await databaseOf({ name: 'stock', host: '127.0.0.1', allowList: [] })
  await put('x', 'only-dns', {
    podSelector: { matchLabels: { pod: 'a' } },
    policyTypes: ['Egress'],
    egress: [{ ports: [{ protocol: 'UDP', port: 53 }] }],
  })
  await vi.waitFor(async () => {
    const closed = await check(`from=pod:x/a&to=database:${outside}&port=5432`)
    expect([closed.answer, closed.gates[0]?.kind]).toEqual(['no', 'leaving'])
  }, patience)
  expect((await check(`from=pod:x/b&to=database:${outside}&port=5432`)).answer).toBe('yes')
  const { reached } = await ask<CallOutput<'networks.reachability.reachable'>>(
    `reachable?of=database:${outside}`,
  )
  const names = reached.map(({ id }) => id)
  expect([names.includes('workload:x/Pod/b'), names.includes('workload:x/Pod/a')]).toEqual([true, false])
  const own = await check(`from=pod:x/b&to=database:${local}&port=5432`)
  expect([own.answer, own.gates.map(({ kind }) => kind)]).toEqual(['no', ['allow-list']])

  // Its controller is found by the address that both have.
  await kube('POST', '/api/v1/namespaces/z/services', {
    metadata: { name: 'front' },
    spec: { type: 'LoadBalancer', selector: { pod: 'c' }, ports: [{ port: 80 }] },
  })
  await kube('POST', '/apis/networking.k8s.io/v1/namespaces/x/ingresses', {
    metadata: { name: 'shop' },
    spec: { defaultBackend: { service: { name: 'web', port: { number: 8080 } } } },
  })
  const shop = '/apis/networking.k8s.io/v1/namespaces/x/ingresses/shop'
  await vi.waitFor(async () => {
    const front = (await kube('GET', '/api/v1/namespaces/z/services/front')) as {
      status?: { loadBalancer?: { ingress?: object[] } }
    }
    const { loadBalancer } = front.status ?? {}
    expect(loadBalancer?.ingress).toHaveLength(1)
    const ingress = (await kube('GET', shop)) as object
    await kube('PUT', `${shop}/status`, { ...ingress, status: { loadBalancer } })
    const answer = await check('from=ingress:x/shop&to=service:x/web&port=8080')
    expect([answer.answer, answer.from?.pod]).toEqual(['yes', 'z/c'])
  }, patience)
  expect((await check('from=ingress:x/none&to=service:x/web&port=8080')).sentence).toBe(
    'Not known: There is no ingress x/none.',
  )

  // All of them are offered, databases to those alone who may read them.
  type Ends = CallOutput<'networks.reachability.ends'>
  const offered = (await ask<Ends>('ends')).ends.map(({ id, port }) => `${id} ${port}`)
  expect(offered).toEqual(
    expect.arrayContaining([
      'workload:x/Pod/a 80',
      'service:x/web 8080',
      'namespace:x null',
      'ingress:x/shop null',
      `database:${outside} 5432`,
    ]),
  )
  const { ends: bare } = (
    await call('GET', `${base}/ends`, await given.apiKey(viewer, { permissions: ['kubernetes.read'] }))
  ).json() as Ends
  expect(bare.filter(({ kind }) => kind === 'database')).toEqual([])

  // Databases of others do not exist, and a key that may not read databases learns nothing of them.
  const foreign = await given.database({ organizationId: stranger.organizationId, name: 'theirs' })
  expect((await check(`from=pod:x/b&to=database:${foreign}&port=5432`)).sentence).toBe(
    `Not known: There is no database ${foreign}.`,
  )
  const key = await given.apiKey(viewer, { permissions: ['kubernetes.read'] })
  for (const path of [
    `check?from=pod:x/b&to=database:${outside}&port=5432`,
    `reachable?of=database:${outside}`,
  ])
    expect((await call('GET', `${base}/${path}`, key)).status).toBe(403)
})

test('what a change would end is said before it is made, and nothing is changed', async () => {
  type Out = CallOutput<'networks.reachability.whatIf'>
  const spec = { podSelector: { matchLabels: { pod: 'a' } }, ingress: [{ from: [{ podSelector: {} }] }] }
  const change = { namespace: 'x', name: 'new', spec }
  const { ends, endCount, beginCount, problems } = await ask<Out>('what-if', { changes: [change] })
  expect(ends.map(({ from, to, port }) => `${from.id} ${to.id} ${port}`)).toContain(
    'workload:y/Pod/b workload:x/Pod/a 80',
  )
  // Six pods of other namespaces, those of the sandbox itself and all addresses outside, on four ports.
  expect([endCount % 4, beginCount, problems]).toEqual([0, 0, []])
  expect((await check('from=pod:y/b&to=pod:x/a&port=80')).answer).toBe('yes')
  await put('x', 'new', spec)
  await vi.waitFor(
    async () => expect((await check('from=pod:y/b&to=pod:x/a&port=80')).answer).toBe('no'),
    patience,
  )
  const back = await ask<Out>('what-if', { changes: [{ ...change, spec: null }] })
  expect([back.endCount, back.beginCount]).toEqual([0, endCount])
  const wrong = { ...spec, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/40' } }] }] }
  const faulty = await ask<Out>('what-if', { changes: [{ ...change, spec: wrong }] })
  expect(faulty.problems).toMatchObject([
    { path: 'spec.ingress[0].from[0].ipBlock', policy: { name: 'new' } },
  ])
  const findings = await ask<CallOutput<'networks.reachability.findings'>>('findings')
  expect(findings.findings).toEqual([])
})

test('a policy of 1,000 rules is answered with its last rule, and its lists are bounded and counted', async () => {
  const rule = (at: number) =>
    at === 999
      ? { from: [{ podSelector: { matchLabels: { pod: 'b' } } }], ports: [{ port: 80 }] }
      : {
          from: [{ ipBlock: { cidr: `172.20.${at % 250}.0/24` } }],
          ports: [{ port: 1_000 + at, endPort: 2_000 + at }],
        }
  const ingress = Array.from({ length: 1_000 }, (_, at) => rule(at))
  const spec = { podSelector: {}, policyTypes: ['Ingress'], ingress }
  await put('x', 'thousand', spec)
  await vi.waitFor(
    async () => expect((await check('from=pod:x/c&to=pod:x/a&port=80')).answer).toBe('no'),
    patience,
  )
  const { answer, gates } = await check('from=pod:x/b&to=pod:x/a&port=80')
  expect(answer).toBe('yes')
  expect(gates.at(-1)?.rule).toMatchObject({ name: 'thousand', number: 1_000 })
  const { rules, total } = await ask<CallOutput<'networks.reachability.rules'>>('rules?of=pod:x/a')
  expect([rules.length, total]).toEqual([500, 1_000])
  const { findings } = await ask<CallOutput<'networks.reachability.findings'>>('findings')
  expect(findings.length).toBeLessThanOrEqual(500)
  const without = { namespace: 'x', name: 'thousand', spec: { ...spec, ingress: ingress.slice(0, 999) } }
  const { ends } = await ask<CallOutput<'networks.reachability.whatIf'>>('what-if', { changes: [without] })
  expect(ends.map(({ from, to, port }) => `${from.id} ${to.id} ${port}`)).toContain(
    'workload:x/Pod/b workload:x/Pod/a 80',
  )
})

test('what was seen to be used is told apart from what is merely open', async () => {
  type Out = CallOutput<'networks.reachability.whatIf'>
  const deny = (pod: string) => ({
    changes: [{ namespace: 'x', name: `deny-${pod}`, spec: { podSelector: { matchLabels: { pod } } } }],
  })
  expect(await connects({ namespace: 'z', name: 'c' }, ips.get('x/c') ?? '', 81)).toBe(true)
  const used = await ask<Out>('what-if', deny('c'))
  expect(used.sentence).toMatch(/^\d+ flows? that exists? today would end\.$/)
  // Nobody called the port of this one, but everybody may.
  await kube('POST', '/api/v1/namespaces/x/pods', {
    metadata: { name: 'quiet', labels: { pod: 'quiet' } },
    spec: { containers: [{ name: 'main', image: 'busybox', command: ['sleep', 'infinity'], ports }] },
  })
  await vi.waitFor(async () => {
    const { sentence, endCount } = await ask<Out>('what-if', deny('quiet'))
    expect(endCount).toBeGreaterThan(0)
    expect(sentence).toBe(`No flow that was seen would end; ${endCount} that nobody used would close.`)
  }, patience)
  await kube('DELETE', '/api/v1/namespaces/x/pods/quiet')
})

test('bad questions have a sentence each, and another organization finds nothing', async () => {
  const as = { token: viewer.token, organizationId: viewer.organizationId }
  const get = (path: string, who = as) => call('GET', `${base}/${path}`, who)
  const wrong = await get('check?from=x&to=pod:x/a&port=80')
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('names no end of a flow')])
  expect((await get('check?from=pod:x/a&to=pod:x/b&port=70000')).status).toBe(400)
  expect((await get('reachable?of=pod:x/none&direction=out')).status).toBe(404)
  expect((await check('from=pod:x/none&to=pod:x/b&port=80')).sentence).toBe(
    'Not known: There is no pod x/none that runs.',
  )
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({
    changes: [{ namespace: 'x', name: 'a', spec: { ingress: [{ from: 'all' }] } }],
  })
  expect((await call('POST', `${base}/what-if`, { ...as, headers, body })).status).toBe(400)
  const other = { token: stranger.token, organizationId: stranger.organizationId }
  expect((await get('matrix', other)).status).toBe(404)
})
