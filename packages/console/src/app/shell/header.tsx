import { Menu as MenuIcon, PanelLeft, RefreshCw, Search } from 'lucide-react'
import { Suspense } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { useOneTabStop } from '../../ui/one-tab-stop.ts'
import { keyText } from '../../ui/key-hint.tsx'
import { useSettled } from '../../data/use-settled.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Notifications } from '../../features/notifications/notifications.tsx'
import { LiveFreshness } from './live-freshness.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'

const CommandsButton = lazyPart(() => import('./commands-button.tsx'))

/** The room of a button that is still loaded. */
const buttonPlace = <span className="size-8 shrink-0 touch:size-9" />

export interface HeaderProps {
  isMobile: boolean
  isExpanded: boolean
  onToggleSidebar: () => void
  onOpenPalette: () => void
}

export function Header({ isMobile, isExpanded, onToggleSidebar, onOpenPalette }: HeaderProps) {
  const isSettled = useSettled()
  const tools = useOneTabStop<HTMLDivElement>('horizontal')
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line pr-3 pl-2 md:pl-3">
      <IconButton
        label={isMobile ? 'Open navigation' : 'Toggle sidebar'}
        shortcut={keyText(['Mod', 'B'])}
        aria-expanded={isMobile ? undefined : isExpanded}
        data-tooltip-side="bottom"
        icon={isMobile ? <MenuIcon size={16} aria-hidden /> : <PanelLeft size={16} aria-hidden />}
        onClick={onToggleSidebar}
        className="aria-expanded:bg-transparent aria-expanded:hover:bg-hover"
      />
      <Breadcrumbs />
      <div
        ref={tools}
        role="toolbar"
        aria-label="Console"
        className="ml-auto flex min-w-0 items-center gap-0.5 md:gap-2"
      >
        <LiveFreshness />
        <Suspense fallback={buttonPlace}>{isSettled ? <CommandsButton /> : buttonPlace}</Suspense>
        <Notifications isMobile={isMobile} />
        <IconButton
          label="Command palette"
          shortcut={keyText(['Mod', 'K'])}
          aria-haspopup="dialog"
          data-tooltip-side="bottom"
          icon={<Search size={15} aria-hidden />}
          onClick={onOpenPalette}
        />
        <IconButton
          label="Refresh page"
          data-tooltip-side="bottom"
          icon={<RefreshCw size={15} aria-hidden />}
          onClick={() => location.reload()}
        />
      </div>
    </header>
  )
}
