import type { FieldProps } from '../../../ui/field.tsx'

/** A field of text whose user offers more than typing. */
export interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  placeholder?: string
  /** Template: text with expressions in braces. Expression: no braces. */
  syntax: 'template' | 'expression' | 'plain'
  /** How many lines it has at least. */
  rows: number
  isCode: boolean
  /** Of an expression that the type of the step evaluates itself: all that it can name. */
  variables?: readonly string[] | undefined
  onChange: (value: string) => void
}
