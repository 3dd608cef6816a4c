import type { Graph, GraphEdge, GraphNode, GraphStep } from './graph-step.ts'

/** More nodes than this cannot be read, and are slow to draw. */
const mostNodes = 300

/**
 * The graph of some steps. Up to `most` steps each is a node; beyond, steps of one type that stand at about the same
 * distance from the beginning become one node. Needs that name no step are left out.
 */
export function graphOf(steps: readonly GraphStep[], most = mostNodes): Graph {
  const known = new Set(steps.map(({ key }) => key))
  if (known.size <= most) {
    const nodes = steps.map(({ key, type }) => ({ id: key, type, members: [key] }))
    return { nodes: unique(nodes), edges: edgesOf(steps, known, (key) => key), isCollapsed: false }
  }
  const depths = depthsOf(steps, known)
  const deepest = Math.max(1, ...depths.values())
  const types = new Set(steps.map(({ type }) => type)).size
  // Each span of depths holds at most one node a type.
  const spans = Math.max(1, Math.floor(most / types))
  const groupOf = new Map<string, string>()
  const groups = new Map<string, { id: string; type: string; members: string[] }>()
  for (const { key, type } of steps) {
    const span = Math.floor(((depths.get(key) ?? 0) * spans) / (deepest + 1))
    const id = `${span} ${type}`
    const group = groups.get(id) ?? { id, type, members: [] }
    group.members.push(key)
    groups.set(id, group)
    groupOf.set(key, id)
  }
  const edges = edgesOf(steps, known, (key) => groupOf.get(key) ?? key)
  return { nodes: [...groups.values()], edges, isCollapsed: true }
}

function unique(nodes: readonly GraphNode[]): readonly GraphNode[] {
  const seen = new Set<string>()
  return nodes.filter(({ id }) => !seen.has(id) && seen.add(id))
}

function edgesOf(
  steps: readonly GraphStep[],
  known: ReadonlySet<string>,
  nodeOf: (key: string) => string,
): GraphEdge[] {
  const edges = new Map<string, GraphEdge>()
  for (const { key, needs } of steps) {
    for (const need of needs) {
      const from = nodeOf(need)
      const to = nodeOf(key)
      if (known.has(need) && from !== to) edges.set(`${from}\n${to}`, { from, to })
    }
  }
  return [...edges.values()]
}

/** The longest way from the beginning to each step. Steps of a cycle stay where the others left them. */
function depthsOf(steps: readonly GraphStep[], known: ReadonlySet<string>): Map<string, number> {
  const depths = new Map(steps.map(({ key }) => [key, 0]))
  const open = new Map(steps.map(({ key, needs }) => [key, needs.filter((need) => known.has(need)).length]))
  const followers = new Map<string, string[]>()
  for (const { key, needs } of steps) {
    for (const need of needs) {
      const list = followers.get(need)
      if (list) list.push(key)
      else followers.set(need, [key])
    }
  }
  const ready = [...open].flatMap(([key, count]) => (count === 0 ? [key] : []))
  for (let key = ready.pop(); key !== undefined; key = ready.pop()) {
    for (const follower of followers.get(key) ?? []) {
      depths.set(follower, Math.max(depths.get(follower) ?? 0, (depths.get(key) ?? 0) + 1))
      const left = (open.get(follower) ?? 0) - 1
      open.set(follower, left)
      if (left === 0) ready.push(follower)
    }
  }
  return depths
}
