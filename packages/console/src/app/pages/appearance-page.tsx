import { PageHeader } from '../../ui/page-header.tsx'
import { Switch } from '../../ui/switch.tsx'
import { looks, setThemeMode, useLook, useThemeMode } from '../theme.ts'

const choices = [
  { mode: 'system', label: 'System', hint: 'Follows this device, also while Bey is open.' },
  { mode: 'light', label: 'Light', hint: 'Dark text on a light ground.' },
  { mode: 'dark', label: 'Dark', hint: 'Light text on a dark ground.' },
] as const

/** Theme, density and motion, kept in this browser. */
export function AppearancePage() {
  const current = useThemeMode()
  const [isDense, setDense] = useLook(looks.denseMode)
  const [isAnimated, setAnimated] = useLook(looks.animationsEnabled)
  return (
    <>
      <PageHeader title="Appearance" description="How Bey looks in this browser." />
      <fieldset className="max-w-xl px-(--gutter) py-6">
        <legend className="float-left mb-2 w-full font-medium">Theme</legend>
        <div className="clear-both divide-y divide-line rounded-card border border-line bg-raised">
          {choices.map(({ mode, label, hint }) => (
            <label key={mode} aria-label={label} className="flex items-start gap-3 px-4 py-3 hover:bg-hover">
              <span className="flex h-5 items-center">
                <input
                  type="radio"
                  name="theme"
                  className="size-4"
                  checked={current === mode}
                  onChange={() => setThemeMode(mode)}
                />
              </span>
              <span>
                <span className="block font-medium">{label}</span>
                <span className="block text-small text-text-2">{hint}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <section aria-label="Density and motion" className="flex max-w-xl flex-col gap-4 px-(--gutter) pb-6">
        <Switch
          label="Dense rows"
          hint="Rows of tables are 28 instead of 36 pixels high."
          checked={isDense}
          onChange={(event) => setDense(event.target.checked)}
        />
        <Switch
          label="Animations"
          hint="Off, nothing slides, fades or pulses."
          checked={isAnimated}
          onChange={(event) => setAnimated(event.target.checked)}
        />
        <p className="text-small text-text-3">Colours and contrast of your own are not built yet.</p>
      </section>
    </>
  )
}
