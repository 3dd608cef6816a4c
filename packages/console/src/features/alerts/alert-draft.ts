import type { AlertAudience, AlertCondition, AlertSeverity } from '@bey/contract/alerts/rules'
import { nameError } from '@bey/contract'
import type { Alert, AlertRule, ReplayDraft } from '../../data/alerts.ts'

/** What the form holds: numbers as they are typed. */
export interface AlertDraft {
  name: string
  description: string
  /** `metrics`, `resources`, or the id of a data source. */
  source: string
  expr: string
  kind: AlertCondition['kind']
  side: 'above' | 'below'
  limit: string
  isPercent: boolean
  withinMinutes: string
  forMinutes: string
  severity: AlertSeverity
  audience: AlertAudience
  /** Empty: nobody; undefined: who creates it. */
  owner: string | undefined
}

function newDraft(expr: string): AlertDraft {
  return {
    name: '',
    description: '',
    source: 'metrics',
    expr,
    kind: 'threshold',
    side: 'above',
    limit: '',
    isPercent: true,
    withinMinutes: '60',
    forMinutes: '5',
    severity: 'warning',
    audience: 'owner',
    owner: undefined,
  }
}

/** A new draft with what the address gives; anything else in it is ignored. */
export function filledDraft(search: Readonly<Record<string, unknown>>): AlertDraft {
  // Search parameters that look like numbers are numbers.
  const text = (key: string) => {
    const value = search[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  return {
    ...newDraft(text('expr')),
    ...(text('source') !== '' && { source: text('source') }),
    ...(text('source') === 'resources' && { kind: 'match' as const, forMinutes: '0' }),
    name: text('name'),
    limit: text('limit'),
    ...(search['side'] === 'below' && { side: 'below' as const }),
  }
}

export function draftOf({ condition, ...alert }: Alert): AlertDraft {
  const within = 'withinMs' in condition ? condition.withinMs : 3_600_000
  const limit =
    condition.kind === 'absence' || condition.kind === 'match'
      ? ''
      : condition.kind === 'change'
        ? condition.by
        : condition.limit
  return {
    name: alert.name,
    description: alert.description,
    source: alert.source,
    expr: alert.expr,
    kind: condition.kind,
    side: sideOf(condition),
    limit: String(limit),
    isPercent: condition.kind === 'change' ? condition.isPercent : true,
    withinMinutes: String(within / 60_000),
    forMinutes: String(alert.forMs / 60_000),
    severity: alert.severity,
    audience: alert.audience,
    owner: alert.ownerId === null ? '' : String(alert.ownerId),
  }
}

function sideOf(condition: AlertCondition): 'above' | 'below' {
  if (condition.kind === 'absence' || condition.kind === 'match') return 'above'
  if (condition.kind === 'change') return condition.direction === 'up' ? 'above' : 'below'
  return condition.direction
}

/** What is wrong with a draft, by its field. */
export function draftProblems(draft: AlertDraft): Record<string, string> {
  const problems: Record<string, string> = {}
  const name = draft.name.trim()
  const wrongName = name === '' ? 'Enter a name for the alert.' : nameError(name)
  if (wrongName !== undefined) problems['name'] = wrongName
  return { ...problems, ...ruleProblems(draft) }
}

function ruleProblems({
  source,
  expr,
  kind,
  limit,
  withinMinutes,
  forMinutes,
}: AlertDraft): Record<string, string> {
  const problems: Record<string, string> = {}
  if (expr.trim() === '')
    problems['expr'] = source === 'resources' ? 'Enter a query.' : 'Enter an expression.'
  if (source !== 'resources' && kind === 'match') problems['condition'] = 'Choose another condition.'
  if (source === 'resources' && kind === 'forecast') problems['condition'] = 'Choose another condition.'
  if (kind !== 'absence' && kind !== 'match' && numberOf(limit) === undefined)
    problems['limit'] = limit.trim() === '' ? 'Enter a number.' : `"${limit}" is not a number.`
  if (kind === 'change' && (numberOf(limit) ?? 1) <= 0) problems['limit'] = 'Enter a change above 0.'
  const within = numberOf(withinMinutes)
  const longest = kind === 'forecast' ? 43_200 : 1_440
  if ((kind === 'change' || kind === 'forecast') && !isWhole(within, 1, longest))
    problems['within'] = `Enter whole minutes from 1 to ${longest}.`
  if (!isWhole(numberOf(forMinutes), 0, 1_440)) problems['forMs'] = 'Enter whole minutes from 0 to 1440.'
  return problems
}

const isWhole = (value: number | undefined, least: number, most: number) =>
  value !== undefined && Number.isInteger(value) && value >= least && value <= most

function numberOf(text: string): number | undefined {
  const value = Number(text.trim().replace(',', '.'))
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value
}

/** What is replayed of a draft; undefined while something of it is wrong. */
export function judgedOf(
  draft: AlertDraft,
): Pick<ReplayDraft, 'source' | 'expr' | 'condition' | 'forMs'> | undefined {
  if (Object.keys(ruleProblems(draft)).length > 0) return undefined
  const { source, expr, forMinutes } = draft
  return { source, expr: expr.trim(), condition: conditionOf(draft), forMs: Number(forMinutes) * 60_000 }
}

function conditionOf({ kind, side, limit, isPercent, withinMinutes }: AlertDraft): AlertCondition {
  const value = numberOf(limit) ?? 0
  const withinMs = Number(withinMinutes) * 60_000
  switch (kind) {
    case 'absence':
    case 'match':
      return { kind }
    case 'threshold':
      return { kind, direction: side, limit: value }
    case 'forecast':
      return { kind, direction: side, limit: value, withinMs }
    case 'change':
      return { kind, direction: side === 'above' ? 'up' : 'down', by: value, isPercent, withinMs }
  }
}

/** What is sent of a draft; undefined while something of it is wrong. */
export function ruleOf(draft: AlertDraft): AlertRule | undefined {
  const judged = judgedOf(draft)
  if (judged === undefined || Object.keys(draftProblems(draft)).length > 0) return undefined
  const { name, description, severity, audience, owner } = draft
  return {
    ...judged,
    name: name.trim(),
    description,
    severity,
    audience,
    ...(owner !== undefined && { ownerId: owner === '' ? null : Number(owner) }),
  }
}
