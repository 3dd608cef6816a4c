import { expect, test } from 'vitest'
import { nineFacts, policy, tcp80, tcp81 } from '../testing/network-facts.ts'
import { randomFacts } from '../testing/random-policies.ts'
import { canReach } from './can-reach.ts'
import { compilePolicies } from './compile.ts'
import { columnOf, columnsOf, groupPods, otherPort, outsideGroup } from './group.ts'
import { cellAt, matrixOf, whatCanReach, whoCanReach } from './matrix.ts'
import type { PodFacts } from './snapshot.ts'

const states = { yes: 'open', no: 'closed', partly: 'partly', unknown: 'unknown' } as const

/** Random policies for nine workloads of two pods each, one of them in the network of its node. */
function pairedFacts(seed: number) {
  const { snapshot } = randomFacts(seed)
  const pods = snapshot.pods.flatMap((pod, index): PodFacts[] => {
    const workload = { kind: 'Deployment', name: pod.name }
    const hostNetwork = index === 4
    const [first = ''] = pod.ips
    return [
      { ...pod, workload, hostNetwork, ...(hostNetwork ? { ips: ['192.168.0.2'] } : {}) },
      { ...pod, workload, name: `${pod.name}-2`, ips: [first.replace('.0.', '.1.')], node: 'node-1' },
    ]
  })
  return { ...snapshot, pods }
}

test('a matrix of workloads, namespaces and addresses says what each question alone says', () => {
  const seen = new Set<string>()
  for (let seed = 1; seed <= 40; seed += 1) {
    const compiled = compilePolicies(pairedFacts(seed))
    const outside = outsideGroup(compiled, '203.0.113.7')
    const groups = [...groupPods(compiled, 'workload'), ...groupPods(compiled, 'namespace')]
    if (outside) groups.push(outside)
    const columns = groups.flatMap((group) => [columnOf(group, tcp80), columnOf(group, tcp81)])
    const matrix = matrixOf(compiled, groups, columns)
    for (const [row, from] of groups.entries())
      for (const [column, { group, port }] of columns.entries()) {
        const { answer, pairs } = canReach(compiled, from.endpoint, group.endpoint, port)
        // Of two addresses outside nobody is asked.
        if (from === outside && group === outside) continue
        const cell = cellAt(matrix, row, column)
        seen.add(cell)
        expect(cell, `seed ${seed}: ${from.id} → ${group.id} ${port.port} ${JSON.stringify(pairs)}`).toBe(
          states[answer],
        )
      }
  }
  expect([...seen].toSorted()).toEqual(['closed', 'open', 'partly', 'unknown'])
})

test('columns are the ports that pods declare and that services lead to', () => {
  const facts = nineFacts({
    services: [
      {
        namespace: 'x',
        name: 'web',
        type: 'ClusterIP',
        clusterIPs: ['10.96.0.1'],
        selector: { pod: 'a' },
        ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }],
      },
    ],
  })
  const pods = facts.pods
    .slice(0, 3)
    .map((pod) => ({ ...pod, ports: pod.name === 'b' ? pod.ports.slice(0, 1) : [] }))
  const compiled = compilePolicies({ ...facts, pods })
  const columns = columnsOf(compiled, groupPods(compiled, 'workload'))
  expect(columns.map(({ group, port }) => [group.name, port])).toEqual([
    ['a', { protocol: 'TCP', port: 8080 }],
    ['b', tcp80],
    ['c', otherPort],
  ])
})

test('another port is one that no rule names', () => {
  const open = (ports: { protocol?: string; port?: number }[]) => {
    const compiled = compilePolicies(nineFacts({ policies: [policy({ ingress: [{ ports }] })] }))
    const [a] = groupPods(compiled, 'workload', ['x'])
    return a && cellAt(matrixOf(compiled, groupPods(compiled, 'workload'), [columnOf(a, otherPort)]), 4, 0)
  }
  expect([open([]), open([{ protocol: 'TCP' }]), open([{ port: 80 }])]).toEqual(['open', 'open', 'closed'])
})

test('who reaches a pod, and what it reaches', () => {
  const policies = [
    policy({ ingress: [{ from: [{ podSelector: { matchLabels: { pod: 'b' } } }] }] }),
    policy({ policyTypes: ['Egress'], egress: [{ to: [{ ipBlock: { cidr: '203.0.113.0/24' } }] }] }, 'out'),
  ]
  const compiled = compilePolicies(nineFacts({ policies }))
  const a = { kind: 'pod', namespace: 'x', name: 'a' } as const
  const who = whoCanReach(compiled, a, tcp80).map(({ group, state }) => [group.id, state])
  expect(who).toEqual([
    ['Pod/x/a', 'open'],
    ['Pod/x/b', 'open'],
  ])
  const [row] = groupPods(compiled, 'workload', ['x'])
  const what = row ? whatCanReach(compiled, row).map(({ group, state }) => [group.id, state]) : []
  expect(new Set(what.map(String))).toEqual(new Set(['Pod/x/a,open', 'Address/0.0.0.0/0,unknown']))
})
