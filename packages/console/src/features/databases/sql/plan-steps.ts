import type { SqlPlan, SqlPlanNode } from '@bey/contract'
import { formatNumber } from '../../../lib/format.ts'

/** From this factor on a wrong expectation of the planner is said. */
const wrongFrom = 4

/** A step on the axis: what it takes itself, behind the steps that it takes its rows from. In ms, or in units of cost. */
export type PlanStep = { node: SqlPlanNode; from: number; own: number }

/** The steps of a plan in the order of the tree, each with its place on one axis. PostgreSQL interleaves them: lengths are true, places are not moments. */
export function planSteps({ nodes }: Pick<SqlPlan, 'nodes'>): { steps: PlanStep[]; total: number } {
  const children = Map.groupBy(nodes, ({ parentId }) => parentId)
  const from = new Map<number, number>()
  let total = 0
  const place = (node: SqlPlanNode): void => {
    for (const child of children.get(node.id) ?? []) place(child)
    from.set(node.id, total)
    total += ownOf(node)
  }
  for (const root of children.get(null) ?? []) place(root)
  return { steps: nodes.map((node) => ({ node, from: from.get(node.id) ?? 0, own: ownOf(node) })), total }
}

/** What a step took: its time, or its cost where nothing was executed. */
export const ownOf = ({ selfMs, selfCost }: SqlPlanNode): number => selfMs ?? selfCost

/** How wrong the planner was about the rows of a step; undefined where it was not, or where nothing was executed. */
export function wrongGuess({ actualRows, expectedRows }: SqlPlanNode) {
  if (actualRows === null) return undefined
  const [actual, expected] = [Math.max(1, actualRows), Math.max(1, expectedRows)]
  const factor = actual > expected ? actual / expected : expected / actual
  if (factor < wrongFrom) return undefined
  const text = `${formatNumber(Math.round(factor))} × ${actual > expected ? 'more' : 'fewer'} rows`
  return { factor, text }
}

/** "PostgreSQL expected 64 rows of orders and found 8,214." of the step that it was most wrong about. */
export function guessText(nodes: readonly SqlPlanNode[]): string | undefined {
  const wrong = nodes.flatMap((node) => {
    const guess = wrongGuess(node)
    return guess === undefined ? [] : [{ node, factor: guess.factor }]
  })
  const most = wrong.toSorted((a, b) => b.factor - a.factor || b.node.depth - a.node.depth)[0]?.node
  if (most === undefined) return undefined
  const { subject, type, expectedRows, actualRows, loops } = most
  const each = (loops ?? 1) > 1 ? ' each time' : ''
  return `PostgreSQL expected ${formatNumber(Math.round(expectedRows))} rows of ${subject ?? type}${each} and found ${formatNumber(Math.round(actualRows ?? 0))}.`
}

/** Round values of an axis that ends at `total`: at most five. */
export function axisValues(total: number): number[] {
  if (!(total > 0)) return [0]
  const least = total / 5
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= least) ?? least
  return Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => index * step)
}
