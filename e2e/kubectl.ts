import { spawnSync } from 'node:child_process'

const places = ['kubectl']

/**
 * A kubectl of version 1.30 or newer: `BEY_KUBECTL`, else one that the machine has, else undefined. Throws where
 * `BEY_KUBECTL` names none: who sets it wants kubectl itself to be tested.
 */
export function kubectlPath(): string | undefined {
  const asked = process.env['BEY_KUBECTL']
  if (!asked) return places.find((place) => minorVersion(place) >= 30)
  if (minorVersion(asked) >= 30) return asked
  throw new Error(`BEY_KUBECTL=${asked} is no kubectl of version 1.30 or newer.`)
}

function minorVersion(command: string): number {
  const result = spawnSync(command, ['version', '--client', '-o', 'json'], { encoding: 'utf8' })
  const minor = result.stdout?.match(/"minor": "(\d+)/)?.[1]
  return Number(minor ?? 0)
}
