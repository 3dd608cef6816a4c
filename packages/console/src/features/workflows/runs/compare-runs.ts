import type { StepRun } from '@bey/contract'
import { isKeptStep } from '@bey/contract'
import { diffLines } from 'diff'
import type { RunDetail } from '../../../data/workflows.ts'
import { spanOf } from './node-look.tsx'
import { absent, formatDuration } from '../../../lib/format.ts'
import { startedText } from '../../../lib/run-text.ts'

/** A row of what went in and came out. */
export interface ComparedFact {
  label: string
  a: string
  b: string
  /** "the same", "+2 min 05 s", "another value". */
  difference: string
  isDifferent: boolean
}

/** A step of both runs, or of one of them. */
export interface ComparedStep {
  key: string
  name: string
  a: StepRun | undefined
  b: StepRun | undefined
  aMs: number | undefined
  bMs: number | undefined
  difference: string
  isDifferent: boolean
  /** The difference is large enough to be worth a look. */
  isNotable: boolean
}

export interface Comparison {
  sentence: string
  detail: string
  facts: readonly ComparedFact[]
  steps: readonly ComparedStep[]
  /** The longest step of both, in milliseconds: the scale of the bars. */
  longestMs: number
}

/** What differs between two runs. `now` in milliseconds since 1970, for runs that go on. */
export function compareRuns(a: RunDetail, b: RunDetail, now: number): Comparison {
  const steps = comparedSteps(a, b, now)
  const facts = comparedFacts(a, b, steps, now)
  const spans = steps.flatMap(({ aMs, bMs }) => [aMs ?? 0, bMs ?? 0])
  return {
    sentence: sentenceOf(a, b, steps, now),
    detail: detailOf(facts),
    facts,
    steps,
    longestMs: spans.reduce((longest, ms) => Math.max(longest, ms), 1),
  }
}

function comparedSteps(a: RunDetail, b: RunDetail, now: number): ComparedStep[] {
  const own = ({ steps }: RunDetail) => steps.filter(({ parentKey }) => parentKey === null)
  const [left, right] = [own(a), own(b)]
  const byKey = new Map(right.map((step) => [step.key, step]))
  const known = new Set(left.map(({ key }) => key))
  return [
    ...left.map((step) => comparedStep(step, byKey.get(step.key), now)),
    ...right.filter(({ key }) => !known.has(key)).map((step) => comparedStep(undefined, step, now)),
  ]
}

function comparedStep(a: StepRun | undefined, b: StepRun | undefined, now: number): ComparedStep {
  const [aMs, bMs] = [durationOf(a, now), durationOf(b, now)]
  const ms = aMs === undefined || bMs === undefined ? undefined : bMs - aMs
  const isNotable = ms !== undefined && Math.abs(ms) > Math.max(1_000, Math.min(aMs ?? 0, bMs ?? 0) / 5)
  const isOther = a?.status !== b?.status
  return {
    key: (a ?? b)?.key ?? '',
    name: (a ?? b)?.name ?? '',
    a,
    b,
    aMs,
    bMs,
    difference: a && b ? (reusedText(a, b) ?? differenceText(aMs, bMs)) : `only in run ${a ? 'A' : 'B'}`,
    isDifferent: isOther || isNotable || (aMs === undefined) !== (bMs === undefined),
    isNotable,
  }
}

/** Which run shows the result of an earlier one instead of its own. */
function reusedText(a: StepRun, b: StepRun): string | undefined {
  if (isKeptStep(a) && isKeptStep(b)) return 'reused in both runs'
  if (isKeptStep(a)) return 'reused in run A'
  return isKeptStep(b) ? 'reused in run B' : undefined
}

function differenceText(aMs: number | undefined, bMs: number | undefined): string {
  return aMs === undefined || bMs === undefined ? oneSided(aMs, bMs) : signed(bMs - aMs)
}

const oneSided = (aMs: number | undefined, bMs: number | undefined) =>
  aMs === bMs ? absent : `ran only in run ${aMs === undefined ? 'B' : 'A'}`

/** "+13 s", "−1 min 02 s"; less than a tenth of a second is no difference. */
function signed(ms: number): string {
  if (Math.abs(ms) < 100) return absent
  return `${ms > 0 ? '+' : '−'}${formatDuration(Math.abs(ms))}`
}

function durationOf(step: StepRun | undefined, now: number): number | undefined {
  if (!step || step.status === 'skipped') return undefined
  return spanOf(step) ?? (step.startedAt ? Math.max(0, now - Date.parse(step.startedAt)) : undefined)
}

function tookMs({ run }: RunDetail, now: number): number | undefined {
  if (!run.startedAt) return undefined
  return (run.finishedAt ? Date.parse(run.finishedAt) : now) - Date.parse(run.startedAt)
}

function comparedFacts(
  a: RunDetail,
  b: RunDetail,
  steps: readonly ComparedStep[],
  now: number,
): ComparedFact[] {
  const fact = (label: string, left: string, right: string, other = 'another value'): ComparedFact => ({
    label,
    a: left,
    b: right,
    difference: left === right ? 'the same' : other,
    isDifferent: left !== right,
  })
  const [aMs, bMs] = [tookMs(a, now), tookMs(b, now)]
  const version = ({ run }: RunDetail) => (run.version === null ? 'built in' : String(run.version))
  return [
    fact('Workflow', a.run.workflowName, b.run.workflowName, 'another workflow'),
    fact('Workflow version', version(a), version(b), 'another version'),
    ...comparedKeys('Input', a.run.input, b.run.input).map(([label, left, right]) =>
      fact(label, left, right),
    ),
    fact('Works on', a.run.subject?.name ?? absent, b.run.subject?.name ?? absent),
    fact('Started', startedText(a.run), startedText(b.run), 'another start'),
    {
      ...fact('Took', formatDuration(aMs), formatDuration(bMs)),
      difference: aMs === undefined || bMs === undefined ? absent : tookText(bMs - aMs, steps),
    },
    ...comparedKeys('Output', a.run.output ?? {}, b.run.output ?? {}).map(([label, left, right]) =>
      fact(label, left, right),
    ),
    fact('Error', a.run.error?.message ?? absent, b.run.error?.message ?? absent, 'another outcome'),
  ].filter(({ a: left, b: right }) => left !== absent || right !== absent)
}

/** "+2 min 05 s, mostly Smoke test and Roll back". */
function tookText(ms: number, steps: readonly ComparedStep[]): string {
  const most = steps
    .map(({ name, aMs = 0, bMs = 0 }) => ({ name, ms: bMs - aMs }))
    .filter((each) => Math.sign(each.ms) === Math.sign(ms) && Math.abs(each.ms) > Math.abs(ms) / 4)
    .toSorted((left, right) => Math.abs(right.ms) - Math.abs(left.ms))
    .slice(0, 2)
  const why = most.length > 0 ? `, mostly ${most.map(({ name }) => name).join(' and ')}` : ''
  return Math.abs(ms) < 100 ? 'the same' : `${signed(ms)}${why}`
}

/** The entries of two objects side by side: label, left and right as text. */
function comparedKeys(
  label: string,
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): [string, string, string][] {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return keys.map((key) => [`${label}, ${key.replaceAll('_', ' ')}`, textOf(a[key]), textOf(b[key])])
}

function textOf(value: unknown): string {
  if (value === undefined) return absent
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function sentenceOf(a: RunDetail, b: RunDetail, steps: readonly ComparedStep[], now: number): string {
  const parted = steps.find((step) => isFailed(step.a) !== isFailed(step.b))
  if (parted) {
    const [bad, good] = isFailed(parted.b) ? (['B', 'A'] as const) : (['A', 'B'] as const)
    const other = bad === 'B' ? parted.a : parted.b
    const didWhat = other?.status === 'succeeded' ? 'succeeded' : 'did not fail'
    return `Run ${bad} failed at ${parted.name}, where run ${good} ${didWhat}.`
  }
  const [aMs, bMs] = [tookMs(a, now), tookMs(b, now)]
  const word = (status: string) => status.replaceAll('_', ' ')
  const outcome =
    a.run.status === b.run.status
      ? `Both runs are ${word(a.run.status)}`
      : `Run A is ${word(a.run.status)}, run B is ${word(b.run.status)}`
  if (aMs === undefined || bMs === undefined || Math.abs(bMs - aMs) < 100) return `${outcome}.`
  return `${outcome}; run B took ${formatDuration(Math.abs(bMs - aMs))} ${bMs > aMs ? 'longer' : 'less'}.`
}

const isFailed = (step: StepRun | undefined) => step?.status === 'failed' || step?.status === 'timed_out'

function detailOf(facts: readonly ComparedFact[]): string {
  const given = facts.filter(({ label }) => /^(Workflow|Input|Works on)/.test(label))
  const names = given
    .filter(({ isDifferent }) => isDifferent)
    .map(({ label }) => label.replace(/^Input, /, '').toLowerCase())
  if (names.length === 0) return 'What was put in is the same.'
  const last = names.at(-1) ?? ''
  const list = names.length === 1 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
  return `Of what was put in, only ${list} ${names.length === 1 ? 'differs' : 'differ'}.`
}

/** Lines of two texts, each with whether the other lacks it. */
export function comparedLines(before: string, after: string): { a: ComparedLine[]; b: ComparedLine[] } {
  const parts = diffLines(`${before}\n`, `${after}\n`).map(({ value, added, removed }) => ({
    added,
    removed,
    lines: value.replace(/\n$/, '').split('\n'),
  }))
  return {
    a: parts.flatMap(({ lines, added, removed }) =>
      added ? [] : lines.map((text) => ({ text, isOnly: removed })),
    ),
    b: parts.flatMap(({ lines, added, removed }) =>
      removed ? [] : lines.map((text) => ({ text, isOnly: added })),
    ),
  }
}

export interface ComparedLine {
  text: string
  /** The other text does not have it. */
  isOnly: boolean
}
