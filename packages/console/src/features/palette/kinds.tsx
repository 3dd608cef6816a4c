import { entityOf } from '@bey/contract'
import { BookOpen, Box, CornerDownLeft, FileText, Globe, SunMoon } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { CommandContext } from '../../lib/command.ts'
import { Icon } from '../../entities/icon.tsx'
import type { PreviewActionsProps } from '../../entities/preview.ts'
import { entityPreviews } from '../../entities/previews.ts'
import { CommandActions, GenericDetails, RouteActions } from './generic-preview.tsx'
import { DocumentActions, DocumentDetails } from './document-preview.tsx'
import { HostActions, HostDetails } from './host-preview.tsx'
import { ObjectActions, ObjectDetails } from './object-preview.tsx'
import type { PaletteItem, PaletteItems, PaletteType } from './item.ts'

export interface ActionsProps<I extends PaletteItem> extends Omit<PreviewActionsProps, 'id'> {
  item: I
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
    icon: (item) => (item.icon ? <Icon name={item.icon} /> : <FileText {...icon} />),
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
  entity: {
    icon: ({ entity }) => <Icon name={entityOf(entity.type).icon} />,
    run: goTo,
    Details: EntityDetails,
    Actions: EntityActions,
  },
  object: {
    icon: () => <Box {...icon} />,
    run: goTo,
    Details: ObjectDetails,
    Actions: ObjectActions,
  },
  host: {
    icon: () => <Globe {...icon} />,
    run: goTo,
    Details: HostDetails,
    Actions: HostActions,
  },
  document: {
    icon: () => <BookOpen {...icon} />,
    run: goTo,
    Details: DocumentDetails,
    Actions: DocumentActions,
  },
}

/** The kind of an item. The table pairs each type with its own items, which TypeScript cannot follow through a union. */
export function kindOf(item: PaletteItem): Kind<PaletteItem> {
  return kinds[item.type] as unknown as Kind<PaletteItem>
}

function EntityDetails({ item: { entity } }: { item: PaletteItems['entity'] }) {
  const { Details } = entityPreviews[entity.type]
  return <Details id={entity.id} />
}

function EntityActions({ item: { entity }, ...actions }: ActionsProps<PaletteItems['entity']>) {
  const { Actions } = entityPreviews[entity.type]
  return <Actions id={entity.id} {...actions} />
}
