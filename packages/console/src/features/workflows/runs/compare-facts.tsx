import type { RunDetail } from '../../../data/workflows.ts'
import { runHref } from '../../../lib/run-text.ts'
import { cx } from '../../../ui/class-names.ts'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Status } from '../../../ui/status.tsx'
import type { ComparedFact } from './compare-runs.ts'

const cell = 'border-b border-line px-3 py-1.5 text-left align-top first:pl-(--gutter) last:pr-(--gutter)'

/** What went into two runs and what came out, in rows; equal ones are quiet. */
export function CompareFacts({
  a,
  b,
  facts,
}: {
  a: RunDetail
  b: RunDetail
  facts: readonly ComparedFact[]
}) {
  return (
    <section aria-label="In and out" className="shrink-0 overflow-x-auto">
      <table className="w-full min-w-[44rem] table-fixed">
        <colgroup>
          <col className="w-[18%]" />
          <col />
          <col />
          <col className="w-[24%]" />
        </colgroup>
        <thead>
          <tr className="h-8">
            <th scope="col" className={cx(cell, 'font-normal text-text-2')}>
              In and out
            </th>
            <RunHead name="Run A" detail={a} />
            <RunHead name="Run B" detail={b} />
            <th scope="col" className={cx(cell, 'font-normal text-text-2')}>
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {facts.map(({ label, a: left, b: right, difference, isDifferent }) => {
            const [first, second] = isDifferent ? marked(left, right) : [left, right]
            return (
              <tr key={label} className={isDifferent ? '' : 'text-text-3'}>
                <th
                  scope="row"
                  className={cx(cell, 'break-words', isDifferent ? 'font-medium' : 'font-normal')}
                >
                  {label}
                </th>
                <td className={cx(cell, 'break-words')}>{first}</td>
                <td className={cx(cell, 'break-words')}>{second}</td>
                <td className={cx(cell, 'break-words text-text-2')}>{difference}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function RunHead({ name, detail: { run } }: { name: string; detail: RunDetail }) {
  return (
    <th scope="col" className={cx(cell, 'font-medium')}>
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link
          href={runHref({ workflowId: run.workflowId, runId: run.id })}
          className="underline decoration-line-strong underline-offset-2 hover:text-accent-text"
        >
          {name}
        </Link>
        <Status of="run" status={run.status} variant="badge" />
        <span className="font-normal text-text-2">
          <RelativeTime at={run.queuedAt} />
        </span>
      </span>
    </th>
  )
}

/** Two short texts with the part that differs on a ground of its own. */
function marked(a: string, b: string): [React.ReactNode, React.ReactNode] {
  let from = 0
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - from && a.at(-1 - end) === b.at(-1 - end)) end += 1
  // Where little is common, marks would only be in the way.
  if (from + end < 3) return [a, b]
  const part = (text: string) => (
    <>
      {text.slice(0, from)}
      <span className="bg-active">{text.slice(from, text.length - end)}</span>
      {text.slice(text.length - end)}
    </>
  )
  return [part(a), part(b)]
}
