import type { ResourceInfo } from '@bey/contract'

/** "config maps": the kind in words, for sentences. */
export function pluralOf({ kind, plural }: Pick<ResourceInfo, 'kind' | 'plural'>): string {
  const words = kind.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  const flat = words.replaceAll(' ', '')
  return plural.startsWith(flat) ? words + plural.slice(flat.length) : plural
}

/** "Config maps": the same where it begins a line. */
export function pluralTitle(info: Pick<ResourceInfo, 'kind' | 'plural'>): string {
  const text = pluralOf(info)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
