import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CodeBlock } from './code-block.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

type Props = {
  title: string
  description: string
  /** What the value is called: "API key". */
  label: string
  value: string
  /** The name of its copy button: "Copy API key". */
  copyLabel: string
  /** Code that uses the value, below a heading. */
  example: { heading: string; label: string; text: string }
  /** Buttons beside the one that closes. */
  actions?: ReactNode
  children?: ReactNode
  onDone: () => void
}

/** Shows a value that the server keeps no copy of. Only its button closes it. */
export function ShownOnceDialog(props: Props) {
  const { title, description, label, value, copyLabel, example, actions, children, onDone } = props
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      title={title}
      description={description}
      size="wide"
      isRequired
      footer={
        <>
          {actions}
          <Button variant="primary" onClick={onDone}>
            I have copied it
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 pb-1">
        <Field label={label}>
          {(control) => (
            <Input
              {...control}
              readOnly
              data-initial-focus=""
              className="font-mono text-small"
              value={value}
              trailing={<CopyButton text={value} label={copyLabel} />}
              onFocus={(event) => event.target.select()}
            />
          )}
        </Field>
        <div>
          <p className="mb-1.5 font-medium">{example.heading}</p>
          <CodeBlock label={example.label} text={example.text} />
        </div>
        {children}
      </div>
    </Dialog>
  )
}
