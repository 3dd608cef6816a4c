import { paperBounds } from '@bey/contract/paper/bounds'
import { counted, createDraft, type Draft, figure, lead, type Material, table } from '../draft.ts'
import { shortTime } from '../period.ts'
import { readEntries } from './audit-entries.ts'

/** What changed in a period, and by whom: the audit log without reads. */
export async function changeLog(material: Material): Promise<Draft> {
  const { parameters, span, before } = material
  const draft = createDraft()
  const [{ entries, isWhole }, earlier] = await Promise.all([
    readEntries(material, {}),
    parameters.isCompared ? readEntries({ ...material, span: before }, {}) : undefined,
  ])
  if (!isWhole) {
    draft.missing(`Only the newest ${entries.length} changes are listed. Export the audit log for the rest.`)
  }
  const succeeded = entries.filter(({ outcome }) => outcome === 'success')
  const refused = entries.filter(({ outcome }) => outcome === 'denied')
  const byPerson = new Map<string, number>()
  for (const { actor } of succeeded) byPerson.set(actor.name, (byPerson.get(actor.name) ?? 0) + 1)
  const people = [...byPerson].toSorted((a, b) => b[1] - a[1])
  const most = people[0]?.[1] ?? 1
  const source = draft.source(
    'Changes',
    `audit log from ${shortTime(span.from, parameters.timeZone)} to ${shortTime(span.to, parameters.timeZone)}, reads left out`,
    '/workspaces/settings/security',
  )
  draft.section(
    'summary',
    '',
    lead(
      succeeded.length === 0
        ? `Nothing changed from ${span.label}.`
        : `${counted(succeeded.length, 'change')} by ${counted(people.length, 'actor')} from ${span.label}.`,
    ),
    {
      kind: 'figures',
      figures: [
        figure('changes', 'Changes', succeeded.length, {
          before: earlier
            ? `${earlier.entries.filter(({ outcome }) => outcome === 'success').length} before`
            : null,
          source,
        }),
        figure('actors', 'Actors', people.length, { source }),
        figure('deletions', 'Deletions', succeeded.filter((entry) => entry.class === 'delete').length, {
          source,
        }),
        figure('refused', 'Refused', refused.length, { source }),
      ],
    },
  )
  draft.section('people', 'Changes by person', {
    kind: 'bars',
    title: '',
    bars: people.slice(0, paperBounds.maxBars).map(([name, count]) => ({
      label: name,
      share: count / most,
      value: String(count),
      isWarning: false,
    })),
    emptyText: 'Nobody changed anything.',
    source,
  })
  draft.section(
    'changes',
    'Changes',
    table(
      '',
      ['Time', 'Who', 'Action', 'Of what', 'Outcome'],
      entries.map(({ at, actor, action, target, object, outcome }) => [
        shortTime(at, parameters.timeZone),
        actor.name,
        action,
        object ?? target?.name ?? target?.id ?? '—',
        outcome,
      ]),
      { emptyText: `Nothing changed from ${span.label}.`, source },
    ),
  )
  return draft.finish()
}
