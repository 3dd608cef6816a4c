import { Suspense, useCallback, useRef, useState } from 'react'
import { useOrganizationId, useUser } from '../../data/session.ts'
import { useDevelopmentAids } from './development-aids.ts'
import { DeveloperBar } from './developer-bar.tsx'
import { EngineLine } from './engine-line.tsx'
import { useNearBottom } from './near-bottom.ts'
import { SettingsMenu } from './settings-menu.tsx'
import { useDeveloperSwitch } from './switches.ts'
import { useRealtimeMessages } from './use-realtime-messages.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const EngineDebugger = lazyPart(() => import('./engine-debugger.tsx'))

/** The developer's own tools, below every page: anew for each organization, whose messages they hold. */
export default function DeveloperTools() {
  const userId = useUser()?.id
  const organizationId = useOrganizationId()
  return <Tools key={`${userId} ${organizationId}`} />
}

function Tools() {
  useDevelopmentAids()
  const [isDebugging] = useDeveloperSwitch('workflowDebugger')
  const realtime = useRealtimeMessages(isDebugging)
  const [open, setOpen] = useState<'nothing' | 'settings' | 'debugger'>('nothing')
  const bar = useRef<HTMLElement>(null)
  const visibility = useBarVisibility(bar, open !== 'nothing')
  if (!visibility.isShown) return <DevPanelTab onClick={visibility.restore} />
  return (
    <>
      <DeveloperBar
        ref={bar}
        engine={
          isDebugging ? (
            <EngineLine messageCount={realtime.messages.length} onOpen={() => setOpen('debugger')} />
          ) : null
        }
        settings={
          <SettingsMenu
            open={open === 'settings'}
            onOpenChange={(isOpen) => setOpen(isOpen ? 'settings' : 'nothing')}
            realtime={realtime}
          />
        }
      />
      {open === 'debugger' ? (
        <Suspense fallback={null}>
          <EngineDebugger realtime={realtime} onClose={() => setOpen('nothing')} />
        </Suspense>
      ) : null}
    </>
  )
}

/** With auto-hide the bar shows near the page's bottom, while something of it is open, and when it is asked for. */
function useBarVisibility(bar: React.RefObject<HTMLElement | null>, isInUse: boolean) {
  const [isAutoHide] = useDeveloperSwitch('autoHide')
  const [isBroughtBack, setBroughtBack] = useState(false)
  const scrolled = useCallback(() => setBroughtBack(false), [])
  const isNear = useNearBottom(isAutoHide, bar, scrolled)
  return {
    isShown: !isAutoHide || isNear || isInUse || isBroughtBack,
    restore: () => setBroughtBack(true),
  }
}

// It stands in the strip of the version badge, where it covers nothing.
function DevPanelTab({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="fixed bottom-0 left-1/2 z-30 h-6 -translate-x-1/2 rounded-t-control border border-b-0 border-line bg-sunken px-2.5 text-meta text-text-2 hover:bg-hover hover:text-text"
    >
      Dev Panel
    </button>
  )
}
