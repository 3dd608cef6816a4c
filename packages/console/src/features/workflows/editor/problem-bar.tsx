import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { KeyHint } from '../../../ui/key-hint.tsx'
import { StatusMark } from '../../../ui/status-mark.tsx'
import { cx } from '../../../ui/class-names.ts'
import type { Problem } from '../definition/problems.ts'
import { problemPlace } from '../definition/problems.ts'
import type { Editor } from './use-editor.ts'

/** Under the text: why it cannot be read, or the problem at hand with its fix. F8 goes to the next. */
export function ProblemBar({ editor }: { editor: Editor }) {
  const { unreadable, problems, draft, edit, selected } = editor
  if (unreadable) {
    return (
      <Bar isError>
        <strong className="font-medium">Line {unreadable.line} cannot be read.</strong> {unreadable.message}{' '}
        The graph shows the last text that could.
      </Bar>
    )
  }
  const problem = problems.find((each) => each.step === selected) ?? problems[0]
  if (!problem) return null
  return (
    <Bar
      isError={problem.severity === 'error'}
      action={
        <>
          {problems.length > 1 ? (
            <button
              type="button"
              onClick={() => showNextProblem(editor)}
              className="inline-flex min-h-6 items-center gap-1.5 text-small whitespace-nowrap underline underline-offset-4"
            >
              Next of {problems.length} <KeyHint keys={['F8']} />
            </button>
          ) : null}
          {problem.fix ? <FixButton problem={problem} onFix={(apply) => edit(() => apply())} /> : null}
        </>
      }
    >
      <strong className="font-medium">{problemPlace(draft, problem)}.</strong> {problem.message}
    </Bar>
  )
}

function FixButton({ problem, onFix }: { problem: Problem; onFix: (apply: () => string) => void }) {
  const { fix } = problem
  return fix ? (
    <Button size="small" onClick={() => onFix(fix.apply)}>
      {fix.label}
    </Button>
  ) : null
}

function Bar(props: { isError: boolean; action?: ReactNode; children: ReactNode }) {
  const { isError, action, children } = props
  return (
    <div
      aria-live="polite"
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5',
        isError ? 'bg-danger-soft' : 'bg-warn-soft',
      )}
    >
      <span className={isError ? 'text-danger' : 'text-warn'}>
        <StatusMark glyph="triangle" />
      </span>
      <p className="min-w-0 flex-1 basis-60 break-words">{children}</p>
      {action}
    </div>
  )
}

/** Selects the step of the next problem behind the cursor and puts the cursor there; after the last comes the first. */
export function showNextProblem(editor: Editor): void {
  const { view, problems } = editor
  if (!view || problems.length === 0) return
  const at = view.state.selection.main.head
  const next = problems.find(({ from }) => from > at) ?? problems[0]
  if (next) showProblem(editor, next)
}

export function showProblem({ view, select }: Editor, problem: Problem): void {
  if (!view) return
  select(problem.step)
  const from = Math.min(problem.from, view.state.doc.length)
  view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
}
