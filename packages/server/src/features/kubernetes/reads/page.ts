export type PageQuery = { page: number; limit: number; order?: 'asc' | 'desc' | undefined }

/** One page of the rows that match, in order, and how many match; goes through the rows once, without a copy. */
export function pageOf<E>(
  rows: readonly E[],
  { page, limit, order }: PageQuery,
  isWanted: (row: E) => boolean,
): { rows: E[]; total: number } {
  const from = (page - 1) * limit
  const found: E[] = []
  let total = 0
  for (let index = 0; index < rows.length; index++) {
    const row = rows[order === 'desc' ? rows.length - 1 - index : index]
    if (row === undefined || !isWanted(row)) continue
    if (total >= from && found.length < limit) found.push(row)
    total += 1
  }
  return { rows: found, total }
}

/** Whether a name contains what was searched for, whatever the case. */
export function nameMatcher(search: string | undefined): (row: { name: string }) => boolean {
  const text = search?.toLowerCase()
  return text ? ({ name }) => name.toLowerCase().includes(text) : () => true
}
