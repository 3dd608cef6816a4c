import { FileInput, Upload } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { DragEvent, ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'

export interface Source {
  /** Of the file; "Pasted text" without one. */
  name: string
  text: string
}

const command = 'kubectl config view --raw --flatten'

export interface SourceProps {
  onTake: (source: Source) => void
  busy: boolean
  error: string | undefined
}

/** Where a kubeconfig is dropped, chosen or pasted. */
export function KubeconfigSource({ onTake, busy, error }: SourceProps) {
  const [isPasting, setPasting] = useState(false)
  const [text, setText] = useState('')
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      {isPasting ? (
        <div className="rounded-card border border-line p-4">
          <Field label="Kubeconfig" hint="It is read and tested; nothing is kept until you import.">
            {(control) => (
              <TextArea
                {...control}
                // The wish to paste was just said.
                // oxlint-disable-next-line jsx-a11y/no-autofocus
                autoFocus
                value={text}
                onChange={(event) => setText(event.target.value)}
                rows={14}
                spellCheck={false}
                autoComplete="off"
                className="font-mono text-small"
                placeholder="apiVersion: v1&#10;kind: Config"
              />
            )}
          </Field>
          <div className="mt-3 flex gap-2">
            <Button
              variant="primary"
              busy={busy}
              disabledReason={text.trim() === '' ? 'Paste a kubeconfig first.' : undefined}
              onClick={() => onTake({ name: 'Pasted text', text })}
            >
              Read and test
            </Button>
            <Button onClick={() => setPasting(false)}>Use a file instead</Button>
          </div>
        </div>
      ) : (
        <DropArea onTake={onTake}>
          <Upload size={20} strokeWidth={1.5} aria-hidden className="text-text-3" />
          <p className="font-medium">Drop a kubeconfig here</p>
          <p className="text-text-2">
            Every context in it is tested at once. Nothing is kept until you import.
          </p>
          <div className="mt-2 flex flex-wrap justify-center gap-2">
            <FileButton label="Choose a file" variant="primary" onTake={onTake} busy={busy} />
            <Button onClick={() => setPasting(true)}>Paste instead</Button>
          </div>
        </DropArea>
      )}
      <p role="alert" className={cx('max-w-prose text-danger', !error && 'hidden')}>
        {error}
      </p>
      <div className="max-w-prose">
        <p className="text-text-2">
          A kubeconfig for a server holds its certificates and tokens itself, not as paths to files:
        </p>
        <div className="mt-2">
          <CodeBlock label="Command that prints such a kubeconfig" text={command} />
        </div>
      </div>
    </div>
  )
}

/** What was taken, and the ways to take another one. Another file can be dropped on it. */
export function TakenSource({
  source,
  facts,
  onTake,
  onClear,
}: {
  source: Source
  facts: string
  onTake: (source: Source) => void
  onClear: () => void
}) {
  return (
    <DropArea onTake={onTake} isCompact>
      <span className="flex size-8 shrink-0 items-center justify-center rounded-control bg-sunken text-text-2">
        <FileInput size={16} strokeWidth={1.5} aria-hidden />
      </span>
      <div className="min-w-0 flex-1 basis-60 text-left">
        <p className="break-words">
          <span className="font-medium">{source.name}</span>{' '}
          <span className="text-text-2 tabular-nums">
            {(new Blob([source.text]).size / 1024).toFixed(1)} KB
          </span>
        </p>
        <p className="text-small text-text-2">
          {facts} Credentials are sealed when you import and are never shown again.
        </p>
      </div>
      <div className="flex gap-2">
        <FileButton label="Replace" onTake={onTake} busy={false} />
        <Button variant="ghost" onClick={onClear}>
          Paste instead
        </Button>
      </div>
    </DropArea>
  )
}

function DropArea({
  onTake,
  isCompact = false,
  children,
}: {
  onTake: (source: Source) => void
  isCompact?: boolean
  children: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) void take(file, onTake)
  }
  return (
    // Dropping is a second way: the buttons inside do the same by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset
      aria-label="Kubeconfig"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'rounded-card border',
        isCompact
          ? 'flex flex-wrap items-center gap-3 p-3'
          : 'flex flex-col items-center gap-1 border-dashed px-4 py-10 text-center',
        isOver ? 'border-accent bg-accent-soft' : isCompact ? 'border-line' : 'border-line-strong',
      )}
    >
      {children}
    </fieldset>
  )
}

function FileButton({
  label,
  variant = 'secondary',
  busy,
  onTake,
}: {
  label: string
  variant?: 'primary' | 'secondary'
  busy: boolean
  onTake: (source: Source) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        aria-label={`${label}: kubeconfig`}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void take(file, onTake)
          // The same file, mended meanwhile, can be chosen again.
          event.target.value = ''
        }}
      />
      <Button variant={variant} busy={busy} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  )
}

async function take(file: File, onTake: (source: Source) => void): Promise<void> {
  // What is far too large need not be read; the server says the limit.
  const text = await file.slice(0, 1024 * 1024).text()
  onTake({ name: file.name, text })
}
