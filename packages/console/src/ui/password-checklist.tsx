import { Check, Circle } from 'lucide-react'

export interface PasswordChecklistProps {
  password: string
  rules: readonly { label: string; holds: (password: string) => boolean }[]
}

/** The rules of a password, each ticked off as it is kept. */
export function PasswordChecklist({ password, rules }: PasswordChecklistProps) {
  return (
    <span className="flex flex-col gap-0.5">
      {rules.map((rule) => {
        const isKept = rule.holds(password)
        return (
          <span
            key={rule.label}
            className={isKept ? 'flex items-center gap-1.5 text-ok' : 'flex items-center gap-1.5'}
          >
            {isKept ? <Check size={12} aria-hidden /> : <Circle size={12} strokeWidth={1.5} aria-hidden />}
            {rule.label}
            <span className="sr-only">{isKept ? ', done' : ', missing'}</span>
          </span>
        )
      })}
    </span>
  )
}
