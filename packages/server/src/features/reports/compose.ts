import type { Paper } from '@bey/contract/paper/paper'
import { type ReportKind, reportKindRules, type ReportParameters } from '@bey/contract/reports/rules'
import type { Draft, Material } from './draft.ts'
import { fit } from './draft.ts'
import { accessReview } from './kinds/access-review.ts'
import { backupProof } from './kinds/backup-proof.ts'
import { capacity } from './kinds/capacity.ts'
import { changeLog } from './kinds/change-log.ts'
import { cost } from './kinds/cost.ts'
import { reliability } from './kinds/reliability.ts'
import { secretsAge } from './kinds/secrets-age.ts'
import { momentText, type Span, spansOf } from './period.ts'
import type { Read } from './reads.ts'

const kinds: Readonly<Record<ReportKind, (material: Material) => Promise<Draft>>> = {
  reliability,
  capacity,
  cost,
  'backup-proof': backupProof,
  'secrets-age': secretsAge,
  'access-review': accessReview,
  'change-log': changeLog,
}

export type Composition = {
  kind: ReportKind
  /** What it is called; the label of its kind for a preview. */
  name: string
  parameters: ReportParameters
  organizationName: string
  read: Read
  now: Date
  /** In place of the period that `now` lies in: an issue is compared with the same period. */
  spans?: { span: Span; before: Span }
}

/** What a report says, read at `now`. Sections that are left out are read all the same: the summary counts them. */
export async function composeReport(composition: Composition): Promise<Paper> {
  const { kind, name, parameters, organizationName, read, now } = composition
  const rule = reportKindRules[kind]
  const spans = composition.spans ?? spansOf(parameters, now)
  const { unread, sections, sources } = await kinds[kind]({ read, parameters, now, ...spans })
  const { clusterIds, hiddenSections, timeZone } = parameters
  const covers = [
    ...(rule.hasClusters
      ? [clusterIds.length === 0 ? 'all clusters' : `${clusterIds.length} chosen clusters`]
      : []),
    rule.hasPeriod ? `${spans.span.label}, ${timeZone}` : 'as of the time of issue',
  ]
  return {
    title: fit(rule.hasPeriod ? `${name}, ${spans.span.label}` : name),
    subtitle: fit(`${organizationName}, ${covers.join('. ')}`),
    asOf: now.toISOString(),
    asOfText: momentText(now, timeZone),
    unread,
    sections: sections.filter(({ id }) => !hiddenSections.includes(id)),
    sources,
  }
}

export type Moved = { label: string; was: string; is: string }

/** Figures of a paper that another one of the same report and period says differently. */
export function movedFigures(before: Paper, after: Paper): Moved[] {
  const now = new Map(figuresOf(after).map((figure) => [figure.id, figure]))
  return figuresOf(before).flatMap(({ id, label, value }) => {
    const is = now.get(id)?.value
    return is === undefined || is === value ? [] : [{ label, was: value, is }]
  })
}

const figuresOf = ({ sections }: Paper) =>
  sections.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'figures' ? block.figures : [])))
