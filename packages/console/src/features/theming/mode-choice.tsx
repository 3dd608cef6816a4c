import { themeModes } from '@bey/contract'
import type { ThemeMode, ThemeSettings } from '@bey/contract'
import { cx } from '../../ui/class-names.ts'
import { presets } from '../../ui/theme/presets.ts'
import { isDarkPreferred, setThemeMode } from './theme.ts'
import { MiniTheme } from './mini-theme.tsx'
import { isCustomised, modeLabels, shownSource } from './theme-settings.ts'

const hints: Record<ThemeMode, string> = {
  system: 'Follows this device, also while Bey is open.',
  light: 'Dark text on a light background.',
  dark: 'Light text on a dark background.',
  custom: 'Colours of your own.',
}

/** System, light, dark or custom. */
export function ModeChoice({ theme }: { theme: ThemeSettings }) {
  return (
    <div
      role="radiogroup"
      aria-label="Theme"
      className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-3"
    >
      {themeModes.map((mode) => (
        <label
          key={mode}
          aria-label={modeLabels[mode]}
          className={cx(
            'flex flex-col gap-2 rounded-card border p-2 transition-colors duration-75 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-ring',
            theme.themeMode === mode ? 'border-accent bg-accent-soft' : 'border-line',
          )}
        >
          <ModePicture mode={mode} theme={theme} />
          <span className="flex items-start gap-2">
            <input
              type="radio"
              name="theme"
              aria-label={modeLabels[mode]}
              aria-describedby={`mode-${mode}`}
              className="mt-1 shrink-0 outline-none"
              checked={theme.themeMode === mode}
              onChange={() => setThemeMode(mode)}
            />
            <span>
              <span className="block font-medium">{modeLabels[mode]}</span>
              <span id={`mode-${mode}`} className="block text-small text-text-2">
                {hints[mode]}
              </span>
            </span>
          </span>
        </label>
      ))}
    </div>
  )
}

function ModePicture({ mode, theme }: { mode: ThemeMode; theme: ThemeSettings }) {
  if (mode === 'system') {
    return (
      <span className="grid [&>*]:col-start-1 [&>*]:row-start-1">
        <MiniTheme source={presets.light} />
        <MiniTheme source={presets.dark} className="[clip-path:polygon(62%_0,100%_0,100%_100%,38%_100%)]" />
      </span>
    )
  }
  if (mode !== 'custom') return <MiniTheme source={presets[mode]} />
  // Before there are colours of the user's own, custom starts from what is shown.
  const isOwn = theme.themeMode === 'custom' || isCustomised(theme)
  return (
    <MiniTheme source={shownSource(isOwn ? { ...theme, themeMode: 'custom' } : theme, isDarkPreferred())} />
  )
}
