import { useId } from 'react'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

/** What a field's control must carry to be joined to its label, hint and error. */
interface FieldControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
  'aria-required': boolean | undefined
}

export interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** A sentence that says what is wrong and how to mend it; announced when it appears. */
  error?: ReactNode
  required?: boolean
  /** Beside the label, at its end: a link, a live verdict. */
  aside?: ReactNode
  className?: string
  children: (control: FieldControlProps) => ReactNode
}

export function Field({ label, hint, error, required, aside, className, children }: FieldProps) {
  const id = useId()
  // A rule that is broken stands once, as the error.
  const isHinted = hint && hint !== error
  const hintId = isHinted ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  const describedBy = [errorId, hintId].filter(Boolean).join(' ') || undefined
  return (
    <div className={cx('flex flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium text-text">
          {label}
          {required === false ? <span className="ml-1.5 font-normal text-text-3">optional</span> : null}
        </label>
        {aside ? <span className="text-small text-text-2">{aside}</span> : null}
      </div>
      {children({
        id,
        'aria-describedby': describedBy,
        'aria-invalid': error ? true : undefined,
        'aria-required': required || undefined,
      })}
      {isHinted ? (
        <p id={hintId} className="text-small text-text-3">
          {hint}
        </p>
      ) : null}
      <p id={errorId} role="alert" className={cx('text-small text-danger', !error && 'hidden')}>
        {error}
      </p>
    </div>
  )
}
