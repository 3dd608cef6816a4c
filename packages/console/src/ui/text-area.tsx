import type { Ref, TextareaHTMLAttributes } from 'react'
import { cx } from './class-names.ts'
import { controlClass } from './input.tsx'

export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>
}

/** Text of several lines. */
export function TextArea({ className, ...rest }: TextAreaProps) {
  return (
    <textarea
      {...rest}
      className={cx(controlClass, 'block resize-y px-2.5 py-1.5 touch:text-dialog', className)}
    />
  )
}
