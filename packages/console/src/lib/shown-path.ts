import { useRouterState } from '@tanstack/react-router'

/** The path shown, which lags behind the address while a page loads. */
export function useShownPath(): string {
  return useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname })
}
