import type { FlowMap, FlowState } from '@bey/contract'
import { expect, test } from 'vitest'
import { curveNear, curvesOf, pointAt } from './flow-curves.ts'
import { boxWidth, type FlowBox, layoutFlows } from './flow-layout.ts'

type Node = FlowMap['nodes'][number]
type Edge = FlowMap['edges'][number]

const space = (name: string): Node => ({
  id: `namespace:${name}`,
  kind: 'namespace',
  name,
  namespace: name,
  pods: 2,
})
const workload = (namespace: string, name: string): Node => ({
  id: `workload:${namespace}/${name}`,
  kind: 'workload',
  name,
  namespace,
  pods: 1,
})
const outside: Node = { id: 'address:0.0.0.0/0', kind: 'outside', name: 'outside', namespace: null, pods: 0 }
const edge = (from: Node, to: Node, state: FlowState = 'used'): Edge => ({
  from: from.id,
  to: to.id,
  state,
  policy: 'open',
  ports: [],
  portCount: 0,
  observed: null,
})
const overlaps = (a: FlowBox, b: FlowBox) =>
  Math.abs(a.x - b.x) < boxWidth && a.y < b.y + b.height && b.y < a.y + a.height

const [shop, data, probe] = [space('shop'), space('data'), space('probe')]
const [cart, search] = [workload('web', 'cart'), workload('web', 'search')]

test('who calls stands left of who is called, and what is outside left of all', () => {
  const nodes = [data, shop, probe, outside, cart, search]
  const edges = [edge(probe, shop), edge(shop, data), edge(cart, data), edge(outside, cart, 'unused')]
  const { boxes, anchors } = layoutFlows(nodes, edges)
  const x = (node: Node) => anchors.get(node.id)?.x ?? -1
  expect(x(outside)).toBe(0)
  expect([x(probe) > x(outside), x(shop) > x(probe), x(data) > x(shop)]).toEqual([true, true, true])
  // Workloads of a namespace are rows of one box.
  expect(boxes.find(({ key }) => key === 'ns web')?.nodes).toEqual([cart, search])
  expect((anchors.get(search.id)?.y ?? 0) - (anchors.get(cart.id)?.y ?? 0)).toBe(30)
})

test('500 workloads that all reach one another overlap nowhere, are not far higher than wide, and stay in place', () => {
  const nodes = Array.from({ length: 500 }, (_, at) => workload(`ns-${at % 40}`, `w-${at}`))
  const edges = Array.from({ length: 2_000 }, (_, at) =>
    edge(nodes[(at * 7) % 500] ?? outside, nodes[(at * 13 + 1) % 500] ?? outside, 'unused'),
  )
  const { boxes, anchors, width, height } = layoutFlows(nodes, edges)
  expect([boxes.length, anchors.size]).toEqual([40, 500])
  expect(boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) => overlaps(a, b)))).toEqual([])
  expect(height / width).toBeLessThan(1.2)
  expect(layoutFlows(nodes, edges)).toEqual({ boxes, anchors, width, height })
})

test('a press finds the way that is under it, and none beside it', () => {
  const layout = layoutFlows([shop, data, probe], [edge(shop, data), edge(probe, data)])
  const curves = curvesOf(layout, [edge(shop, data), edge(probe, data), edge(shop, shop)])
  // A way from a namespace to itself is in the table alone.
  expect(curves).toHaveLength(2)
  const [first] = curves
  if (first === undefined) throw new Error('There is no curve')
  const { x, y } = pointAt(first, 0.3)
  expect(curveNear(curves, x, y + 2, 7)).toBe(first)
  expect(curveNear(curves, x, y + 400, 7)).toBeUndefined()
})
