import { Component } from 'react'
import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'

export interface PanelBoundaryProps {
  /** What the panel is called: "Capacity". Reports of its errors name it. */
  panel: string
  children: ReactNode
}

/** Keeps an error of one panel to that panel: the rest of the page stays. */
export class PanelBoundary extends Component<PanelBoundaryProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render() {
    const { panel, children } = this.props
    const { error } = this.state
    if (!error) return children
    return (
      <ErrorState
        title={`${panel} could not be shown`}
        detail={error.message}
        isCompact
        onRetry={() => this.setState({ error: undefined })}
      />
    )
  }
}
