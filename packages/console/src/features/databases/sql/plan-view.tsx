import type { SqlPlan } from '@bey/contract'
import { formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import type { PlanStep } from './plan-steps.ts'
import { axisValues, guessText, ownOf, planSteps, wrongGuess } from './plan-steps.ts'
import { formatMs } from './result-text.ts'

const columns = 'md:grid-cols-[minmax(12rem,20rem)_minmax(8rem,1fr)_8rem]'

/** The steps of a plan as a tree, each with its own time or cost on one axis, and where the planner was wrong about rows. */
export function PlanView({ plan, wasExecuted }: { plan: SqlPlan; wasExecuted: boolean }) {
  const { nodes, executionMs, planningMs } = plan
  const { steps, total } = planSteps(plan)
  const most = Math.max(...nodes.map(ownOf))
  const slowest = nodes.length < 2 ? undefined : steps.find(({ own }) => own === most)
  const values = axisValues(total)
  const guess = guessText(nodes)
  const read = readText(plan)
  return (
    <div className="flex flex-col gap-2 px-(--gutter) py-3">
      <p className="text-text-2">
        {wasExecuted && executionMs !== null
          ? `Executed in ${formatMs(executionMs)}, planned in ${formatMs(planningMs ?? 0)}.`
          : 'Not executed: costs and rows are what the planner expects.'}
        {slowest === undefined ? '' : ` ${mostText(slowest, total, wasExecuted)}`}
      </p>
      <div>
        <div
          aria-hidden
          className={cx('hidden gap-4 border-b border-line pb-1 text-small text-text-2 md:grid', columns)}
        >
          <span>{axisText(nodes, wasExecuted)}</span>
          <span className="relative h-4">
            {values
              .filter((value) => value / total < 0.95)
              .map((value) => (
                <span
                  key={value}
                  style={{ left: `${(value / total) * 100}%` }}
                  className={cx('absolute tabular-nums', value > 0 && '-translate-x-1/2')}
                >
                  {value === 0 ? '0' : wasExecuted ? formatMs(value) : formatNumber(value)}
                </span>
              ))}
          </span>
          <span />
        </div>
        <ul aria-label="Plan">
          {steps.map((step) => (
            <Step
              key={step.node.id}
              step={step}
              total={total}
              values={values}
              isSlowest={step === slowest}
              wasExecuted={wasExecuted}
            />
          ))}
        </ul>
      </div>
      {guess === undefined ? null : <p className="font-medium">{guess}</p>}
      {read === undefined ? null : <p className="text-small text-text-2">{read}</p>}
    </div>
  )
}

interface StepProps {
  step: PlanStep
  total: number
  values: readonly number[]
  isSlowest: boolean
  wasExecuted: boolean
}

function Step({ step, total, values, isSlowest, wasExecuted }: StepProps) {
  const { node, from, own } = step
  const { depth, type, subject, conditions, selfMs, selfCost, actualRows, expectedRows, loops } = node
  const wrong = wrongGuess(node)
  const share = (value: number) => (total > 0 ? (value / total) * 100 : 0)
  const rows = actualRows === null ? expectedRows : actualRows * (loops ?? 1)
  return (
    <li
      className={cx(
        'grid min-h-13 grid-cols-[minmax(0,1fr)_auto] items-stretch gap-x-4 border-b border-line',
        columns,
        isSlowest && 'bg-danger-soft',
      )}
    >
      <span className="flex min-w-0 py-1.5" style={{ paddingInlineStart: Math.min(depth, 10) * 16 }}>
        {depth > 0 ? (
          <span
            aria-hidden
            className="mt-1 mr-1.5 ml-1 h-2.5 w-2 shrink-0 border-b border-l border-line-strong"
          />
        ) : null}
        <span className="min-w-0">
          <span className={cx('font-medium', isSlowest && 'text-danger')}>{type}</span>
          {subject === null ? null : <span className="font-mono text-small text-text-2"> {subject}</span>}
          {(loops ?? 1) > 1 ? (
            <span className="text-small text-text-2">, {formatNumber(loops)} times</span>
          ) : null}
          {conditions.map((condition) => (
            <span
              key={condition}
              title={condition}
              className="block truncate font-mono text-small text-text-2"
            >
              {condition}
            </span>
          ))}
        </span>
      </span>
      <span aria-hidden className="relative order-last hidden md:order-none md:block">
        {values.map((value) => (
          <span
            key={value}
            style={{ left: `${share(value)}%` }}
            className="absolute inset-y-0 border-l border-line"
          />
        ))}
        <span
          style={{ left: `${share(from)}%`, width: `${share(own)}%` }}
          className={cx('absolute top-3 h-2.5 min-w-0.5', isSlowest ? 'bg-danger' : 'bg-control')}
        />
      </span>
      <span className="py-1.5 text-right tabular-nums">
        <span className={cx('block', isSlowest && 'text-danger')}>
          {selfMs === null ? `cost ${formatNumber(Math.round(selfCost))}` : formatMs(selfMs)}
        </span>
        <span className="block text-small text-text-2">
          {formatNumber(Math.round(rows))} {wasExecuted ? 'rows' : 'expected'}
        </span>
        {wrong === undefined ? null : <span className="block text-small text-warn">{wrong.text}</span>}
      </span>
    </li>
  )
}

/** A step that several processes did has the times of all of them. */
function axisText(nodes: SqlPlan['nodes'], wasExecuted: boolean): string {
  if (!wasExecuted) return 'Own cost of each step'
  const isParallel = nodes.some(({ type }) => type.startsWith('Gather'))
  return isParallel ? 'Own time of each step, all workers' : 'Own time of each step'
}

function mostText({ node, own }: PlanStep, total: number, wasExecuted: boolean): string {
  const { type, subject } = node
  const what = `${type}${subject === null ? '' : ` on ${subject}`}`
  return `${Math.round((own / total) * 100)}% of the ${wasExecuted ? 'time' : 'cost'} is ${what}.`
}

/** "Read 1,204 blocks of 8 KiB, 96% of them from memory." */
function readText({ nodes }: SqlPlan): string | undefined {
  const hit = nodes.reduce((sum, { blocksHit }) => sum + (blocksHit ?? 0), 0)
  const all = nodes.reduce((sum, { blocksRead }) => sum + (blocksRead ?? 0), hit)
  if (all === 0) return undefined
  return `Read ${formatNumber(all)} blocks of 8 KiB, ${Math.floor((hit / all) * 100)}% of them from memory.`
}
