import { createContext, useContext } from 'react'

/** Opens what explains a reason; undefined for a reason that explains itself. */
export type ExplainRefusal = (reason: string) => (() => void) | undefined

const RefusalContext = createContext<ExplainRefusal>(() => undefined)

/** Gives the design system a function that explains why something is disabled, for reasons that have more to say. */
export const RefusalProvider = RefusalContext.Provider

/** What a disabled control does when it is pressed all the same; undefined where there is nothing more to say. */
export function useExplanation(reason: string | undefined): (() => void) | undefined {
  const explain = useContext(RefusalContext)
  return reason === undefined ? undefined : explain(reason)
}

/** The reason as a disabled control shows it, with the hint that there is more. */
export function reasonText(reason: string, explanation: (() => void) | undefined): string {
  return explanation ? `${reason} Press to see what roles may do.` : reason
}
