import { shellWord } from '@bey/contract'

/** The command that does what the page does, a flag a line; one with an empty value stands alone. */
export function restoreCommand(
  database: { id: string; name: string; isDeleted: boolean },
  flags: readonly (readonly [string, string | undefined])[],
): string {
  const lines = flags.flatMap(([flag, value]) =>
    value === undefined ? [] : [value === '' ? `--${flag}` : `--${flag} ${shellWord(value)}`],
  )
  return [
    `bey databases restore ${shellWord(database.isDeleted ? database.id : database.name)}`,
    ...lines,
  ].join(' \\\n  ')
}
