import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'

interface LinesFieldProps {
  label: string
  hint: string
  error: string | undefined
  disabled: boolean
  /** Of the text. */
  className?: string
  value: string
  onChange: (value: string) => void
}

/** A list that is typed one entry a line. */
export function LinesField({ label, hint, error, value, onChange, ...text }: LinesFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className="max-w-xl">
      {(control) => (
        <TextArea
          {...control}
          rows={Math.max(1, Math.min(8, value.split('\n').length))}
          spellCheck={false}
          {...text}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
