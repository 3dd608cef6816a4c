import { compilePolicies } from '@bey/contract/reachability/compile'
import { columnsOf, groupPods, otherPort, columnOf } from '@bey/contract/reachability/group'
import { matrixOf } from '@bey/contract/reachability/matrix'
import type { StandardPolicy } from '@bey/contract/reachability/policy'
import type { SecurityRule } from '@bey/contract/networks/security-group-rules'
import { nineFacts, spaces } from '@bey/contract/testing/network-facts'
import { randomOf, randomPolicy } from '@bey/contract/testing/random-policies'
import { expect, test } from 'vitest'

import { type RenderedGroup, renderGroups } from '../groups/render-groups.ts'
import type { Spec } from '../policy-rows.ts'
import { podsIn } from '../groups/pods-in.ts'
import { draftOfPolicy, ownerOf } from './draft-of-policy.ts'

const selector = { app: 'front' }
const ports = [{ name: 'sql', port: 5432, protocol: 'TCP', target: 6432 }]
const around = {
  network: 'net',
  subnets: [{ name: 'office', cidr: '10.9.1.0/24' }],
  sets: [{ name: 'partners', cidrs: ['203.0.113.0/24'] }],
  servicesOf: () => ({ title: 'service data/orders', peers: [podsIn('data', selector)], ports }),
}
const checked = {
  subnets: ['office'],
  sets: ['partners'],
  groupIds: ['front', 'data'],
  attached: [{ clusterId: 1, namespaces: null }],
}
const target = (namespace: string, labels = {}) => ({ clusterId: 1, namespace, labels })
const rule = (values: Partial<SecurityRule>): SecurityRule => ({
  direction: 'in',
  action: 'allow',
  protocol: 'any',
  ports: [],
  peer: { kind: 'anywhere' },
  note: '',
  ...values,
})
const group = (id: string, values: Partial<RenderedGroup>): RenderedGroup => ({
  id,
  name: id,
  filtersIn: true,
  filtersOut: false,
  rules: [],
  targets: [],
  ...values,
})
const front = group('front', { targets: [target('web', { app: 'front' })] })
const fromFront = rule({
  protocol: 'tcp',
  ports: ['5432'],
  peer: { kind: 'group', groupId: 'front' },
  note: 'orders',
})
const fromOffice = rule({ peer: { kind: 'subnet', name: 'office' } })
const data = group('data', { rules: [fromFront, fromOffice], targets: [target('x'), target('y')] })
const groups = [front, data]

function take(found: Spec | null, name = 'bey-net-data', namespace = 'x') {
  const owner = ownerOf(groups, 'net', { clusterId: 1, namespace, name })
  if (owner === undefined) throw new Error(`No group has ${name}`)
  return draftOfPolicy(found, owner, groups, { ...around, checked })
}
const written = () => renderGroups([data, front], around)[0]?.spec ?? {}
const ingress = () => written()['ingress'] as object[]

test('what was added becomes a rule, and the other rules stay as they were, notes and groups too', () => {
  const added = {
    from: [{ podSelector: { matchLabels: { app: 'debug' } } }, { ipBlock: { cidr: '10.1.0.0/16' } }],
    ports: [
      { protocol: 'TCP', port: 80 },
      { port: 8000, endPort: 8100 },
      { protocol: 'UDP', port: 'dns' },
    ],
  }
  expect(take({ ...written(), ingress: [...ingress(), added] })).toEqual({
    filtersIn: true,
    filtersOut: false,
    targets: data.targets,
    rules: [
      fromFront,
      fromOffice,
      rule({
        protocol: 'tcp',
        ports: ['80', '8000-8100'],
        peer: { kind: 'workload', namespace: 'x', labels: { app: 'debug' } },
      }),
      rule({
        protocol: 'udp',
        ports: ['dns'],
        peer: { kind: 'workload', namespace: 'x', labels: { app: 'debug' } },
      }),
      rule({ protocol: 'tcp', ports: ['80', '8000-8100'], peer: { kind: 'range', cidr: '10.1.0.0/16' } }),
      rule({ protocol: 'udp', ports: ['dns'], peer: { kind: 'range', cidr: '10.1.0.0/16' } }),
    ],
  })
})

test('a rule that was taken out or narrowed is taken out or narrowed', () => {
  expect(take({ ...written(), ingress: ingress().slice(1) })).toMatchObject({ rules: [fromOffice] })
  const open = take({ ...written(), ingress: [{}] })
  expect(open).toMatchObject({ rules: [rule({})] })
  expect(take({ ...written(), ingress: undefined })).toMatchObject({ rules: [] })
})

test('a rule that names a service stays while the policy lets in its pods', () => {
  const fromService = rule({ peer: { kind: 'service', namespace: 'web', name: 'front' } })
  const named = group('named', { rules: [fromService], targets: [target('x')] })
  const owner = { group: named, targetIndex: 0, target: target('x') }
  const spec = renderGroups([named], around)[0]?.spec ?? {}
  const open = [...(spec['ingress'] as object[]), { ports: [{ port: 9229 }] }]
  const found = { ...spec, ingress: open }
  expect(draftOfPolicy(found, owner, [named], { ...around, checked })).toMatchObject({
    rules: [fromService, rule({ protocol: 'tcp', ports: ['9229'] })],
  })
})

test('directions and labels are taken over, and a deleted policy takes the target from its group', () => {
  expect(
    take({
      podSelector: { matchLabels: { app: 'db' } },
      policyTypes: ['Egress'],
      egress: [{ to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'z' } } }] }],
      ingress: [{ from: [{ namespaceSelector: {} }] }],
    }),
  ).toEqual({
    filtersIn: false,
    filtersOut: true,
    rules: [rule({ direction: 'out', peer: { kind: 'namespace', namespace: 'z' } })],
    targets: [target('x', { app: 'db' }), target('y')],
  })
  expect(take(null)).toMatchObject({ rules: data.rules, targets: [target('y')] })
  expect(take(null, 'bey-net-data', 'y')).toMatchObject({ targets: [target('x')] })
})

test('what rules cannot express is refused with the member named', () => {
  const member = (spec: Spec) => {
    const found = take({ ...written(), ...spec })
    return 'member' in found ? found.member : found
  }
  const from = (...peers: object[]) => ({ ingress: [{ from: peers }] })
  expect(member(from({}, { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }))).toBe(
    'ingress[0].from[1].ipBlock.except',
  )
  expect(member(from({ namespaceSelector: {} }))).toBe('ingress[0].from[0].namespaceSelector')
  expect(member(from({ namespaceSelector: { matchLabels: { team: 'a' } } }))).toBe(
    'ingress[0].from[0].namespaceSelector',
  )
  expect(member(from({ podSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } }))).toBe(
    'ingress[0].from[0].podSelector.matchExpressions',
  )
  expect(member({ podSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } })).toBe(
    'podSelector.matchExpressions',
  )
  expect(member({ ingress: [{ ports: [{ protocol: 'ICMP' }] }] })).toBe('ingress[0].ports[0].protocol')
  expect(member({ tiers: [] })).toBe('tiers')
})

test('rules that were taken over open what the policy opens, for random policies', () => {
  const facts = nineFacts()
  const named = facts.namespaces.map(({ name, labels }) => ({
    name,
    labels: { ...labels, 'kubernetes.io/metadata.name': name },
  }))
  const cellsOf = (policies: StandardPolicy[]) => {
    const compiled = compilePolicies({ ...facts, namespaces: named, policies })
    const pods = groupPods(compiled, 'workload')
    const columns = [...columnsOf(compiled, pods), ...pods.map((each) => columnOf(each, otherPort))]
    return [...matrixOf(compiled, pods, columns).cells]
  }
  const random = randomOf(7)
  let expressed = 0
  for (let nth = 0; nth < 600; nth += 1) {
    const drawn = randomPolicy(random, 'bey-net-data', ['10.1.0.1', '10.2.0.2'])
    // Half of the drawn selectors of namespaces are by another label than the name.
    const text = JSON.stringify(drawn.spec).replaceAll('"ns"', '"kubernetes.io/metadata.name"')
    const found = JSON.parse(text) as StandardPolicy['spec'] & Spec
    const own = group('data', { rules: data.rules, targets: spaces.map((name) => target(name)) })
    const all = [front, own]
    const place = { clusterId: 1, namespace: drawn.namespace, name: 'bey-net-data' }
    const owner = ownerOf(all, 'net', place)
    if (owner === undefined) throw new Error('No group has it')
    const draft = draftOfPolicy(found, owner, all, { ...around, checked })
    if ('member' in draft) continue
    expressed += 1
    const { targetIndex } = owner
    const rendered = renderGroups([front, { ...own, ...draft }], around)[targetIndex + 1]
    if (rendered === undefined) throw new Error('Nothing is rendered')
    expect(cellsOf([{ ...place, spec: rendered.spec }]), text).toEqual(cellsOf([{ ...place, spec: found }]))
  }
  expect(expressed).toBeGreaterThan(100)
})
