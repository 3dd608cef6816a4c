import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Popover } from '../../ui/popover.tsx'
import { SwitcherButton } from './switcher-button.tsx'
import { SwitcherPanel } from './switcher-panel.tsx'

/** The button beside the selected service, and the panel that it opens. Loaded when it is first asked for. */
export default function ServiceSwitcher({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const router = useRouter()
  const [isOpen, setOpen] = useState(true)
  const leave = () => {
    setOpen(false)
    onNavigate?.()
  }
  const go = (path: string) => {
    leave()
    void router.navigate({ href: path })
  }
  return (
    <Popover trigger={<SwitcherButton />} label="Services" open={isOpen} onOpenChange={setOpen}>
      <SwitcherPanel onGo={go} onLeave={leave} />
    </Popover>
  )
}
