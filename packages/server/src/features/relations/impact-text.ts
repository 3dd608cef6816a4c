import { type ImpactRow, type ImpactTime, impactTimes, relationRules } from '@bey/contract'
import type { ImpactAct, Reached } from './graph/impact.ts'
import { countOfKind } from './present.ts'

const timeTexts: Record<ImpactTime, string> = {
  at_once: 'at once',
  next_restart: 'at the next restart',
  next_use: 'at the next use',
  when_destroyed: 'when it is destroyed',
}

/** What happens to a resource, after its name. */
export function consequenceOf({ effect, verb, when, lost }: Reached): string {
  switch (effect) {
    case 'goes_with':
      return relationRules[verb].consequence
    case 'rules_end':
      return relationRules[verb].consequence
    case 'partly':
      return verb === 'owned_by'
        ? `loses ${lost?.count} of ${countOfKind('pod', lost?.of ?? 0)}`
        : `loses ${lost?.count} of ${lost?.of} that it routes to`
    case 'stops':
      if (verb === 'owned_by') return 'has no working pod left'
      // A running pod keeps what it has mounted; what has failed, it does not.
      return verb === 'mounts' && when === 'at_once' ? 'stops' : relationRules[verb].consequence
  }
}

type Counts = { rows: readonly Pick<ImpactRow, 'effect' | 'when' | 'kind' | 'name'>[]; goesWith: number }

/** The outcome in one sentence. `of`: resources that there are. */
export function impactText(name: string, act: ImpactAct, { rows, goesWith }: Counts, of: number): string {
  const total = rows.length + goesWith
  if (total === 0) return act === 'fails' ? `If ${name} fails, nothing else stops.` : `Nothing needs ${name}.`
  const outside = rows.filter(({ kind, effect }) => kind === 'ingress' && effect === 'stops')
  const [first] = outside
  const ingress =
    outside.length === 1 && first
      ? `ingress ${first.name} stops answering ${timeTexts[first.when]}`
      : outside.length > 1
        ? `${countOfKind('ingress', outside.length)} stop answering`
        : undefined
  if (act === 'fails') {
    const feel = `If ${name} fails, ${total} of ${of} resources feel it`
    return `${feel}${ingress ? `, and ${ingress}` : ''}.`
  }
  const parts = [
    ...stopsByTime(rows),
    ...countPart(rows.filter(({ effect }) => effect === 'partly').length, 'loses a part', 'lose a part'),
    ...countPart(
      rows.filter(({ effect }) => effect === 'rules_end').length,
      'loses its network rules',
      'lose their network rules',
    ),
    ...countPart(goesWith, 'is deleted with it', 'are deleted with it'),
  ]
  const [head = '', ...rest] = parts
  const text = `${head}${rest.length > 0 ? `, ${rest.join(', ')}` : ''}`
  return `${ingress ? `${ingress.charAt(0).toUpperCase()}${ingress.slice(1)}. ` : ''}${withNoun(text)}.`
}

function stopsByTime(rows: Counts['rows']): string[] {
  const stops = rows.filter(({ effect }) => effect === 'stops')
  return impactTimes.flatMap((when) =>
    countPart(
      stops.filter((row) => row.when === when).length,
      `stops ${timeTexts[when]}`,
      `stop ${timeTexts[when]}`,
    ),
  )
}

function countPart(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
}

/** `3 stop at once` → `3 resources stop at once`. */
function withNoun(text: string): string {
  return text.replace(
    /^(\d+) /,
    (_, count: string) => `${count} ${count === '1' ? 'resource' : 'resources'} `,
  )
}
