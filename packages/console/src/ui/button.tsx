import { LoaderCircle } from 'lucide-react'
import { useId } from 'react'
import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { cx } from './class-names.ts'
import { Link } from './link.tsx'
import type { LinkProps } from './link.tsx'
import { reasonText, useExplanation } from './refusal.ts'

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
type ButtonSize = 'normal' | 'small'

interface ButtonLook {
  /** At most one primary button per view. Default: secondary. */
  variant?: ButtonVariant
  /** `normal` is 32 px, `small` 28 px for toolbars; both 36 px on touch screens. */
  size?: ButtonSize
  icon?: ReactNode
}

export interface ButtonProps extends ButtonLook, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Why the action is not to be had; disables it and keeps it focusable, so that the reason can be read. */
  disabledReason?: string | undefined
  /** Shows a spinner and ignores clicks. */
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-accent-label hover:bg-accent-hover',
  secondary: 'border-line-strong bg-raised text-text hover:bg-hover',
  ghost: 'border-transparent text-text-2 hover:bg-hover hover:text-text',
  danger: 'border-transparent bg-danger-solid text-danger-label hover:brightness-95',
}

const inert = 'cursor-not-allowed border-line bg-sunken text-text-3'
/** Not to be had yet, but still the one to look for. */
const inertPrimary = 'cursor-not-allowed border-transparent bg-accent text-accent-label opacity-60'

/** The shared look of buttons, links that act as buttons, and triggers. */
function buttonClass({ variant = 'secondary', size = 'normal' }: ButtonLook, isInert = false): string {
  const inertLook = variant === 'primary' ? inertPrimary : inert
  return cx(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control border font-medium whitespace-nowrap select-none transition-colors duration-75 touch:h-9',
    size === 'normal' ? 'h-8 px-3' : 'h-7 px-2.5',
    isInert ? inertLook : variants[variant],
  )
}

export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    icon,
    disabledReason,
    busy = false,
    disabled,
    className,
    children,
    onClick,
    ...rest
  } = props
  const isRefused = disabledReason !== undefined
  const reasonId = useId()
  const explanation = useExplanation(disabledReason)
  const reason = disabledReason && reasonText(disabledReason, explanation)
  const look: ButtonLook = {}
  if (variant) look.variant = variant
  if (size) look.size = size
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (!isRefused && !busy) return onClick?.(event)
    event.preventDefault()
    if (isRefused) explanation?.()
  }
  return (
    <>
      <button
        type="button"
        {...rest}
        disabled={disabled}
        aria-disabled={isRefused || busy || undefined}
        aria-busy={busy || undefined}
        aria-describedby={isRefused ? reasonId : rest['aria-describedby']}
        data-tooltip={reason}
        onClick={handleClick}
        className={cx(buttonClass(look, isRefused || disabled), className)}
      >
        {busy ? <LoaderCircle size={14} className="animate-spin" aria-hidden /> : icon}
        {children}
      </button>
      {isRefused ? (
        <span id={reasonId} className="sr-only">
          {reason}
        </span>
      ) : null}
    </>
  )
}

export interface ButtonLinkProps extends ButtonLook, LinkProps {
  /** Why the link is disabled; it is then rendered as a button that shows the reason. */
  disabledReason?: string | undefined
}

/** A link that looks like a button: it goes somewhere instead of doing something. */
export function ButtonLink(props: ButtonLinkProps) {
  const { variant, size, icon, disabledReason, className, children, ...rest } = props
  const look: ButtonLook = {}
  if (variant) look.variant = variant
  if (size) look.size = size
  if (disabledReason !== undefined) {
    return (
      <Button {...look} icon={icon} disabledReason={disabledReason} className={className}>
        {children}
      </Button>
    )
  }
  return (
    <Link {...rest} className={cx(buttonClass(look), className)}>
      {icon}
      {children}
    </Link>
  )
}
