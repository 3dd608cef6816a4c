/** The release of the same major version that is newer than what runs, such as `18.5` for `18.4`; undefined for none. */
export function minorUpgrade(running: string | null, brought: string): string | undefined {
  const [now, there] = [partsOf(running ?? ''), partsOf(brought)]
  if (now === undefined || there === undefined || now.major !== there.major) return undefined
  return there.minor > now.minor ? brought : undefined
}

function partsOf(version: string): { major: number; minor: number } | undefined {
  const match = /^(\d+)\.(\d+)/.exec(version)
  return match === null ? undefined : { major: Number(match[1]), minor: Number(match[2]) }
}
