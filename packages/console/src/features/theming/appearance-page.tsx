import { themeBounds } from '@bey/contract'
import { causeOf } from '../../lib/error-text.ts'
import { KeyHint } from '../../ui/key-hint.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SavedState } from '../../ui/saved-state.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { Slider } from '../../ui/slider.tsx'
import { Switch } from '../../ui/switch.tsx'
import { changeTheme, useDarkPreferred, useThemeSettings } from './theme.ts'
import { ColorPicker } from './color-picker.tsx'
import { ModeChoice } from './mode-choice.tsx'
import { PresetChoice } from './preset-choice.tsx'
import { RatioList } from './ratio-list.tsx'
import { retryThemeSave, useThemeSaveState } from './settings-sync.tsx'
import { ShareTheme } from './share-theme.tsx'
import { accentSwatches, baseSwatches } from './swatches.ts'
import { ThemePreview } from './theme-preview.tsx'
import { shownSource } from './theme-settings.ts'

/** Theme, colours, density and motion, kept with the account. */
export function AppearancePage() {
  const theme = useThemeSettings()
  const shown = shownSource(theme, useDarkPreferred())
  return (
    <>
      <PageHeader
        title="Appearance"
        description="How Bey looks for you, wherever you log in."
        actions={<ThemeSaved />}
      />
      {/* Beside the controls or, where there is no room, above them and in sight while one changes them. */}
      <div className="flex flex-col xl:grid xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0 max-xl:order-2 max-xl:[&_:is(input,button)]:scroll-mt-44">
          <SettingsSection title="Theme" hint={<ThemeKeys />}>
            <ModeChoice theme={theme} />
          </SettingsSection>
          <SettingsSection
            title="Colours"
            hint="Every colour is made from these: two colours and a contrast. Changing one makes the theme custom. Text stays readable whatever you choose."
          >
            <div className="flex flex-col gap-6">
              <PresetChoice shown={shown} />
              <ColorPicker
                label="Base colour"
                hint="The background. Surfaces, lines and text follow from it; a dark base makes a dark theme."
                value={shown.base}
                swatches={baseSwatches}
                onChange={(baseColor) => changeTheme({ baseColor })}
              />
              <ColorPicker
                label="Accent colour"
                hint="The primary button, the focus ring, what is selected and the first series of charts."
                value={shown.accent}
                swatches={accentSwatches}
                onChange={(accentColor) => changeTheme({ accentColor })}
              />
              <fieldset>
                <legend className="mb-2 font-medium">Contrast</legend>
                <p className="mb-3 text-small text-text-3">
                  How far surfaces, lines and text stand apart. 33 is normal.
                </p>
                <Slider
                  label="Amount"
                  value={shown.contrast}
                  max={themeBounds.contrast}
                  step={1}
                  onChange={(contrast) => changeTheme({ contrast })}
                />
              </fieldset>
            </div>
          </SettingsSection>
          <SettingsSection title="Density and motion" hint="Both act at once, in every theme.">
            <div className="flex max-w-md flex-col gap-4">
              <Switch
                label="Dense rows"
                hint="Rows of tables are 28 instead of 36 pixels high."
                checked={theme.denseMode}
                onChange={(event) => changeTheme({ denseMode: event.target.checked })}
              />
              <Switch
                label="Animations"
                hint="Off, nothing slides, fades or pulses."
                checked={theme.animationsEnabled}
                onChange={(event) => changeTheme({ animationsEnabled: event.target.checked })}
              />
            </div>
          </SettingsSection>
          <SettingsSection title="Share" hint="Base, accent and contrast as a short code for a colleague.">
            <ShareTheme shown={shown} />
          </SettingsSection>
        </div>
        <aside aria-label="Preview" className="border-line max-xl:contents xl:border-l xl:px-5 xl:py-6">
          <div className="flex flex-col gap-5 max-xl:contents xl:sticky xl:top-6">
            <div className="border-line max-xl:sticky max-xl:top-0 max-xl:z-10 max-xl:order-1 max-xl:border-b max-xl:bg-bg max-xl:px-(--gutter) max-xl:py-3">
              <h2 className="mb-2 font-semibold max-xl:sr-only">Preview</h2>
              <ThemePreview />
            </div>
            <div className="max-w-md border-line max-xl:order-3 max-xl:border-t max-xl:px-(--gutter) max-xl:py-6">
              <h2 className="font-semibold">Contrast, solved</h2>
              <p className="mt-1 mb-1 text-small text-text-3">
                Against the least favourable surface, as WCAG 2.2 counts it.
              </p>
              <RatioList source={shown} />
            </div>
          </div>
        </aside>
      </div>
    </>
  )
}

function ThemeKeys() {
  return (
    <>
      From any page with{' '}
      {['l', 'd', 's', 'c'].map((key) => (
        <span key={key}>
          <KeyHint keys={['t', key]} />{' '}
        </span>
      ))}
      or in the command palette.
    </>
  )
}

function ThemeSaved() {
  const state = useThemeSaveState()
  const reason = state.phase === 'failed' ? causeOf(state.error) : undefined
  return <SavedState phase={state.phase} reason={reason} onRetry={retryThemeSave} />
}
