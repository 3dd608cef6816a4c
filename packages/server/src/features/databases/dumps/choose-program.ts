import type { DumpProgram } from '../provider.ts'

const majorOf = (version: string) => Number.parseInt(version, 10)

/**
 * The first program that can dump a server of this version, or a sentence that says why none can: `pg_dump` refuses a
 * server of a newer major version than its own.
 */
export function chooseProgram(
  programs: readonly DumpProgram[],
  serverVersion: string,
): { program: DumpProgram } | { refusal: string } {
  const needed = majorOf(serverVersion)
  const program = programs.find(({ version }) => majorOf(version) >= needed)
  if (program !== undefined) return { program }
  const wayOut = `Install the client programs of PostgreSQL ${needed} (on Debian and Ubuntu the package postgresql-client-${needed} of apt.postgresql.org) on the machine of Bey, so that pg_dump is on its PATH.`
  const newest = programs.toSorted((one, other) => majorOf(other.version) - majorOf(one.version))[0]
  return {
    refusal:
      newest === undefined
        ? `There is no pg_dump on the machine of Bey. ${wayOut}`
        : `pg_dump ${newest.version} (${newest.file}) is older than the server, which runs PostgreSQL ${serverVersion}, and cannot dump it. ${wayOut}`,
  }
}
