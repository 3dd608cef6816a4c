/** Bounds of annotations that both the console and the server keep. Lengths in characters. */
export const annotationLimits = {
  text: 5_000,
  reply: 2_000,
  selectedText: 5_000,
  componentName: 600,
  url: 2_000,
  /** Elements of one selection: one XPath a line. */
  elements: 200,
  xpath: 2_000,
  xpaths: 100_000,
  replies: 100,
  perOrganization: 10_000,
} as const

export const annotationStatuses = ['open', 'resolved'] as const
export type AnnotationStatus = (typeof annotationStatuses)[number]

/** Legal moves of an annotation: what was resolved can be taken up again. */
export const annotationMoves: Record<AnnotationStatus, readonly AnnotationStatus[]> = {
  open: ['resolved'],
  resolved: ['open'],
}

/**
 * The path of this console that an address names, with its search and without its fragment; undefined for an address
 * of somewhere else, or for none at all. Takes a path, or a whole URL whose origin `isOwn` knows.
 */
export function consolePath(address: string, isOwn: (origin: URL) => boolean): string | undefined {
  const base = 'http://console.invalid'
  // A browser reads `//host` and `/\host` as another origin, and drops line breaks and tabs wherever they stand.
  if (address.startsWith('/') ? /^\/[/\\]/.test(address) : !/^https?:\/\//i.test(address)) return undefined
  if (/[\s\p{Cc}\\]/u.test(address) || !URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  if (url.username !== '' || url.password !== '') return undefined
  if (!address.startsWith('/') && !isOwn(url)) return undefined
  // `/.//host` is a path of ours that reads as another origin once it stands alone.
  return url.pathname.startsWith('//') ? undefined : url.pathname + url.search
}
