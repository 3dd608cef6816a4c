/** A word as a shell takes it whole: names of things may have spaces and worse. */
export function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Rows as the command line prints them; an empty list in its words. */
export function tableText(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'Nothing to list.'
  const all = [heads, ...rows]
  const widths = heads.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  return all.map(line).join('\n')
}
