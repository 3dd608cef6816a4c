export interface UnbuiltScreen {
  /** What the screen will be for, in a sentence. */
  about: string
  /** What helps until then. */
  meanwhile: readonly { label: string; href: string }[]
}

const runs = { label: 'Workflow runs', href: '/workflows/runs' }
const dashboard = { label: 'Dashboard', href: '/' }

/** What a screen that is not built yet says, by its route. */
export const unbuiltScreens: Readonly<Record<string, UnbuiltScreen>> = {
  '/workflows/create': {
    about: 'An editor for workflows of your own.',
    meanwhile: [{ label: 'Built-in workflows', href: '/workflows' }, runs],
  },
  '/workflows/$id/edit': {
    about: 'An editor for workflows of your own.',
    meanwhile: [{ label: 'Built-in workflows', href: '/workflows' }, runs],
  },
  '/workflows/$id/execute': {
    about: 'A form to start a workflow with input of your own.',
    meanwhile: [runs],
  },
}

export const unknownScreen: UnbuiltScreen = {
  about: 'This part of Bey is planned, and its address is kept for it.',
  meanwhile: [dashboard],
}
