import { ChevronsUpDown } from 'lucide-react'
import type { ButtonHTMLAttributes, Ref } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'

type SwitcherButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }

export function SwitcherButton(props: SwitcherButtonProps) {
  const { 'aria-label': _label, children: _children, ...rest } = props
  return (
    <IconButton
      aria-haspopup="dialog"
      data-tooltip-side="right"
      {...rest}
      label="Switch service"
      icon={<ChevronsUpDown size={14} aria-hidden />}
    />
  )
}
