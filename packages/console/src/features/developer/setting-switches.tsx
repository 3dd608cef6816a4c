import { deniedReason } from '@bey/contract'
import { useRole } from '../../data/session.ts'
import { Switch } from '../../ui/switch.tsx'
import { useAnnotationMode } from '../../data/annotation-mode.ts'
import { aidsRefusal } from './development-aids.ts'
import { useDeveloperSwitch } from './switches.ts'
import type { DeveloperSwitch } from './switches.ts'

/** `onAnnotate`: the page is about to be annotated, and what lies over it is in the way. */
export function SettingSwitches({ onAnnotate }: { onAnnotate: () => void }) {
  return (
    <div className="flex flex-col gap-2.5">
      <SettingSwitch name="reactScan" label="React Scan" refusal={aidsRefusal} hint="Outlines what renders" />
      <SettingSwitch
        name="clickToComponent"
        label="Click to Component"
        refusal={aidsRefusal}
        hint="Alt-click opens the source in your editor"
      />
      <SettingSwitch name="autoHide" label="Auto-hide Panel" hint="Until the page is scrolled to its end" />
      <SettingSwitch name="workflowDebugger" label="Workflow Debugger" />
      <AnnotationSwitch onAnnotate={onAnnotate} />
    </div>
  )
}

interface SettingSwitchProps {
  name: DeveloperSwitch
  label: string
  hint?: string
  /** Why it cannot be switched on here. */
  refusal?: string | undefined
}

function SettingSwitch({ name, label, hint, refusal }: SettingSwitchProps) {
  const [isOn, set] = useDeveloperSwitch(name)
  return (
    <Switch
      label={label}
      hint={refusal ?? hint}
      checked={isOn && !refusal}
      disabled={refusal !== undefined}
      onChange={(event) => set(event.target.checked)}
    />
  )
}

function AnnotationSwitch({ onAnnotate }: { onAnnotate: () => void }) {
  const refusal = deniedReason(useRole(), 'annotations.create')
  const [isOn, set] = useAnnotationMode()
  return (
    <Switch
      label="Annotation Mode"
      hint={refusal}
      checked={isOn && refusal === undefined}
      disabled={refusal !== undefined}
      onChange={(event) => {
        set(event.target.checked)
        if (event.target.checked) onAnnotate()
      }}
    />
  )
}
