import { roleHas } from '@bey/contract'
import { RotateCw } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { useCurrentOrganization, useRole, useUser } from '../../data/session.ts'
import { placeholderOrganization } from '../../data/session-store.ts'
import { useAnnotationMode } from '../../data/annotation-mode.ts'
import { useConnectionWord } from '../../data/use-live-state.ts'
import { liveSocket } from '../../data/live-socket.ts'
import { StatusMark } from '../../ui/status-mark.tsx'
import { statusLook } from '../../ui/status-table.ts'
import { BarFrame } from './bar-frame.tsx'
import { BarButton, BarToggle } from './bar-parts.tsx'
import { aidsRefusal } from './development-aids.ts'
import { useDeveloperSwitch } from './switches.ts'

export interface DeveloperBarProps {
  ref: Ref<HTMLElement>
  /** The engine in a line, while its debugger is switched on. */
  engine: ReactNode
  settings: ReactNode
}

/** Who is at work and where, how the page is connected, and what can be switched. */
export function DeveloperBar({ ref, engine, settings }: DeveloperBarProps) {
  return (
    <BarFrame ref={ref}>
      <div className="flex min-w-0 flex-1 items-stretch overflow-x-auto overflow-y-hidden [scrollbar-width:none]">
        <Identity />
        <Connection />
        {engine}
        <span className="min-w-2 flex-1" />
        <Toggles />
      </div>
      {settings}
    </BarFrame>
  )
}

function Identity() {
  const user = useUser()
  const organization = useCurrentOrganization() ?? placeholderOrganization
  return (
    <span className="flex shrink-0 items-center px-2 font-medium whitespace-nowrap">
      <span className="max-w-64 truncate">{user ? `${organization.name} / ${user.name}` : 'Loading...'}</span>
    </span>
  )
}

function Connection() {
  const word = useConnectionWord()
  const { glyph, isBusy } = statusLook(word)
  const isFine = word === 'live' || word === 'connecting'
  return (
    <span className="flex shrink-0 items-stretch">
      <output className="flex items-center gap-1.5 pl-2">
        <span className={isFine ? 'text-ok' : 'text-danger'}>
          <StatusMark glyph={glyph} isBusy={isBusy} />
        </span>
        <span className={isFine ? 'text-text-2' : 'text-danger'}>{word}</span>
      </output>
      <BarButton aria-label="Reconnect" data-tooltip="Reconnect" onClick={() => liveSocket.reconnect()}>
        <RotateCw size={12} aria-hidden />
      </BarButton>
    </span>
  )
}

function Toggles() {
  const role = useRole()
  const [isAnnotating, setAnnotating] = useAnnotationMode()
  const [isScanning, setScanning] = useDeveloperSwitch('reactScan')
  const [isClicking, setClicking] = useDeveloperSwitch('clickToComponent')
  const areAidsThere = aidsRefusal === undefined
  return (
    <>
      {roleHas(role, 'annotations.create') ? (
        <BarToggle label="Annotation" isOn={isAnnotating} onChange={setAnnotating} />
      ) : null}
      <BarToggle
        label="React Scan"
        isOn={isScanning && areAidsThere}
        onChange={setScanning}
        disabledReason={aidsRefusal}
      />
      <BarToggle
        label="Click to Component"
        isOn={isClicking && areAidsThere}
        onChange={setClicking}
        disabledReason={aidsRefusal}
      />
    </>
  )
}
