import Palette from '../../features/palette/palette.tsx'
import type { PaletteProps } from '../../features/palette/palette.tsx'
import { useThemeMode } from '../../features/theming/theme.ts'
import { commands } from '../commands.ts'

/** The palette with the commands of the console. */
export default function CommandPalette(props: Omit<PaletteProps, 'commands' | 'theme'>) {
  return <Palette {...props} commands={commands} theme={useThemeMode()} />
}
