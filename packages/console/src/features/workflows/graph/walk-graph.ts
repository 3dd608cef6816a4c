import type { Direction, Graph } from './graph-step.ts'
import type { Layout } from './use-graph-layout.ts'

const forward = { down: 'ArrowDown', right: 'ArrowRight' } as const
const backward = { down: 'ArrowUp', right: 'ArrowLeft' } as const

/**
 * The node that an arrow key leads to: along an edge forward or backward, across it to the nearest node of the same
 * row. Undefined where there is none, or the key is no arrow.
 */
export function nextNode(
  graph: Graph,
  layout: Layout,
  from: string,
  key: string,
  direction: Direction,
): string | undefined {
  if (key === forward[direction]) return nearest(layout, from, direction, follows(graph, from))
  if (key === backward[direction]) return nearest(layout, from, direction, precedes(graph, from))
  if (!key.startsWith('Arrow')) return undefined
  const side = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1
  return neighbour(layout, from, direction, side)
}

const follows = (graph: Graph, node: string) =>
  graph.edges.flatMap(({ from, to }) => (from === node ? [to] : []))
const precedes = (graph: Graph, node: string) =>
  graph.edges.flatMap(({ from, to }) => (to === node ? [from] : []))

/** The one that stands most nearly in line. */
function nearest(
  layout: Layout,
  from: string,
  direction: Direction,
  nodes: readonly string[],
): string | undefined {
  const across = direction === 'down' ? 'x' : 'y'
  const distance = (node: string) =>
    Math.abs((layout.get(node)?.[across] ?? 0) - (layout.get(from)?.[across] ?? 0))
  return nodes.toSorted((left, right) => distance(left) - distance(right))[0]
}

function neighbour(layout: Layout, from: string, direction: Direction, side: 1 | -1): string | undefined {
  const along = direction === 'down' ? 'y' : 'x'
  const across = direction === 'down' ? 'x' : 'y'
  const origin = layout.get(from)
  if (!origin) return undefined
  const row = [...layout].filter(
    ([, point]) => point[along] === origin[along] && Math.sign(point[across] - origin[across]) === side,
  )
  return row.toSorted(
    ([, left], [, right]) =>
      Math.abs(left[across] - origin[across]) - Math.abs(right[across] - origin[across]),
  )[0]?.[0]
}
