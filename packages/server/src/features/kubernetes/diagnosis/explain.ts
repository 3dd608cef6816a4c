import type { Diagnosis, Evidence, Health, Remedy } from '@bey/contract'
import type { Rule } from './rule.ts'
import { proof, refOf } from './rule.ts'
import { ruledOut } from './ruled-out.ts'
import type { Situation } from './situation.ts'

const maxEvidence = 20
const maxRemedies = 5

/**
 * Pure: explains a situation by the rules that fit, from the symptom to what lies behind it. The one that lies deepest
 * is the cause; where none fits, what is known stands without a cause.
 */
export function explain(situation: Situation, health: Health, rules: readonly Rule[]): Diagnosis {
  const found = rules
    .flatMap((rule) => {
      const finding = rule.find(situation)
      return finding ? [{ id: rule.id, ...finding }] : []
    })
    .filter(isFirstOfItsDepth)
  const byDepth = found.toSorted((a, b) => a.depth - b.depth)
  const cause = byDepth.at(-1)
  const evidence = [symptomEvidence(situation, health), ...byDepth.flatMap((each) => each.evidence)]
  // What explains most is mended first.
  const remedies = byDepth.toReversed().flatMap((each) => each.remedies)
  return {
    symptom: symptomText(situation, health),
    since: health.since,
    evidence: unique(evidence, (each) => `${each.text}\n${each.quote}`).slice(0, maxEvidence),
    cause: cause ? { rule: cause.id, text: causeText(cause, byDepth.at(-2)) } : null,
    remedies: unique(remedies, (each: Remedy) => each.text).slice(0, maxRemedies),
    ruledOut: ruledOut(situation),
  }
}

/** A change explains why now; what it broke comes first: "web exits with code 1: DATABASE_URL is not set. It began with …". */
function causeText(cause: { id: string; cause: string }, consequence: { cause: string } | undefined): string {
  const text = `${cause.cause}.`
  return cause.id === 'bad-revision' && consequence ? `${consequence.cause}. ${text}` : text
}

function isFirstOfItsDepth(
  finding: { depth: number },
  index: number,
  all: readonly { depth: number }[],
): boolean {
  return all.findIndex(({ depth }) => depth === finding.depth) === index
}

function symptomText({ subject }: Situation, { reason, state, detail }: Health): string {
  const word = reason ?? state
  return `${subject.kind} ${subject.name}: ${word}${detail ? `, ${detail}` : ''}`
}

function symptomEvidence({ subject }: Situation, health: Health): Evidence {
  const { object } = health
  const isElsewhere = object !== null && (object.name !== subject.name || object.kind !== subject.kind)
  const at = isElsewhere
    ? refOf(object.kind, object.namespace, object.name)
    : { kind: subject.kind, resource: subject.resource, namespace: subject.namespace, name: subject.name }
  const what = isElsewhere ? `${object.kind} ${object.name} is` : 'It is'
  return proof('status', `${what} ${health.state}: ${health.reason ?? 'no reason given'}`, {
    quote: health.detail,
    object: at,
    at: health.since,
  })
}

function unique<T>(all: readonly T[], keyOf: (each: T) => string): T[] {
  const seen = new Set<string>()
  return all.filter((each) => {
    const key = keyOf(each)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
