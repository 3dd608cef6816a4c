/** Parameter of an address that names the note to be shown on its page. */
export const annotationParam = 'annotation'

/** Parameter of the list's address that names the note whose drawer is open. */
export const drawerParam = 'note'

/** The page on screen as a note keeps it: its path and search, without a note that is shown on it. */
export function pageUrl({ pathname, search }: { pathname: string; search: string } = location): string {
  const params = new URLSearchParams(search)
  if (!params.has(annotationParam)) return pathname + search
  params.delete(annotationParam)
  return params.size === 0 ? pathname : `${pathname}?${params}`
}
