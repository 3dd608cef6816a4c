import { useMemo } from 'react'
import Palette from '../../features/palette/palette.tsx'
import type { PaletteProps } from '../../features/palette/palette.tsx'
import { useThemeMode } from '../../features/theming/theme.ts'
import type { Command } from '../../lib/command.ts'
import type { PageAction } from '../../lib/page-actions.ts'
import { useOfferedActions } from '../../lib/page-actions.ts'
import { commands } from '../commands.ts'

/** The palette with the commands of the console, those of the page on screen before them. */
export default function CommandPalette(props: Omit<PaletteProps, 'commands' | 'theme'>) {
  const offered = useOfferedActions()
  const all = useMemo(() => [...offered.map(pageCommand), ...commands], [offered])
  return <Palette {...props} commands={all} theme={useThemeMode()} />
}

function pageCommand({ id, name, shortcut, run }: PageAction): Command {
  return { id, name, group: 'This page', shortcuts: shortcut ? [[shortcut]] : [], run }
}
