import type { Run } from '@bey/contract'
import { useStep } from '../../../data/run-steps.ts'
import { cx } from '../../../ui/class-names.ts'
import type { ComparedLine, ComparedStep } from './compare-runs.ts'
import { comparedLines } from './compare-runs.ts'

/** What one step gave back in two runs, line by line. */
export function CompareOutputs({ a, b, step }: { a: Run; b: Run; step: ComparedStep }) {
  const left = useStep(a.workflowId, a.id, step.a ? step.key : undefined)
  const right = useStep(b.workflowId, b.id, step.b ? step.key : undefined)
  const [first, second] = [textOf(left.data, step.key), textOf(right.data, step.key)]
  const lines = comparedLines(first ?? '', second ?? '')
  return (
    <section
      aria-label={`Output of ${step.name}`}
      className="grid shrink-0 lg:grid-cols-2 lg:divide-x lg:divide-line"
    >
      <Side title={`Output of ${step.name} in run A`} lines={first === undefined ? undefined : lines.a} />
      <Side title={`Output of ${step.name} in run B`} lines={second === undefined ? undefined : lines.b} />
    </section>
  )
}

/** Undefined where the step gave nothing back, or is still read. */
function textOf(reply: ReturnType<typeof useStep>['data'], key: string): string | undefined {
  if (reply?.step.key !== key || reply.output === null || reply.output === undefined) return undefined
  return JSON.stringify(reply.output, undefined, 2)
}

function Side({ title, lines }: { title: string; lines: readonly ComparedLine[] | undefined }) {
  return (
    <div className="min-w-0 bg-sunken pb-3">
      <h3 className="px-(--gutter) py-2 text-small font-medium">{title}</h3>
      {lines === undefined ? (
        <p className="px-(--gutter) text-text-3">No output.</p>
      ) : (
        <pre
          // A section would lose the whitespace that pre keeps.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="region"
          aria-label={title}
          // A box that scrolls must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="max-h-80 overflow-auto font-mono text-small leading-5 -outline-offset-2"
        >
          {lines.map(({ text, isOnly }, index) => (
            // Lines have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index} className={cx('flex min-w-max gap-4 px-(--gutter)', isOnly && 'bg-active')}>
              <span aria-hidden className="w-6 shrink-0 text-right text-text-3 select-none">
                {index + 1}
              </span>
              {text}
            </span>
          ))}
        </pre>
      )}
    </div>
  )
}
