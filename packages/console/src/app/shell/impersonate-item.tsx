import { VenetianMask } from 'lucide-react'
import { useGodmode } from '../../data/godmode.ts'
import { MenuItem } from '../../ui/menu.tsx'

/** In My Account, on a development server that lets testers impersonate: nothing elsewhere. */
export function ImpersonateItem({ onSelect }: { onSelect: () => void }) {
  const godmode = useGodmode(true)
  if (!godmode?.enabled) return null
  return (
    <MenuItem icon={<VenetianMask size={14} aria-hidden />} onSelect={onSelect}>
      Impersonate a user
    </MenuItem>
  )
}
