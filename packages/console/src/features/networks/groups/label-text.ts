import type { PodLabels } from '@bey/contract/networks/security-group-rules'

/** `app=web, tier=front`; empty where there are none. */
export const labelsText = (labels: PodLabels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')

/** Labels as they are typed; what has no name is left out, and the server says what is no label. */
export function labelsOf(text: string): PodLabels {
  return Object.fromEntries(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => {
        const at = part.indexOf('=')
        return at === -1 ? [part, ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()]
      }),
  )
}
