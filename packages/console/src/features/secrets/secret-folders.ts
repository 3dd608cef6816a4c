/** What of a name comes before its last slash, with the slash; empty where it has none. */
export function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1)
}

/** The group of names whose folder holds no other on the page. */
export const noFolder = ''

export interface FolderedRows<Row> {
  /** By folder, those without one last; the order within a folder stays. */
  rows: readonly Row[]
  /** The folder under which a row stands; `noFolder` where it is the only one of its folder. */
  folderOf: (row: Row) => string
  counts: ReadonlyMap<string, number>
  hasFolders: boolean
}

/** Names with the same folder stand together; a folder of one is none. */
export function inFolders<Row extends { name: string }>(rows: readonly Row[]): FolderedRows<Row> {
  const sizes = new Map<string, number>()
  for (const { name } of rows) sizes.set(folderOf(name), (sizes.get(folderOf(name)) ?? 0) + 1)
  const folderOfRow = ({ name }: Row) => {
    const folder = folderOf(name)
    return (sizes.get(folder) ?? 0) > 1 ? folder : noFolder
  }
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const folder = folderOfRow(row)
    const found = groups.get(folder)
    if (found) found.push(row)
    else groups.set(folder, [row])
  }
  const folders = [...groups.keys()].filter((folder) => folder !== noFolder)
  const ordered = [...folders, noFolder].flatMap((folder) => groups.get(folder) ?? [])
  const counts = new Map([...groups].map(([folder, each]) => [folder, each.length]))
  return { rows: ordered, folderOf: folderOfRow, counts, hasFolders: folders.length > 0 }
}
