import { expect, test } from 'vitest'
import { nineFacts, policy, tcp80 } from '../testing/network-facts.ts'
import { canReach } from './can-reach.ts'
import { compilePolicies } from './compile.ts'
import type { Endpoint } from './endpoint.ts'
import { whoCanReach } from './matrix.ts'
import type { ClusterSnapshot, PodFacts, PortNumber, ServiceFacts } from './snapshot.ts'

const pod = (text: string): Endpoint => {
  const [namespace = '', name = ''] = text.split('/')
  return { kind: 'pod', namespace, name }
}
const address = (text: string): Endpoint => ({ kind: 'address', address: text })
const service = (name: string): Endpoint => ({ kind: 'service', namespace: 'y', name })

function ask(facts: Partial<ClusterSnapshot>, from: Endpoint, to: Endpoint, port: PortNumber = tcp80) {
  return canReach(compilePolicies(nineFacts(facts)), from, to, port)
}

const web: ServiceFacts = {
  namespace: 'y',
  name: 'web',
  type: 'ClusterIP',
  clusterIPs: ['10.96.0.20'],
  selector: { pod: 'b' },
  ports: [{ name: 'http', port: 8080, protocol: 'TCP', targetPort: 'serve-80-tcp' }],
}
const at8080: PortNumber = { protocol: 'TCP', port: 8080 }

function withHostPod(over: Partial<PodFacts> = {}): PodFacts[] {
  return nineFacts().pods.map((one) =>
    one.namespace === 'z' && one.name === 'a'
      ? { ...one, hostNetwork: true, ips: ['192.168.0.1'], ...over }
      : one,
  )
}

test('egress to a service is decided about its pods, after translation', () => {
  const toPods = policy({
    policyTypes: ['Egress'],
    egress: [
      {
        to: [{ namespaceSelector: {}, podSelector: { matchLabels: { pod: 'b' } } }],
        ports: [{ protocol: 'TCP', port: 80 }],
      },
    ],
  })
  const { answer, gates, to } = ask(
    { services: [web], policies: [toPods] },
    pod('x/a'),
    service('web'),
    at8080,
  )
  expect(answer).toBe('yes')
  expect(gates.map((gate) => [gate.kind, gate.state])).toEqual([
    ['service', 'open'],
    ['leaving', 'open'],
    ['entering', 'open'],
  ])
  expect(gates[0]?.text).toBe('y/web (10.96.0.20) leads to 1 pod, port 80.')
  expect(to).toEqual({
    pod: 'y/b',
    node: 'node-2',
    address: expect.any(String),
    port: { protocol: 'TCP', port: 80 },
  })
})

test('a rule about the port or the address of a service opens nothing', () => {
  const rules = [
    { ports: [{ protocol: 'TCP', port: 8080 }] },
    { to: [{ ipBlock: { cidr: '10.96.0.0/16' } }] },
  ]
  for (const rule of rules) {
    const policies = [policy({ policyTypes: ['Egress'], egress: [rule] })]
    expect(ask({ services: [web], policies }, pod('x/a'), service('web'), at8080).answer).toBe('no')
  }
})

test('the address of a service is the service', () => {
  const { answer, gates } = ask({ services: [web] }, pod('x/a'), address('10.96.0.20'), at8080)
  expect(answer).toBe('yes')
  expect(gates[0]?.kind).toBe('service')
})

test('a port that the service does not have is closed, and the sentence lists those that it has', () => {
  const { answer, gates } = ask({ services: [web] }, pod('x/a'), service('web'))
  expect(answer).toBe('no')
  expect(gates[0]?.text).toBe('y/web has no port 80/TCP; it has 8080/TCP.')
})

test('a named target port differs from pod to pod', () => {
  const pods = nineFacts().pods.map((one) =>
    one.namespace === 'y' && one.name === 'c'
      ? {
          ...one,
          labels: { ...one.labels, pod: 'b' },
          ports: [{ name: 'serve-80-tcp', port: 9000, protocol: 'TCP' as const }],
        }
      : one,
  )
  const closed = policy(
    { podSelector: { matchLabels: { pod: 'b' } }, ingress: [{ ports: [{ protocol: 'TCP', port: 9000 }] }] },
    'only-9000',
    'y',
  )
  const open = ask({ services: [web], pods }, pod('x/a'), service('web'), at8080)
  expect(open.gates[0]?.text).toBe('y/web (10.96.0.20) leads to 2 pods, port 80 or 9000.')
  const { answer, pairs, sentence } = ask(
    { services: [web], pods, policies: [closed] },
    pod('x/a'),
    service('web'),
    at8080,
  )
  expect([answer, pairs]).toEqual(['partly', { open: 1, closed: 1, unknown: 0 }])
  expect(sentence).toBe('In part. 1 of 2 pairs of pods reach each other.')
})

test('a service without pods is closed, one without a selector or with a name outside is not known', () => {
  const change = (over: Partial<ServiceFacts>) =>
    ask({ services: [{ ...web, ...over }] }, pod('x/a'), service('web'), at8080).answer
  expect(change({ selector: { pod: 'd' } })).toBe('no')
  expect(change({ selector: undefined })).toBe('unknown')
  expect(change({ type: 'ExternalName' })).toBe('unknown')
})

test('a headless service leads to its pods at the port that is asked about', () => {
  const services = [{ ...web, clusterIPs: [] }]
  expect(ask({ services }, pod('x/a'), service('web')).to?.port.port).toBe(80)
})

test('a pod reaches itself, also through its service, whatever the policies say', () => {
  const policies = [policy({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] }, 'deny', 'y')]
  const own = ask({ policies }, pod('y/b'), pod('y/b'))
  expect([own.answer, own.notes]).toEqual(['yes', ['A pod always reaches itself.']])
  expect(ask({ services: [web], policies }, pod('y/b'), service('web'), at8080).answer).toBe('yes')
})

test('a node reaches its own pods, and others only where a block holds its address', () => {
  const closed = [policy({ podSelector: {} })]
  const node: Endpoint = { kind: 'node', name: 'node-1' }
  const own = ask({ policies: closed }, node, pod('x/a'))
  expect([own.answer, own.gates[0]?.text]).toEqual(['yes', 'A node always reaches its own pods.'])
  expect(ask({ policies: closed }, node, pod('x/b')).answer).toBe('no')
  const open = [policy({ podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '192.168.0.1/32' } }] }] })]
  expect(ask({ policies: open }, node, pod('x/b')).answer).toBe('yes')
  expect(ask({ policies: closed }, address('192.168.0.1'), pod('x/a')).answer).toBe('yes')
})

test('policies do not hold for a pod in the network of its node', () => {
  const policies = [policy({ policyTypes: ['Ingress', 'Egress'], podSelector: {} }, 'deny', 'z')]
  const pods = withHostPod()
  const into = ask({ pods, policies }, pod('x/a'), pod('z/a'))
  expect(into.answer).toBe('yes')
  expect(into.gates.at(-1)?.text).toBe('a is in the network of its node, where policies do not hold.')
  expect(into.notes[0]).toMatch(/^z\/a is in the network of its node: Kubernetes leaves open/)
  expect(ask({ pods, policies }, pod('z/a'), pod('x/b')).answer).toBe('yes')
})

test('whether a selector matches a pod in the network of its node is not known', () => {
  const policies = [policy({ podSelector: {}, ingress: [{ from: [{ namespaceSelector: {} }] }] })]
  const { answer, sentence } = ask({ pods: withHostPod(), policies }, pod('z/a'), pod('x/b'))
  expect(answer).toBe('unknown')
  expect(sentence).toContain('Network plug-ins differ in whether it matches.')
  const block = [policy({ podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '192.168.0.0/24' } }] }] })]
  expect(ask({ pods: withHostPod(), policies: block }, pod('z/a'), pod('x/b')).answer).toBe('yes')
  // The kubelet's node reaches its pods whatever the policy says.
  expect(ask({ pods: withHostPod(), policies }, pod('z/a'), pod('x/a')).answer).toBe('yes')
})

test('addresses outside the cluster are matched by blocks alone', () => {
  const egress = (cidr: string, except?: string[]) => [
    policy({ policyTypes: ['Egress'], egress: [{ to: [{ ipBlock: { cidr, except } }] }] }),
  ]
  const to = address('203.0.113.7')
  expect(ask({ policies: egress('203.0.113.0/24') }, pod('x/a'), to).answer).toBe('yes')
  expect(ask({ policies: egress('203.0.113.0/24', ['203.0.113.7/32']) }, pod('x/a'), to).answer).toBe('no')
  const selectors = [policy({ policyTypes: ['Egress'], egress: [{ to: [{ namespaceSelector: {} }] }] })]
  expect(ask({ policies: selectors }, pod('x/a'), to).answer).toBe('no')
  expect(ask({ policies: egress('203.0.113.0/24') }, pod('x/a'), address('203.0.0.0/16')).answer).toBe(
    'unknown',
  )
  expect(ask({ policies: egress('0.0.0.0/0') }, pod('x/a'), address('0.0.0.0/0')).answer).toBe('yes')
  expect(ask({ policies: egress('::/0') }, pod('x/a'), address('2001:db8::1')).answer).toBe('yes')
})

test('a block of one family says nothing certain of a pod that has addresses of both', () => {
  const pods = nineFacts().pods.map((one) => ({
    ...one,
    ips: [...one.ips, `fd00::${one.ips[0]?.replaceAll('.', ':')}`],
  }))
  const answerOf = (cidrs: string[]) =>
    ask(
      { pods, policies: [policy({ ingress: [{ from: cidrs.map((cidr) => ({ ipBlock: { cidr } })) }] })] },
      pod('y/b'),
      pod('x/a'),
    )
  expect(answerOf(['10.2.0.0/16'])).toMatchObject({
    answer: 'unknown',
    sentence: expect.stringContaining('It holds for the IPv4 address of b, and not for that of IPv6.'),
  })
  expect(answerOf(['fd00::/16']).answer).toBe('unknown')
  expect(answerOf(['fd00::/16', '10.2.0.0/16']).answer).toBe('yes')
  expect(answerOf(['10.3.0.0/16']).answer).toBe('no')
})

test('a client that comes through a service may be seen as a node', () => {
  const services: ServiceFacts[] = [{ ...web, type: 'LoadBalancer' }]
  const policies = [
    policy(
      { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '203.0.113.0/24' } }] }] },
      'public',
      'y',
    ),
  ]
  const client = address('203.0.113.7')
  expect(ask({ services, policies }, client, service('web'), at8080).answer).toBe('unknown')
  const local = services.map((one) => ({ ...one, externalTrafficPolicy: 'Local' as const }))
  expect(ask({ services: local, policies }, client, service('web'), at8080).answer).toBe('yes')
})

test('an ingress reaches as its controller does', () => {
  const ingress: Endpoint = { kind: 'ingress', namespace: 'x', name: 'shop' }
  expect(ask({}, ingress, pod('x/a')).answer).toBe('unknown')
  const ingressControllers = [{ namespace: 'z', selector: { matchLabels: { pod: 'c' } } }]
  const policies = [policy({ ingress: [{ from: [{ namespaceSelector: { matchLabels: { ns: 'z' } } }] }] })]
  expect(ask({ ingressControllers, policies }, ingress, pod('x/a')).answer).toBe('yes')
  expect(ask({ ingressControllers, policies: [policy({})] }, ingress, pod('x/a')).answer).toBe('no')
})

test('an ingress stands for the pods behind the service whose address it has, whatever they are called', () => {
  const front: ServiceFacts = {
    ...web,
    name: 'front',
    selector: { pod: 'c' },
    balancerAddresses: ['198.51.100.7'],
  }
  const ingresses = [
    { namespace: 'x', name: 'shop', addresses: ['198.51.100.7'] },
    { namespace: 'x', name: 'lost', addresses: ['198.51.100.8'] },
  ]
  const policies = [policy({ ingress: [{ from: [{ namespaceSelector: { matchLabels: { ns: 'y' } } }] }] })]
  const from = (name: string): Endpoint => ({ kind: 'ingress', namespace: 'x', name })
  const facts = { ingresses, services: [front] }
  expect(ask({ ...facts, policies }, from('shop'), pod('x/a'))).toMatchObject({
    answer: 'yes',
    from: { pod: 'y/c' },
  })
  expect(ask({ ...facts, policies: [policy({})] }, from('shop'), pod('x/a')).answer).toBe('no')
  expect(ask(facts, from('lost'), pod('x/a')).sentence).toMatch(/^Not known: Which pods take requests/)
  expect(ask(facts, from('none'), pod('x/a')).sentence).toBe('Not known: There is no ingress x/none.')
})

test('a database that listens on its own machine alone is closed, whatever policies say', () => {
  const databases = [{ id: '7', name: 'orders', port: 5432, addresses: [], allowList: [] }]
  const to: Endpoint = { kind: 'database', id: '7' }
  const { answer, gates } = ask({ databases }, pod('x/a'), to, { protocol: 'TCP', port: 5432 })
  expect([answer, gates.map(({ kind, state }) => [kind, state])]).toEqual(['no', [['allow-list', 'closed']]])
  expect(gates[0]?.change?.text).toBe('Add 10.1.0.1/32 to the allow-list of orders.')
})

test('those who reach a database are those whom policies and its allow-list both let through', () => {
  const database = {
    id: '7',
    name: 'orders',
    port: 5432,
    addresses: ['203.0.113.9'],
    allowList: ['10.1.0.1'],
  }
  const compiled = compilePolicies({ ...nineFacts(), nodes: [], databases: [database] })
  const port: PortNumber = { protocol: 'TCP', port: 5432 }
  const names = whoCanReach(compiled, { kind: 'database', id: '7' }, port).map(({ group }) => group.id)
  // Among all addresses outside is one of its list.
  expect(names).toEqual(['Pod/x/a', 'Address/0.0.0.0/0'])
})

test('a database outside asks its allow-list, and says what to add', () => {
  const database = { id: '7', name: 'orders', port: 5432, addresses: ['203.0.113.9'] }
  const nodes = nineFacts().nodes ?? []
  const port: PortNumber = { protocol: 'TCP', port: 5432 }
  const to: Endpoint = { kind: 'database', id: '7' }
  const listed = (allowList: string[] | undefined, over: Partial<ClusterSnapshot> = {}) =>
    ask({ databases: [{ ...database, allowList }], nodes, ...over }, pod('x/a'), to, port)
  expect(listed(undefined).answer).toBe('yes')
  expect(listed(['10.1.0.0/16', '192.168.0.1']).answer).toBe('yes')
  expect(listed(['10.1.0.0/16']).answer).toBe('unknown')
  const { answer, gates } = listed(['10.9.0.0/16'], { policies: [policy({ policyTypes: ['Egress'] })] })
  expect(answer).toBe('no')
  expect(gates.map(({ kind, state }) => [kind, state])).toEqual([
    ['leaving', 'closed'],
    ['allow-list', 'closed'],
  ])
  expect(gates[1]?.change).toMatchObject({ kind: 'allow-list', networks: ['10.1.0.1/32'] })
  expect(gates[0]?.change).toMatchObject({
    kind: 'add-rule',
    policy: { name: 'policy' },
    rule: { to: [{ ipBlock: { cidr: '203.0.113.9/32' } }], ports: [{ protocol: 'TCP', port: 5432 }] },
  })
})

test('a name needs the DNS of the cluster', () => {
  const dns: ServiceFacts = {
    namespace: 'kube-system',
    name: 'kube-dns',
    type: 'ClusterIP',
    clusterIPs: ['10.96.0.10'],
    selector: { 'k8s-app': 'kube-dns' },
    ports: [{ name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 }],
  }
  const coredns: PodFacts = {
    namespace: 'kube-system',
    name: 'coredns-1',
    labels: { 'k8s-app': 'kube-dns' },
    ips: ['10.9.0.1'],
    ports: [],
    workload: { kind: 'Deployment', name: 'coredns' },
  }
  const toWeb = policy({
    policyTypes: ['Egress'],
    egress: [{ to: [{ namespaceSelector: { matchLabels: { ns: 'y' } } }] }],
  })
  const facts = nineFacts({ services: [web, dns], policies: [toWeb] })
  const compiled = compilePolicies({ ...facts, pods: [...facts.pods, coredns] })
  expect(canReach(compiled, pod('x/a'), service('web'), at8080).answer).toBe('yes')
  const { answer, gates, sentence } = canReach(compiled, pod('x/a'), service('web'), at8080, {
    isByName: true,
  })
  expect([answer, sentence]).toEqual(['no', 'No. 1 of 4 gates is closed.'])
  expect(gates[0]).toMatchObject({ kind: 'name', state: 'closed', change: { kind: 'add-rule' } })
  expect(gates[0]?.text).toBe(
    'The DNS is not reached, so y/web does not resolve. x/policy holds here, and none of its rules names coredns on 53/UDP.',
  )
})

test('every gate is asked, also behind a closed one, and each says what opens it', () => {
  const policies = [
    policy({ podSelector: {}, policyTypes: ['Egress'] }, 'default-deny-egress'),
    policy({ podSelector: {} }, 'default-deny', 'y'),
  ]
  const { answer, sentence, gates } = ask({ policies }, pod('x/a'), pod('y/b'))
  expect([answer, sentence]).toEqual(['no', 'No. 2 of 2 gates are closed.'])
  expect(gates.map(({ title, subtitle, text }) => [title, subtitle, text])).toEqual([
    [
      'Leaving a',
      'egress policies of x',
      'x/default-deny-egress holds here, and none of its rules names b on 80/TCP.',
    ],
    ['Entering b', 'ingress policies of y', 'y/default-deny holds here, and none of its rules names a.'],
  ])
  expect(gates[0]?.change).toEqual({
    kind: 'add-policy',
    direction: 'egress',
    text: 'Add a policy for pods app=x-a of x: egress to b, TCP 80.',
    policy: {
      namespace: 'x',
      name: 'allow-a-egress',
      spec: {
        podSelector: { matchLabels: { app: 'x-a' } },
        policyTypes: ['Egress'],
        egress: [
          {
            to: [
              {
                namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'y' } },
                podSelector: { matchLabels: { app: 'y-b' } },
              },
            ],
            ports: [{ protocol: 'TCP', port: 80 }],
          },
        ],
      },
    },
  })
})

test('what is not there is not known, with a sentence', () => {
  const sentence = (from: Endpoint, to: Endpoint) => ask({}, from, to).sentence
  expect(sentence(pod('x/nobody'), pod('x/a'))).toBe('Not known: There is no pod x/nobody that runs.')
  expect(sentence(pod('x/a'), service('nothing'))).toBe('Not known: There is no service y/nothing.')
  expect(sentence(pod('x/a'), address('10.0.0'))).toMatch(/neither an address such as 10\.0\.0\.1/)
  expect(sentence({ kind: 'namespace', name: 'w' }, pod('x/a'))).toMatch(/The namespace w has no pods/)
})

test('without a plug-in that enforces policies everything is open', () => {
  const { answer, gates } = ask({ plugin: 'none', policies: [policy({})] }, pod('x/b'), pod('x/a'))
  expect([answer, gates.at(-1)?.text]).toEqual([
    'yes',
    'No network plug-in of this cluster enforces policies.',
  ])
})
