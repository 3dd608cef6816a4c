import type { SqlPlan, SqlPlanNode } from '@bey/contract'
import { formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { SidewaysScroll } from '../../../ui/sideways-scroll.tsx'
import { formatMs } from './result-text.ts'

/** From this factor on a wrong expectation of the planner is said. */
const wrongFrom = 4

/** The steps of a plan as a tree, each with the time or cost of its own and how far the planner was wrong. */
export function PlanView({ plan, wasExecuted }: { plan: SqlPlan; wasExecuted: boolean }) {
  const { nodes, executionMs, planningMs } = plan
  const most = Math.max(...nodes.map(weightOf), Number.MIN_VALUE)
  const slowest = nodes.find((node) => weightOf(node) === most)
  return (
    <div className="flex flex-col gap-2 px-(--gutter) py-3">
      <p className="text-text-2">
        {wasExecuted && executionMs !== null
          ? `Executed in ${formatMs(executionMs)}, planned in ${formatMs(planningMs ?? 0)}.`
          : 'Not executed: costs and rows are what the planner expects.'}
        {slowest === undefined || nodes.length < 2 ? '' : ` ${mostText(slowest, most, nodes, wasExecuted)}`}
      </p>
      <SidewaysScroll label="Steps of the plan">
        <ul aria-label="Plan">
          {nodes.map((node) => (
            <PlanStep
              key={node.id}
              node={node}
              most={most}
              isSlowest={node === slowest && nodes.length > 1}
            />
          ))}
        </ul>
      </SidewaysScroll>
    </div>
  )
}

function PlanStep({ node, most, isSlowest }: { node: SqlPlanNode; most: number; isSlowest: boolean }) {
  const { depth, type, subject, conditions, selfMs, selfCost, actualRows, expectedRows } = node
  const wrong = wrongText(node)
  return (
    <li className="grid min-h-13 min-w-[40rem] grid-cols-[minmax(20rem,1fr)_minmax(8rem,16rem)_7rem_8rem] items-center gap-3 border-b border-line py-1.5">
      <span className="min-w-0" style={{ paddingInlineStart: depth * 16 }}>
        <span className="font-medium">{type}</span>
        {subject === null ? null : <span className="font-mono text-small text-text-2"> {subject}</span>}
        {conditions.map((condition) => (
          <span key={condition} title={condition} className="block truncate font-mono text-small text-text-3">
            {condition}
          </span>
        ))}
        {wrong === undefined ? null : <span className="block text-small text-warn">{wrong}</span>}
      </span>
      <span aria-hidden className="h-2.5 rounded-[2px] bg-sunken">
        <span
          className={cx('block h-full rounded-[2px]', isSlowest ? 'bg-danger' : 'bg-control')}
          style={{ width: `${Math.max(1, (weightOf(node) / most) * 100)}%` }}
        />
      </span>
      <span className="text-right tabular-nums">
        {selfMs === null ? `cost ${formatNumber(Math.round(selfCost))}` : formatMs(selfMs)}
      </span>
      <span className="text-right text-text-2 tabular-nums">
        {formatNumber(Math.round(totalRows(node) ?? expectedRows))}{' '}
        {actualRows === null ? 'expected' : 'rows'}
      </span>
    </li>
  )
}

/** What a step took: its time, or its cost where nothing was executed. */
function weightOf({ selfMs, selfCost }: SqlPlanNode): number {
  return selfMs ?? selfCost
}

/** PostgreSQL gives the rows of one loop. */
function totalRows({ actualRows, loops }: SqlPlanNode): number | null {
  return actualRows === null ? null : actualRows * (loops ?? 1)
}

function mostText(
  slowest: SqlPlanNode,
  most: number,
  nodes: readonly SqlPlanNode[],
  wasExecuted: boolean,
): string {
  const all = nodes.reduce((sum, node) => sum + weightOf(node), 0)
  const share = Math.round((most / all) * 100)
  const what = `${slowest.type}${slowest.subject === null ? '' : ` on ${slowest.subject}`}`
  return `${share}% of the ${wasExecuted ? 'time' : 'cost'} is ${what}.`
}

function wrongText({ actualRows, expectedRows }: SqlPlanNode): string | undefined {
  if (actualRows === null) return undefined
  const [actual, expected] = [Math.max(1, actualRows), Math.max(1, expectedRows)]
  const factor = actual > expected ? actual / expected : expected / actual
  if (factor < wrongFrom) return undefined
  const direction = actual > expected ? 'more' : 'fewer'
  return `${formatNumber(Math.round(factor))} × ${direction} rows than the planner expected (${formatNumber(Math.round(expectedRows))})`
}
