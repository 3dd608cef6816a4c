import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { DragEvent } from 'react'
import { Button } from './button.tsx'
import { cx } from './class-names.ts'
import { Field } from './field.tsx'
import { TextArea } from './text-area.tsx'

export interface FileTextProps {
  label: string
  hint?: string
  value: string
  error?: string | undefined
  /** File names that the browser offers: `.env,.yaml`. */
  accept: string
  maxBytes: number
  onChange: (text: string) => void
}

/** A text that is pasted, or comes from a file that is chosen or dropped. The file is read in the browser alone. */
export function FileText({ label, hint, value, error, accept, maxBytes, onChange }: FileTextProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [refusal, setRefusal] = useState<string>()

  async function read(file: File | undefined): Promise<void> {
    if (file === undefined) return
    if (file.size > maxBytes) {
      setRefusal(`${file.name} is larger than ${maxBytes / 1_000_000} MB. Divide it.`)
      return
    }
    setRefusal(undefined)
    onChange(await file.text())
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void read(event.dataTransfer.files[0])
  }
  return (
    <Field
      label={label}
      required
      hint={hint}
      error={refusal ?? error}
      aside={
        <>
          <Button
            size="small"
            icon={<Upload size={14} aria-hidden />}
            onClick={() => chooser.current?.click()}
          >
            Choose a file
          </Button>
          <input
            ref={chooser}
            type="file"
            hidden
            accept={accept}
            aria-label={`File for ${label.toLowerCase()}`}
            onChange={(event) => {
              void read(event.target.files?.[0])
              // The same file can be chosen again after it was mended.
              event.target.value = ''
            }}
          />
        </>
      }
    >
      {(control) => (
        <TextArea
          {...control}
          rows={14}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          wrap="off"
          className={cx('font-mono text-small', isOver && 'border-accent bg-accent-soft')}
          value={value}
          onChange={(event) => {
            setRefusal(undefined)
            onChange(event.target.value)
          }}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        />
      )}
    </Field>
  )
}
