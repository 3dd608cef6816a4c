import { useState } from 'react'
import type { ReactNode } from 'react'
import { parse, stringify } from 'yaml'
import type { FieldProps } from '../../../ui/field.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import type { TextFieldProps } from './text-field.ts'

export interface FreeFieldProps extends Omit<FieldProps, 'children'> {
  value: unknown
  onChange: (value: unknown) => void
  /** Draws the text, where its values may be templates. */
  textField?: ((props: TextFieldProps) => ReactNode) | undefined
}

/** A value of any shape as YAML. While the text cannot be read it is kept here, and says so. */
export function FreeField({ value, onChange, textField, ...field }: FreeFieldProps) {
  const [typed, setTyped] = useState<{ text: string; value: string }>()
  const json = JSON.stringify(value)
  // What was typed holds as long as it says what the value is.
  const text = typed && typed.value === (json ?? '') ? typed.text : textOf(value)
  const [problem, setProblem] = useState<string>()
  const change = (next: string) => {
    const read = readText(next)
    setProblem(read.problem)
    if (read.problem !== undefined) return setTyped({ text: next, value: json ?? '' })
    setTyped({ text: next, value: JSON.stringify(read.value) ?? '' })
    onChange(read.value)
  }
  const error = problem ?? field.error
  const rows = Math.min(12, Math.max(2, text.split('\n').length))
  if (textField)
    return textField({
      ...field,
      error,
      value: text,
      syntax: 'template',
      rows,
      isCode: true,
      onChange: change,
    })
  return (
    <Field {...field} error={error}>
      {(control) => (
        <TextArea
          {...control}
          rows={rows}
          spellCheck={false}
          className="font-mono text-small leading-5"
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </Field>
  )
}

function textOf(value: unknown): string {
  return value === undefined ? '' : stringify(value, { lineWidth: 0 }).trimEnd()
}

function readText(text: string): { value?: unknown; problem?: string } {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: parse(text) as unknown }
  } catch (error) {
    return { problem: error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'This cannot be read.' }
  }
}
