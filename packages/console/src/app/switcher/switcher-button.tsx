import { ChevronsUpDown } from 'lucide-react'
import type { ButtonHTMLAttributes, Ref } from 'react'

type SwitcherButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> & {
  ref?: Ref<HTMLButtonElement>
}

/** Opens the service switcher. It has no tooltip, which would lie over the panel. */
export function SwitcherButton(props: SwitcherButtonProps) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      {...props}
      aria-label="Switch service"
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-control text-text-2 transition-colors duration-75 hover:bg-hover hover:text-text data-[state=open]:bg-active touch:size-9"
    >
      <ChevronsUpDown size={14} aria-hidden />
    </button>
  )
}
