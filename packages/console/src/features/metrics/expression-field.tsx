import { useState } from 'react'
import { ExpressionInput } from '../../entities/metrics/expression-input.tsx'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'

/** The text of the expression. Ctrl+Enter, or Cmd+Enter, runs it; what cannot be read is marked at its place. */
export function ExpressionField({
  expr,
  source,
  error,
  onSubmit,
}: {
  expr: string
  source: string | undefined
  error: unknown
  onSubmit: (expr: string) => void
}) {
  const [text, setText] = useState(expr)
  const [known, setKnown] = useState(expr)
  if (known !== expr) {
    setKnown(expr)
    setText(expr)
  }
  const submit = () => {
    if (text.trim() !== '') onSubmit(text)
  }
  const message = error && text === expr ? causeOf(error) : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className="flex flex-wrap items-start gap-2"
    >
      <div className="min-w-0 flex-1 basis-80">
        <ExpressionInput
          aria-label="PromQL expression"
          aria-invalid={message !== undefined}
          aria-describedby={message ? 'expression-error' : undefined}
          value={text}
          rows={2}
          maxLength={4_000}
          className="w-full"
          onChange={setText}
          onSubmit={submit}
          source={source}
        />
        {message ? <Unreadable expr={expr} message={message} /> : null}
      </div>
      <Button type="submit" disabledReason={text.trim() === '' ? 'Write an expression first' : undefined}>
        Run
      </Button>
    </form>
  )
}

/** The sentence of the server, under the expression with the place that it names. */
function Unreadable({ expr, message }: { expr: string; message: string }) {
  const position = Number(/\(at character (\d+)\)/.exec(message)?.[1])
  return (
    <div id="expression-error" role="alert" className="mt-1 text-small text-danger">
      {Number.isInteger(position) && position > 0 ? (
        <p className="font-mono break-all">
          <span className="text-text-2">{expr.slice(Math.max(0, position - 61), position - 1)}</span>
          <mark className="rounded-xs bg-danger-soft text-danger underline decoration-wavy">
            {expr.slice(position - 1, position + 39) || '\u00A0'}
          </mark>
        </p>
      ) : null}
      <p>{message}</p>
    </div>
  )
}
