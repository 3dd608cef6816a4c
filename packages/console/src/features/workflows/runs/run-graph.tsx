import type { StepRun } from '@bey/contract'
import { useMemo } from 'react'
import { itemsByLoop } from './loop-items.ts'
import { nodeLook } from './node-look.tsx'
import { StepGraph } from '../graph/step-graph.tsx'
import type { RunDetail } from '../../../data/workflows.ts'
import { formatNumber } from '../../../lib/format.ts'
import { StatusMark } from '../../../ui/status-mark.tsx'
import { statusLook } from '../../../ui/status-table.ts'
import { useIsMobile } from '../../../ui/use-is-mobile.ts'

export interface RunGraphProps {
  detail: RunDetail
  now: number
  selected: string | undefined
  /** What the reader chose; comes into view. */
  chosen: string | undefined
  onSelect: (stepKey: string) => void
}

/** The graph of a run: iterations are counted in the node of the step that they belong to. */
export function RunGraph({ detail, now, selected, chosen, onSelect }: RunGraphProps) {
  const direction = useIsMobile() ? 'down' : 'right'
  const { steps, usual } = detail
  // Live changes of status must not lay the graph out anew.
  const shape = JSON.stringify(
    steps.flatMap(({ key, type, needs, parentKey }) => (parentKey === null ? [{ key, type, needs }] : [])),
  )
  const graphSteps = useMemo(
    (): { key: string; type: string; needs: string[] }[] => JSON.parse(shape),
    [shape],
  )
  const byKey = useMemo(() => new Map(steps.map((step) => [step.key, step])), [steps])
  const items = useMemo(() => itemsByLoop(steps), [steps])
  const lookOf = useMemo(
    () =>
      ({ type, members }: { type: string; members: readonly string[] }) =>
        nodeLook(
          type,
          members.flatMap((key) => byKey.get(key) ?? []),
          usual,
          now,
          items.get(members[0] ?? ''),
        ),
    [byKey, items, usual, now],
  )
  const edgeLookOf = useMemo(
    () => (from: string, to: string) => {
      const [first, second] = [byKey.get(from), byKey.get(to)]
      return {
        isStrong: first?.status === 'succeeded' && second !== undefined && second.startedAt !== null,
        isDashed: second?.status === 'skipped' || first?.status === 'skipped',
      }
    },
    [byKey],
  )
  return (
    <StepGraph
      label="Graph of the steps"
      steps={graphSteps}
      direction={direction}
      lookOf={lookOf}
      edgeLookOf={edgeLookOf}
      selected={byKey.get(selected ?? '')?.parentKey ?? selected}
      revealed={byKey.get(chosen ?? '')?.parentKey ?? chosen}
      onSelect={({ members }) => {
        const first = members.find((key) => key === selected) ?? worstOf(members, byKey)
        if (first) onSelect(first)
      }}
      legend={<Legend steps={steps} />}
      className="size-full"
    />
  )
}

/** Of several steps in one node, the one to look at. */
function worstOf(members: readonly string[], byKey: ReadonlyMap<string, StepRun>): string | undefined {
  const order = ['uncertain', 'failed', 'timed_out', 'running', 'waiting', 'retry_wait']
  for (const status of order) {
    const found = members.find((key) => byKey.get(key)?.status === status)
    if (found) return found
  }
  return members[0]
}

const counted: readonly (readonly [label: string, statuses: readonly StepRun['status'][]])[] = [
  ['uncertain', ['uncertain']],
  ['failed', ['failed', 'timed_out']],
  ['running', ['running', 'ready']],
  ['waiting', ['waiting', 'retry_wait']],
  ['done', ['succeeded']],
  ['skipped', ['skipped', 'cancelled']],
  ['not begun', ['pending']],
]

function Legend({ steps }: { steps: readonly StepRun[] }) {
  const own = steps.filter(({ parentKey }) => parentKey === null)
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-4 rounded-control bg-bg/80 px-2 py-1 tabular-nums max-md:hidden">
      {counted.flatMap(([label, statuses]) => {
        const count = own.filter(({ status }) => statuses.includes(status)).length
        const [status] = statuses
        if (count === 0 || !status) return []
        const { glyph } = statusLook(status, 'run')
        return [
          <span key={label} className="inline-flex items-center gap-1.5">
            <StatusMark glyph={glyph} /> {formatNumber(count)} {label}
          </span>,
        ]
      })}
    </span>
  )
}
