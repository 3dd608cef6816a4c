import { PageHeader } from '../../ui/page-header.tsx'
import { setThemeMode, useThemeMode } from '../theme.ts'

const choices = [
  { mode: 'system', label: 'System', hint: 'Follows this device, also while Bey is open.' },
  { mode: 'light', label: 'Light', hint: 'Dark text on a light ground.' },
  { mode: 'dark', label: 'Dark', hint: 'Light text on a dark ground.' },
] as const

/** The choice of theme, kept in this browser. */
export function AppearancePage() {
  const current = useThemeMode()
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
        <p className="mt-3 text-small text-text-3">
          Colours of your own, contrast, dense rows and animations are not built yet.
        </p>
      </fieldset>
    </>
  )
}
