import { cx } from '../../ui/class-names.ts'
import { presets } from '../../ui/theme/presets.ts'
import type { ThemeSource } from '../../ui/theme/presets.ts'
import { changeTheme } from './theme.ts'
import { MiniTheme } from './mini-theme.tsx'
import { isSameSource } from './theme-settings.ts'

const choices = [
  { name: 'Dark', source: presets.dark, themeMode: 'dark' },
  { name: 'Light', source: presets.light, themeMode: 'light' },
  { name: 'GitHub', source: presets.github, themeMode: 'custom' },
  { name: 'Vercel', source: presets.vercel, themeMode: 'custom' },
  { name: 'Tailwind', source: presets.tailwind, themeMode: 'custom' },
] as const

/** Ready-made colours to start from. */
export function PresetChoice({ shown }: { shown: ThemeSource }) {
  return (
    <fieldset className="grid grid-cols-3 gap-3 sm:grid-cols-5">
      <legend className="mb-2 font-medium">Presets</legend>
      {choices.map(({ name, source, themeMode }) => {
        const isShown = isSameSource(source, shown)
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isShown}
            onClick={() =>
              changeTheme({
                themeMode,
                baseColor: source.base,
                accentColor: source.accent,
                contrast: source.contrast,
              })
            }
            className={cx(
              'flex flex-col gap-1.5 rounded-card border p-1.5 text-left transition-colors duration-75 hover:bg-hover',
              isShown ? 'border-accent bg-accent-soft' : 'border-line',
            )}
          >
            <MiniTheme source={source} />
            <span className="px-0.5 font-medium">{name}</span>
          </button>
        )
      })}
    </fieldset>
  )
}
