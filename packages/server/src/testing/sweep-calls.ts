import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointName } from '@bey/contract'
import type { SweepCalls, SweepRow } from './sweep.ts'

const features = join(import.meta.dirname, '../features')
const files = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /(^|\/)sweep\.ts$/.test(path),
)
const brought: SweepCalls[] = await Promise.all(
  files.map(async (path) => (await import(join(features, path))).sweepCalls),
)

/** How to call endpoints that need more than their name, as the features bring it. */
export const sweepCalls: SweepCalls = Object.assign({}, ...brought)

/** How to call an endpoint successfully. */
export function sweepCallOf(name: EndpointName): SweepRow {
  return sweepCalls[name] ?? { call: () => ({}) }
}
