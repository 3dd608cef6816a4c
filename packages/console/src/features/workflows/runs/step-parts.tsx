import type { ReactNode } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import type { StepPart } from './run-location.ts'
import { stepParts } from './run-location.ts'

const labels: Record<StepPart, string> = {
  items: 'Items',
  log: 'Log',
  input: 'Input',
  output: 'Output',
  attempts: 'Attempts',
}

/** What of a step is shown, and the tools of that. */
export function StepParts({
  part,
  attempts,
  items,
  onChange,
  toolbar,
}: {
  part: StepPart
  attempts: number
  /** Of a loop. */
  items: number
  onChange: (part: StepPart) => void
  toolbar: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-(--gutter) py-1">
      <fieldset className="-mx-2 flex">
        <legend className="sr-only">What of the step is shown</legend>
        {stepParts
          .filter((each) => each !== 'items' || items > 0)
          .map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === part}
              onClick={() => onChange(each)}
              className={cx(
                'flex h-9 items-center gap-1.5 border-b-2 px-2 font-medium -outline-offset-2',
                each === part
                  ? 'border-accent text-text'
                  : 'border-transparent text-text-2 hover:border-line-strong hover:text-text',
              )}
            >
              {labels[each]}
              <Count of={each === 'attempts' ? attempts : each === 'items' ? items : 0} />
            </button>
          ))}
      </fieldset>
      {toolbar}
    </div>
  )
}

function Count({ of }: { of: number }) {
  if (of === 0) return null
  return <span className="text-small font-normal text-text-3 tabular-nums">{formatNumber(of)}</span>
}
