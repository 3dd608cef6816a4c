import { Settings } from 'lucide-react'
import { Popover } from '../../ui/popover.tsx'
import { BarButton } from './bar-parts.tsx'
import { CurrentUserTest } from './current-user-test.tsx'
import { DeveloperActions } from './developer-actions.tsx'
import { EngineBlock } from './engine-block.tsx'
import { LogLevelSelect } from './log-level-select.tsx'
import { OrganizationBlock } from './organization-block.tsx'
import { Block } from './settings-block.tsx'
import { SettingSwitches } from './setting-switches.tsx'
import { useDeveloperSwitch } from './switches.ts'
import type { RealtimeMessages } from './use-realtime-messages.ts'

export interface SettingsMenuProps {
  open: boolean
  onOpenChange: (isOpen: boolean) => void
  realtime: RealtimeMessages
}

/** Everything that the developer can switch, look up and try. */
export function SettingsMenu({ open, onOpenChange, realtime }: SettingsMenuProps) {
  const [isDebugging] = useDeveloperSwitch('workflowDebugger')
  return (
    <Popover
      label="Developer Settings"
      align="end"
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <BarButton className="border-l border-line">
          <Settings size={12} aria-hidden />
          Settings
        </BarButton>
      }
    >
      <div className="-m-3 flex max-h-[min(40rem,calc(100dvh-5rem))] w-[22rem] max-w-[calc(100vw-1rem)] flex-col">
        <h2 className="border-b border-line px-4 py-2.5 font-semibold">Developer Settings</h2>
        <div className="min-h-0 divide-y divide-line overflow-y-auto">
          <Block>
            <SettingSwitches onAnnotate={() => onOpenChange(false)} />
            <LogLevelSelect />
          </Block>
          <Block title="Organization">
            <OrganizationBlock />
          </Block>
          <Block title="Session">
            <CurrentUserTest />
          </Block>
          <Block title="Actions">
            <DeveloperActions />
          </Block>
          {isDebugging ? <EngineBlock realtime={realtime} /> : null}
        </div>
      </div>
    </Popover>
  )
}
