import type { KubeconfigContext } from '@bey/contract'
import { isDnsLabel } from '@bey/contract'
import type { ClustersToImport, TestedContext } from '../../data/import.ts'

/** What somebody decided about a certificate that is not trusted as it is. */
export interface Trust {
  caPem?: string
  trustedFingerprint?: string
}

/** `refused`: the file itself says that it cannot work from a server. `error`: the test did not come about. */
type Outcome =
  | { kind: 'refused' }
  | { kind: 'testing' }
  | ({ kind: 'tested' } & TestedContext)
  | { kind: 'error'; message: string }

export interface Entry {
  context: KubeconfigContext
  outcome: Outcome
  trust: Trust
  title: string
  isChosen: boolean
  isOpen: boolean
}

export type Change =
  | { kind: 'outcome'; context: string; outcome: Outcome }
  | { kind: 'edit'; context: string; values: Partial<Pick<Entry, 'title' | 'isChosen' | 'isOpen' | 'trust'>> }
  | { kind: 'chooseAll'; isChosen: boolean }

export function firstEntries(contexts: readonly KubeconfigContext[]): Entry[] {
  return contexts.map((context) => ({
    context,
    outcome: context.problems.length > 0 ? { kind: 'refused' } : { kind: 'testing' },
    trust: {},
    title: context.suggestedTitle,
    isChosen: false,
    isOpen: false,
  }))
}

export function changed(entries: readonly Entry[], change: Change): Entry[] {
  switch (change.kind) {
    case 'outcome':
      return withFirstTroubleOpen(
        entries.map((entry) =>
          nameOf(entry) === change.context ? withOutcome(entry, change.outcome) : entry,
        ),
      )
    case 'edit':
      return entries.map((entry) =>
        nameOf(entry) === change.context ? { ...entry, ...change.values } : entry,
      )
    case 'chooseAll':
      return entries.map((entry) => ({ ...entry, isChosen: change.isChosen && canChoose(entry) }))
  }
}

export const nameOf = ({ context }: Entry): string => context.context

/** Only what has passed its test can be imported. */
export function canChoose({ outcome }: Entry): boolean {
  return outcome.kind === 'tested' && outcome.test.state !== 'failed'
}

export function hasFailed({ outcome }: Entry): boolean {
  return outcome.kind === 'error' || (outcome.kind === 'tested' && outcome.test.state === 'failed')
}

export const isTesting = (entries: readonly Entry[]): boolean =>
  entries.some(({ outcome }) => outcome.kind === 'testing')

// What nobody checked, and what is here already, is chosen by people alone.
function withOutcome(entry: Entry, outcome: Outcome): Entry {
  const isFine = outcome.kind === 'tested' && outcome.test.state === 'reachable' && !outcome.alreadyImported
  return { ...entry, outcome, isChosen: isFine }
}

/** Once everything is tested, the first that failed is open, unless somebody has opened one already. */
function withFirstTroubleOpen(entries: Entry[]): Entry[] {
  if (isTesting(entries) || entries.some(({ isOpen }) => isOpen)) return entries
  const first = entries.find(hasFailed)
  return entries.map((entry) => (entry === first ? { ...entry, isOpen: true } : entry))
}

/** As in the file while tests go on; then what failed first, and what cannot work from a server last. */
export function ordered(entries: readonly Entry[]): readonly Entry[] {
  if (isTesting(entries)) return entries
  return entries.toSorted((a, b) => rank(a) - rank(b))
}

function rank(entry: Entry): number {
  if (hasFailed(entry)) return 0
  if (entry.outcome.kind === 'refused') return 3
  return entry.outcome.kind === 'tested' && entry.outcome.test.state === 'unverified' ? 2 : 1
}

/** "4 of 6 contexts can be imported." and what is with the others. */
export function summary(entries: readonly Entry[]): { lead: string; rest: string } {
  const count = entries.length
  const usable = entries.filter(canChoose).length
  const failed = entries.filter(hasFailed).length
  const refused = entries.filter(({ outcome }) => outcome.kind === 'refused').length
  const lead = `${usable} of ${count} ${count === 1 ? 'context' : 'contexts'} can be imported.`
  const parts = [
    failed === 0 ? '' : `${failed} ${failed === 1 ? 'fails its test' : 'fail their tests'}`,
    refused === 0 ? '' : `${refused} cannot work from a server`,
  ].filter((each) => each !== '')
  return { lead, rest: parts.length === 0 ? '' : `${parts.join(', ')}.` }
}

/** What is wrong with the title of a chosen context; undefined while nothing is. */
export function titleError(entry: Entry, entries: readonly Entry[]): string | undefined {
  if (!entry.isChosen) return undefined
  if (!isDnsLabel(entry.title))
    return 'Use 1 to 63 lower-case letters, digits and hyphens; start and end with a letter or digit.'
  const isTwice = entries.some((each) => each !== entry && each.isChosen && each.title === entry.title)
  return isTwice ? 'Another of these clusters has this title.' : undefined
}

/** What is sent, in the order in which errors name it. */
export function toImport(kubeconfig: string, entries: readonly Entry[]): ClustersToImport {
  const chosen = entries.filter(({ isChosen }) => isChosen)
  return {
    kubeconfig,
    clusters: chosen.map((entry) => ({ context: nameOf(entry), title: entry.title, ...entry.trust })),
  }
}
