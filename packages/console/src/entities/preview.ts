import type { ComponentType, ReactNode } from 'react'

export interface PreviewProps {
  id: string
}

export interface PreviewActionsProps extends PreviewProps {
  /** Goes to the page of the thing. */
  onChoose: () => void
  /** Closes the palette and goes there. */
  onOpen: (path: string) => void
  /** Closes the palette and shows a dialog in its place. */
  onAsk: (dialog: (close: () => void) => ReactNode) => void
}

/** How the palette shows one thing beside its results. */
export interface EntityPreview {
  Details: ComponentType<PreviewProps>
  Actions: ComponentType<PreviewActionsProps>
}
