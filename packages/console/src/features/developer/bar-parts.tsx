import type { ButtonHTMLAttributes } from 'react'
import { cx } from '../../ui/class-names.ts'

export interface BarButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  disabledReason?: string | undefined
}

/** A button as tall as the bar. */
export function BarButton({ disabledReason, className, onClick, ...rest }: BarButtonProps) {
  const isRefused = disabledReason !== undefined
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isRefused || undefined}
      data-tooltip={disabledReason ?? rest['data-tooltip' as keyof typeof rest]}
      onClick={isRefused ? undefined : onClick}
      className={cx(
        'inline-flex h-full shrink-0 items-center gap-1.5 px-2 whitespace-nowrap -outline-offset-2',
        isRefused ? 'cursor-not-allowed text-text-3' : 'text-text-2 hover:bg-hover hover:text-text',
        className,
      )}
    />
  )
}

export interface BarToggleProps {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabledReason?: string | undefined
}

/** "React Scan: On". */
export function BarToggle({ label, isOn, onChange, disabledReason }: BarToggleProps) {
  return (
    <BarButton
      aria-pressed={isOn}
      disabledReason={disabledReason}
      onClick={() => onChange(!isOn)}
      className={isOn ? 'font-medium text-accent-text' : undefined}
    >
      {label}: {isOn ? 'On' : 'Off'}
    </BarButton>
  )
}
