import { Boxes, CornerDownLeft, FileText, SunMoon, Workflow } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { CommandContext } from '../../lib/command.ts'
import { ServiceIcon } from '../../entities/services/service-icon.tsx'
import { ClusterActions, ClusterDetails } from './cluster-preview.tsx'
import { CommandActions, GenericDetails, RouteActions } from './generic-preview.tsx'
import type { PaletteItem, PaletteItems, PaletteType } from './item.ts'
import { WorkflowActions, WorkflowDetails } from './workflow-preview.tsx'

export interface ActionsProps<I extends PaletteItem> {
  item: I
  /** Does what Enter on the item does. */
  onChoose: () => void
  /** Closes the palette and goes there. */
  onOpen: (path: string) => void
  /** Closes the palette and shows a dialog in its place. */
  onAsk: (dialog: (close: () => void) => ReactNode) => void
}

interface Kind<I extends PaletteItem> {
  icon: (item: I) => ReactNode
  run: (item: I, context: CommandContext) => void
  Details: ComponentType<{ item: I }>
  Actions: ComponentType<ActionsProps<I>>
}

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const
const goTo = ({ path }: { path: string }, { navigate }: CommandContext) => void navigate({ href: path })

/** What the palette needs to know of each type of item. One without preview and actions does not compile. */
const kinds: { [T in PaletteType]: Kind<PaletteItems[T]> } = {
  route: {
    icon: (item) => (item.icon ? <ServiceIcon name={item.icon} /> : <FileText {...icon} />),
    run: goTo,
    Details: GenericDetails,
    Actions: RouteActions,
  },
  action: {
    icon: () => <CornerDownLeft {...icon} />,
    run: ({ command }, context) => command.run(context),
    Details: GenericDetails,
    Actions: CommandActions,
  },
  theme: {
    icon: () => <SunMoon {...icon} />,
    run: ({ command }, context) => command.run(context),
    Details: GenericDetails,
    Actions: CommandActions,
  },
  cluster: {
    icon: () => <Boxes {...icon} />,
    run: goTo,
    Details: ClusterDetails,
    Actions: ClusterActions,
  },
  workflow: {
    icon: () => <Workflow {...icon} />,
    run: goTo,
    Details: WorkflowDetails,
    Actions: WorkflowActions,
  },
}

/** The kind of an item. The table pairs each type with its own items, which TypeScript cannot follow through a union. */
export function kindOf(item: PaletteItem): Kind<PaletteItem> {
  return kinds[item.type] as unknown as Kind<PaletteItem>
}
