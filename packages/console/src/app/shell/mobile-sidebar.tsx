import { Title } from 'radix-ui/dialog'
import type { CSSProperties } from 'react'
import { Layer } from '../../ui/layer.tsx'
import { Sidebar } from './sidebar.tsx'

export interface MobileSidebarProps {
  path: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

const style = { '--sheet-from': 'translateX(-100%)' } satisfies Record<`--${string}`, string> as CSSProperties

/** The sidebar as a slide-over panel, 18rem wide. */
export default function MobileSidebar({ path, open, onOpenChange }: MobileSidebarProps) {
  return (
    <Layer
      open={open}
      onOpenChange={onOpenChange}
      style={style}
      className="fixed inset-y-0 left-0 z-50 w-[18rem] max-w-[85vw] border-r border-line bg-sunken shadow-float data-[state=closed]:animate-[sheet-out_200ms_var(--ease-out)_both] data-[state=open]:animate-[sheet-in_200ms_var(--ease-out)]"
    >
      <Title className="sr-only">Navigation</Title>
      <Sidebar
        path={path}
        isCollapsed={false}
        onExpand={() => undefined}
        onNavigate={() => onOpenChange(false)}
      />
    </Layer>
  )
}
